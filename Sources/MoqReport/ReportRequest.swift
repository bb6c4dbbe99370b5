import MoqBase

/// A kind of report that is written to a file or to standard output.
public enum ReportKind: String, Sendable, CaseIterable {
    /// JUnit XML.
    case junit
    /// One JSON document.
    case json
    /// The stream of events, JSON Lines.
    case events
}

/// Why a report could not be asked for.
public enum ReportError: Error, Equatable, CustomStringConvertible {
    /// The text is not `KIND=PATH`.
    case notKindAndPath(String)
    /// There is no report of this kind; the nearest word, when one is near.
    case unknownKind(String, nearest: String?)
    /// The path is empty.
    case noPath(ReportKind)
    /// Two reports want the same destination.
    case sameDestination(String)

    public var description: String {
        let kinds = ReportKind.allCases.map(\.rawValue).joined(separator: ", ")
        switch self {
        case .notKindAndPath(let text):
            return "--report \(text): a report is KIND=PATH, such as junit=reports/junit.xml; kinds are \(kinds)"
        case .unknownKind(let word, let nearest):
            let question = nearest.map { "; did you mean \($0)?" } ?? ""
            return "--report \(word)=...: there is no report of this kind (there are \(kinds))\(question)"
        case .noPath(let kind):
            return "--report \(kind.rawValue)=: the path is missing; \(kind.rawValue)=- writes to standard output"
        case .sameDestination("-"):
            return "--report: two reports would be mixed on standard output; give one of them a path"
        case .sameDestination(let path):
            return "--report: two reports would be written to \(path); give each a path of its own"
        }
    }
}

/// One `--report KIND=PATH`.
public struct ReportRequest: Sendable, Equatable {
    /// Which report.
    public var kind: ReportKind
    /// The path of the file; nil for standard output.
    public var path: String?

    /// A report to a file, or to standard output when there is no path.
    public init(kind: ReportKind, path: String?) {
        self.kind = kind
        self.path = path
    }

    /// Reads `KIND=PATH`; the path `-` is standard output.
    public init(parsing text: String) throws(ReportError) {
        guard let sign = text.firstIndex(of: "=") else {
            // A word that is nearly a kind lacks only its path; anything else is taken for a path without its kind.
            guard let kind = ReportKind(rawValue: text) else { throw .notKindAndPath(text) }
            throw .noPath(kind)
        }
        let word = String(text[..<sign])
        guard let kind = ReportKind(rawValue: word) else {
            throw .unknownKind(word, nearest: NearestWord.of(word, among: ReportKind.allCases.map(\.rawValue)))
        }
        let path = String(text[text.index(after: sign)...])
        guard !path.isEmpty else { throw .noPath(kind) }
        self.init(kind: kind, path: path == "-" ? nil : path)
    }

    /// Reads every `KIND=PATH` of a command line; no two may have the same destination.
    public static func list(parsing texts: [String]) throws(ReportError) -> [ReportRequest] {
        var requests: [ReportRequest] = []
        for text in texts {
            let request = try ReportRequest(parsing: text)
            if requests.contains(where: { $0.path == request.path }) { throw .sameDestination(request.path ?? "-") }
            requests.append(request)
        }
        return requests
    }
}
