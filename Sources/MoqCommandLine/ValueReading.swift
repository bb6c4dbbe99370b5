import MoqRunner
import MoqScenario
import MoqTransport
import MoqWire

// The values that flags have, each understood in one place. Every error names its flag.
extension ParsedArguments {
    /// A whole number in a range.
    func number(of name: String, in range: ClosedRange<UInt64>) throws(UsageError) -> UInt64? {
        guard let text = value(of: name) else { return nil }
        guard let number = UInt64(text), range.contains(number) else {
            throw UsageError("--\(name) \(text): it is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A duration with its unit, more than nothing unless `zero` is allowed.
    func duration(of name: String, allowingZero: Bool = false) throws(UsageError) -> Duration? {
        guard let text = value(of: name) else { return nil }
        let duration: Duration
        do {
            duration = try DurationText.duration(text)
        } catch {
            throw UsageError("--\(name) \(error)")
        }
        guard allowingZero || duration > .zero else {
            throw UsageError("--\(name) \(text): it must be more than nothing")
        }
        return duration
    }

    /// Versions as `06,05` or `all`, in the order given and each once; nil when the flag is not given.
    func versions(of name: String) throws(UsageError) -> [Version]? {
        guard let text = value(of: name) else { return nil }
        return try versions(in: text, said: "--\(name) \(text)")
    }

    private func versions(in text: some StringProtocol, said: String) throws(UsageError) -> [Version] {
        if text == "all" { return Version.byPreference }
        var versions: [Version] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let version = Version(name: part) else {
                let known = Version.allCases.map(\.name).joined(separator: ", ")
                throw UsageError("\(said): `\(part)` is no version that can be run; there are \(known), and all")
            }
            if !versions.contains(version) { versions.append(version) }
        }
        return versions
    }

    /// Transports as `quic,tcp`, `all` or `auto`; the usual ones when the flag is not given.
    func transports(of name: String) throws(UsageError) -> CaseSelection.Transports {
        guard let text = value(of: name) else { return .usual }
        if text == "all" { return .some(TransportKind.allCases) }
        if text == TransportChoice.race.name { return .race }
        var kinds: [TransportKind] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = TransportKind(rawValue: String(part)) else {
                let words = TransportKind.allCases.map(\.rawValue) + ["all", "auto"]
                if part == "auto" || part == "all" {
                    throw UsageError("--\(name) \(text): `\(part)` stands alone")
                }
                if let meant = TransportWord.meant(by: String(part)) {
                    let names = meant.map { "`\($0)`" }.joined(separator: " or ")
                    throw UsageError("--\(name) \(text): `\(part)` is not the name of a transport; write \(names)")
                }
                throw UsageError("--\(name): \(UsageError.unknown("transport", String(part), among: words))")
            }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        return .some(kinds)
    }

    /// A generation of codes; nil for `probe` and when the flag is not given.
    func generation(of name: String, allowingProbe: Bool) throws(UsageError) -> CodeGeneration? {
        guard let text = value(of: name), !(allowingProbe && text == "probe") else { return nil }
        guard let generation = CodeGeneration(rawValue: text) else {
            let words = CodeGeneration.allCases.map(\.rawValue) + (allowingProbe ? ["probe"] : [])
            throw UsageError("--\(name): \(UsageError.unknown("generation", text, among: words))")
        }
        return generation
    }

    /// Capabilities, each once.
    func capabilities(of name: String) throws(UsageError) -> [String] {
        var found: [String] = []
        for word in values(of: name) {
            if let at = word.firstIndex(of: "@"), Capability.names.contains(String(word[..<at])) {
                throw UsageError("--\(name) \(word): only --without is about some versions; write \(word[..<at])")
            }
            guard Capability.names.contains(word) else {
                throw UsageError("--\(name): \(UsageError.unknown("capability", word, among: Capability.names))")
            }
            if !found.contains(word) { found.append(word) }
        }
        return found
    }

    /// Capabilities that are lacking, each once: `NAME`, or `NAME@VERSION,VERSION` for these versions only, which gives
    /// one `NAME@VERSION` for each.
    func lackingCapabilities(of name: String) throws(UsageError) -> [String] {
        var found: [String] = []
        for word in values(of: name) {
            let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            let capability = String(parts[0])
            guard Capability.names.contains(capability) else {
                throw UsageError("--\(name): \(UsageError.unknown("capability", capability, among: Capability.names))")
            }
            var words = [capability]
            if parts.count == 2 {
                words = try versions(in: parts[1], said: "--\(name) \(word)").map { "\(capability)@\($0.name)" }
            }
            for word in words where !found.contains(word) { found.append(word) }
        }
        return found
    }

    /// SHA-256 fingerprints as 64 small hexadecimal digits; colons between them and capitals are taken too.
    func fingerprints(of name: String) throws(UsageError) -> [String] {
        var found: [String] = []
        for word in values(of: name) {
            let digits = word.filter { $0 != ":" }.lowercased()
            guard digits.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                throw UsageError(
                    "--\(name) \(word): it is a SHA-256, 64 hexadecimal digits, as `moqspec relay` prints it")
            }
            found.append(digits)
        }
        return found
    }
}
