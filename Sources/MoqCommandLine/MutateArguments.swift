import MoqRunner
import MoqTransport

/// What `moqspec mutate` was asked for.
public struct MutateArguments: Sendable {
    /// As many as the machines have cores on which it has to be quick.
    public static let usualJobs = 2
    /// The same on every run, so that what notices a fault stays the same.
    public static let usualSeed: UInt64 = 1

    /// Scenario files and folders; empty for the usual folder.
    public var paths: [String]
    /// Registries besides those that stand beside the scenarios.
    public var registries: [String]
    /// Which of the cases are played.
    public var selection: CaseSelection
    /// The faults: those that are named, else all.
    public var faults: [Mutant]
    /// Threads.
    public var jobs: Int
    /// The seed.
    public var seed: UInt64
    /// Where the report goes, if one is wanted.
    public var report: Report?
    /// Whether only what is amiss is said.
    public var isQuiet: Bool

    /// Where a report goes.
    public enum Report: Equatable, Sendable {
        /// Standard output.
        case standardOutput
        /// A file.
        case file(String)
    }

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.operands
        registries = arguments.values(of: "registry")
        selection = try CaseSelection(arguments)
        selection.versionsOnAllTransports = []
        switch selection.transports {
        case .usual: selection.transports = .some(TransportKind.allCases)
        case .some: break
        case .race: throw UsageError("--transport: in simulated time there is no race worth running; name transports")
        }
        let relays = try arguments.faults(of: "fault").map(Mutant.relay)
        let named = relays + (try arguments.kitFaults(of: "kit-fault").map(Mutant.kit))
        faults = named.isEmpty ? Mutant.all : named
        jobs = try arguments.number(of: "jobs", in: 1...RunArguments.mostJobs).map(Int.init) ?? Self.usualJobs
        seed = try arguments.number(of: "seed", in: 0...UInt64.max) ?? Self.usualSeed
        isQuiet = arguments.has("quiet")
        report = nil
        if let text = arguments.value(of: "report") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[0] == "json" else {
                throw UsageError("--report \(text): it is json=PATH, or json=- for standard output")
            }
            report = parts[1] == "-" ? .standardOutput : .file(parts[1])
        }
    }
}
