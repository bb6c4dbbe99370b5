import MoqBase
import MoqKit
import MoqScenario

/// What `moqspec machines` was asked for.
public struct MachinesArguments: Sendable {
    /// How machines are shown.
    public enum Form: Sendable {
        case list, table, mermaid, json
    }

    /// All machines there are.
    public var library: MachineLibrary
    /// Those that are shown.
    public var definitions: [MachineDefinition]
    /// How.
    public var form: Form
    /// Where the page goes; nil when none is wanted, `-` for standard output.
    public var page: String?

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        library = try MachineFiles.library(arguments)
        let profile = try MachineFiles.profile(arguments)
        for name in arguments.operands where !library.names.contains(name) {
            throw .unknown("machine", name, among: library.names)
        }
        let names = arguments.operands
        definitions = library.definitions.filter { definition in
            (names.isEmpty || names.contains(definition.name)) && (profile == nil || definition.profile == profile)
        }
        guard !definitions.isEmpty else {
            throw UsageError("--profile \(profile?.rawValue ?? ""): none of these machines has it")
        }
        let forms = ["table", "mermaid", "json"].filter(arguments.has)
        guard forms.count < 2 else { throw UsageError("--\(forms[0]) and --\(forms[1]) exclude each other") }
        switch forms.first {
        case "mermaid": form = .mermaid
        case "json": form = .json
        case "table": form = .table
        default: form = names.isEmpty ? .list : .table
        }
        guard let report = arguments.value(of: "report") else { return }
        let kind = "markdown="
        guard report.hasPrefix(kind), report.count > kind.count else {
            throw UsageError("--report \(report): it is markdown=PATH, such as markdown=docs/machines.md")
        }
        guard names.isEmpty, profile == nil, forms.isEmpty else {
            throw UsageError("--report markdown: the page has all machines; leave out names, --profile and forms")
        }
        page = String(report.dropFirst(kind.count))
    }

    /// What is printed.
    public var text: String {
        switch form {
        case .list:
            var rows = [["machine", "object", "profiles", "about"]]
            for name in library.names {
                let found = definitions.filter { $0.name == name }
                guard let first = found.first else { continue }
                rows.append([name, first.object, found.map(\.profile.rawValue).joined(separator: ", "), first.about])
            }
            return MachineTable.aligned(rows).joined(separator: "\n")
        case .table: return definitions.map { MachineTable($0).text }.joined(separator: "\n\n")
        case .mermaid:
            return definitions.map { definition in
                "%% \(definition.name) (\(definition.profile.rawValue))\n\(MachineMermaid(definition).text)"
            }.joined(separator: "\n")
        case .json: return String(decoding: MachineJSON(definitions).bytes().dropLast(), as: UTF8.self)
        }
    }
}

/// Where machines come from: this release, or files.
public enum MachineFiles {
    /// The machines that `--definitions` names, or those of this release.
    static func library(_ arguments: ParsedArguments) throws(UsageError) -> MachineLibrary {
        guard let path = arguments.value(of: "definitions") else { return .builtIn }
        let files = try ScenarioFiles.readAll([path]).filter(MachineReader.isMachine)
        guard !files.isEmpty else {
            throw UsageError("--definitions \(path): no file in it defines a machine (it begins with `machine:`)")
        }
        let reading = MachineReader().read(files, beside: MachineLibrary.builtIn.definitions)
        guard !reading.hasErrors else {
            throw UsageError(DiagnosticRenderer.text(reading.diagnostics), isAboutFiles: true)
        }
        return MachineLibrary(reading.definitions)
    }

    /// The profile that `--profile` names; nil without it.
    static func profile(_ arguments: ParsedArguments) throws(UsageError) -> MachineProfile? {
        guard let word = arguments.value(of: "profile") else { return nil }
        guard let profile = MachineProfile(rawValue: word) else {
            throw .unknown("profile", word, among: MachineProfile.allCases.map(\.rawValue))
        }
        return profile
    }
}
