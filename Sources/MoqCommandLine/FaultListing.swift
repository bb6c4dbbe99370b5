import MoqBase
import MoqJSON
import MoqKit
import MoqRelay
import MoqRunner
import MoqWire

extension ParsedArguments {
    /// The faults that a flag names, each once.
    func faults(of name: String) throws(UsageError) -> [RelayFault] {
        var faults: [RelayFault] = []
        for word in values(of: name) {
            guard let fault = RelayFault.named(word) else {
                let meant = NearestWord.of(word, among: RelayFault.all.map(\.name))
                let question = meant.map { "; did you mean `\($0)`?" } ?? ""
                throw UsageError("--\(name): `\(word)` is no fault\(question); moqspec list --faults shows them")
            }
            if !faults.contains(where: { $0 === fault }) { faults.append(fault) }
        }
        return faults
    }

    /// The faults of client kits that a flag names, each once.
    func kitFaults(of name: String) throws(UsageError) -> [KitFault] {
        var faults: [KitFault] = []
        for word in values(of: name) {
            guard let fault = KitFault.named(word) else {
                let meant = NearestWord.of(word, among: KitFault.all.map(\.name))
                let question = meant.map { "; did you mean `\($0)`?" } ?? ""
                throw UsageError(
                    "--\(name): `\(word)` is no fault of client kits\(question); moqspec list --faults shows them")
            }
            if !faults.contains(where: { $0 === fault }) { faults.append(fault) }
        }
        return faults
    }
}

/// The faults of the embedded relay and of client kits, as `moqspec list --faults` shows them.
public struct FaultListing {
    private let faults: [Mutant]

    /// All faults. Flags that are about cases or requirements do not go with it.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        let other = arguments.flags.first { $0.name != "faults" && $0.name != "json" }
        if let other { throw UsageError("--\(other.name) and --faults do not go together") }
        faults = Mutant.all
    }

    /// For people: name, suite, and what is done wrong.
    public var text: String {
        let width = faults.map(\.name.count).max() ?? 0
        var lines: [String] = []
        for suite in suites {
            lines.append(suite)
            for fault in faults where fault.suite == suite {
                let name = fault.name + String(repeating: " ", count: width - fault.name.count)
                lines.append("  \(name)  \(fault.about)\(Self.scope(of: fault))")
                let indent = String(repeating: " ", count: width + 4)
                lines.append("\(indent)breaks \(fault.requirements.joined(separator: ", "))")
            }
            lines.append("")
        }
        return (lines + ["\(faults.count) faults"]).joined(separator: "\n")
    }

    /// For programs.
    public func json() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("schema", 1)
            writer.name("faults")
            writer.array { writer in
                for fault in faults {
                    writer.object { writer in
                        writer.member("name", fault.name)
                        writer.member("about", fault.about)
                        writer.member("suite", fault.suite)
                        writer.member("requirements", fault.requirements)
                        writer.member("versions", fault.versions.map { "\($0.lowerBound.name)..\($0.upperBound.name)" })
                        writer.member("transports", fault.transports?.map(\.rawValue) ?? [])
                    }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private var suites: [String] {
        var found: [String] = []
        for fault in faults where !found.contains(fault.suite) { found.append(fault.suite) }
        return found
    }

    /// Where a fault shows, when that is not everywhere.
    private static func scope(of fault: Mutant) -> String {
        var parts: [String] = []
        if let versions = fault.versions {
            let isOne = versions.lowerBound == versions.upperBound
            parts.append(
                isOne ? versions.lowerBound.name : "\(versions.lowerBound.name) to \(versions.upperBound.name)")
        }
        if let transports = fault.transports { parts.append(transports.map(\.rawValue).joined(separator: ", ")) }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
    }
}
