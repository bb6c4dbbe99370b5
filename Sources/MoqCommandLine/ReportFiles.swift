import MoqEvents
import MoqReport

/// The reports of a run, as files. They are made before the run, so that one that cannot be written is known at once.
public final class ReportFiles {
    private let files: [(kind: ReportKind, file: OutputFile)]

    /// Makes the files, empty.
    public init(_ requests: [ReportRequest]) throws(UsageError) {
        var files: [(kind: ReportKind, file: OutputFile)] = []
        for request in requests {
            let file: OutputFile
            if let path = request.path {
                file = try OutputFile(creating: path, flag: "--report \(request.kind.rawValue)")
            } else {
                file = .standardOutput()
            }
            files.append((request.kind, file))
        }
        self.files = files
    }

    /// Writes an event to where events go, at once.
    public func take(_ event: RunEvent) {
        for entry in files where entry.kind == .events { entry.file.write(EventsReport.line(for: event)) }
    }

    /// Writes the reports that need the whole run. Gives what could not be written.
    public func finish(_ results: RunResults, rerun: Rerun?) -> [String] {
        for entry in files {
            switch entry.kind {
            case .junit: entry.file.write(Array(JUnitReport(results, rerun: rerun).text().utf8))
            case .json: entry.file.write(JSONReport(results, rerun: rerun).bytes())
            case .events: break
            }
        }
        return files.compactMap(\.file.problem)
    }
}
