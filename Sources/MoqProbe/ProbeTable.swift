import MoqBase
import MoqDial
import MoqReport
import MoqTransport
import MoqWire

/// The findings of a probe for people: a table of transports and versions, and what else is known, one thing a line.
public struct ProbeTable {
    private let findings: ProbeFindings
    private let words: ProbeWords
    /// The time by which a certificate is said to be valid, in seconds since 1970.
    private let unixTime: Int

    /// Where the values of a section begin.
    private static let column = 23

    /// The table of findings. `token` is the one that sessions brought: it is taken out of all that is shown.
    public init(_ findings: ProbeFindings, token: String?, unixTime: Int) {
        self.findings = findings
        words = ProbeWords(token: token)
        self.unixTime = unixTime
    }

    /// The lines.
    public var lines: [String] {
        let place = "\(findings.url) at \(findings.address)"
        var lines = ["\(place): \(findings.connections) connections in \(ProbeWords.time(findings.duration))", ""]
        lines += overview
        lines += ["", entry("codes", codes), entry("tokens", tokens), entry("/certificate.sha256", told)]
        for certificate in findings.certificates { lines += ["", "certificate"] + section(of: certificate) }
        for found in findings.ways {
            let section = section(of: found)
            if !section.isEmpty { lines += ["", "\(found.way)"] + section }
        }
        let omissions = omissions
        if !omissions.isEmpty { lines += ["", "not tried"] + omissions }
        return lines.map { line in
            var line = Substring(words.clean(line))
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    private func entry(_ name: String, _ value: String, indented: Bool = false) -> String {
        let name = (indented ? "  " : "") + name
        return Printable.padded(name, to: max(Self.column, name.count + 2)) + value
    }

    // MARK: The table itself

    private var overview: [String] {
        let names = findings.versions.map(\.name)
        let width = max(14, findings.ways.map { "\($0.way)".count + 2 }.max() ?? 0)
        let cell = max(8, names.map { $0.count + 2 }.max() ?? 0)
        var lines = [
            Printable.padded("transport", to: width) + names.map { Printable.padded($0, to: cell) }.joined() + "order"
        ]
        for found in findings.ways {
            let head = Printable.padded("\(found.way)", to: width)
            guard !found.answers.isEmpty else {
                lines.append(head + Self.text(of: found.state))
                continue
            }
            let cells = findings.versions.map { version in
                let answer = found.answers.first { $0.version == version }?.answer
                return Printable.padded(answer.map(Self.cell) ?? "-", to: cell)
            }
            lines.append(head + cells.joined() + order(found))
        }
        return lines
    }

    private static func cell(_ answer: WayFindings.Answer) -> String {
        switch answer {
        case .accepted: "yes"
        case .closed(let close): TokenEvidence.isDenial(close) ? "denied" : "closed"
        case .refused: "no"
        case .notTried: "-"
        }
    }

    private static func text(of state: WayFindings.State) -> String {
        switch state {
        case .open: "open"
        case .denied(let close): "denied: \(ProbeWords.close(close))"
        case .refused(let close):
            close.isRefusal ? ProbeWords.close(close) : "refused: \(ProbeWords.close(close))"
        case .silent(let why), .closed(let why): why
        case .notTried(let why): "not tried: \(why)"
        }
    }

    private func order(_ found: WayFindings) -> String {
        switch found.order {
        case .relay(let preferred): "the relay's (it prefers \(preferred.name))"
        case .client: "the client's"
        case .unclear(let why): "unclear: \(why)"
        case nil: found.accepted.count < 2 ? "" : "not found out"
        }
    }

    private var codes: String {
        findings.generation.map { "generation \($0): \(findings.generationEvidence)" }
            ?? "of unknown generation: \(findings.generationEvidence)"
    }

    private var tokens: String {
        switch findings.tokens {
        case .notWanted: "not wanted at \(findings.path)"
        case .wanted(let evidence): "wanted at \(findings.path): \(evidence)"
        case .accepted(let without): "the one given is accepted at \(findings.path); without it, \(without)"
        case .refused(let evidence): "the one given is not accepted at \(findings.path): \(evidence)"
        case .unknown(let why): "nothing is known: \(why)"
        }
    }

    private var told: String {
        switch findings.told {
        case .fingerprint(let fingerprint):
            findings.certificates.isEmpty
                ? fingerprint
                : findings.certificates.contains { $0.facts.fingerprint == fingerprint }
                    ? "tells the certificate below" : "tells another certificate than the one below: \(fingerprint)"
        case .otherAnswer(let what): what
        case .noAnswer(let why): why
        case .notTried(let why): "not tried: \(why)"
        }
    }

    // MARK: The certificate

    private func section(of certificate: CertificateFindings) -> [String] {
        let facts = certificate.facts
        var entries: [(String, String)] = [
            ("shown over", certificate.ways.map(\.description).joined(separator: ", ")),
            ("subject", facts.subject.isEmpty ? "none" : facts.subject),
            ("issuer", facts.isSelfSigned ? "itself" : facts.issuer),
            ("names", facts.names.isEmpty ? "none" : facts.names.joined(separator: ", ")),
            (
                "valid",
                "\(ProbeWords.date(facts.notBefore)) to \(ProbeWords.date(facts.notAfter))\(remaining(facts.notAfter))"
            ),
            ("key", facts.key), ("SHA-256", facts.fingerprint),
            (certificate.isAccepted ? "accepted" : "refused", certificate.judgement),
        ]
        if let verification = certificate.verification {
            entries.append((verification.isGood ? "verifies" : "does not verify", verification.words))
        }
        return entries.map { entry($0.0, $0.1, indented: true) }
    }

    private func remaining(_ end: Int) -> String {
        let left = end - unixTime
        if left < 0 { return ", expired" }
        return left < 2 * 86_400 ? ", \(left / 3_600) more hours" : ", \(left / 86_400) more days"
    }

    // MARK: One way

    private func section(of found: WayFindings) -> [String] {
        var entries: [(String, String)] = []
        if let facts = found.facts, found.state.isAnswer {
            if let version = facts.tlsVersion {
                let parts = [version, facts.cipher, facts.alpn.map { "ALPN \($0)" }].compactMap { $0 }
                entries.append(("TLS", parts.joined(separator: ", ")))
            }
            if let settings = facts.peerSettings {
                for (index, (number, value)) in settings.sorted(by: { $0.key < $1.key }).enumerated() {
                    let name = "0x\(String(number, radix: 16)) \(ProbeWords.setting(number)) = \(value)"
                    entries.append((index == 0 ? "HTTP/3 settings" : "", name))
                }
            }
            entries += limits(facts, found)
        }
        if let roundTrip = found.roundTrip { entries.append(("round trip", ProbeWords.time(roundTrip))) }
        entries += setups(found)
        entries += refusals(found)
        return entries.map { entry($0.0, $0.1, indented: true) }
    }

    private func limits(_ facts: ConnectionFacts, _ found: WayFindings) -> [(String, String)] {
        var entries: [(String, String)] = []
        if let version = facts.qmuxVersion {
            var text = "\(version)"
            if let parameters = facts.qmuxParameters {
                text += ", records up to \(ProbeWords.bytes(parameters.recordSize))"
                if let names = parameters.protocols { text += ", speaks \(names.joined(separator: ", "))" }
            }
            entries.append(("Qmux", text))
        }
        guard let limits = AnnouncedLimits(facts) else { return entries }
        let streams = "\(limits.streamsBidirectional) two-way, \(limits.streamsUnidirectional) one-way at first"
        entries.append(("streams", streams))
        entries.append(("windows", windows(limits)))
        entries.append(("idle timeout", limits.idleTimeout == .zero ? "none" : ProbeWords.time(limits.idleTimeout)))
        let fits = found.datagramSize.map { ", of moq-lite up to \($0) bytes at first" } ?? ""
        let datagrams = "frames up to \(limits.datagramFrame) bytes\(fits)"
        entries.append(("datagrams", limits.datagramFrame == 0 ? "none" : datagrams))
        if let quic = facts.peerParameters {
            entries.append(
                ("packets", "up to \(quic.maximumUDPPayload) bytes of UDP, \(quic.activeConnectionIDs) connection ids"))
        }
        return entries
    }

    private func windows(_ limits: AnnouncedLimits) -> String {
        let all = "\(ProbeWords.bytes(limits.connection)) in all"
        let stream = ProbeWords.bytes(limits.streamOfClient)
        if limits.streamOfRelay == limits.streamOfClient, limits.streamUnidirectional == limits.streamOfClient {
            return "\(all), \(stream) a stream"
        }
        return
            "\(all), \(stream) a two-way stream (\(ProbeWords.bytes(limits.streamOfRelay)) where the relay opens it), "
            + "\(ProbeWords.bytes(limits.streamUnidirectional)) a one-way stream"
    }

    /// What the relay says at the beginning of a session, once for the versions on which it is the same.
    private func setups(_ found: WayFindings) -> [(String, String)] {
        var said: [(message: String, text: String, versions: [String])] = []
        func add(_ message: String, _ text: String, _ version: Version) {
            if let index = said.firstIndex(where: { $0.message == message && $0.text == text }) {
                said[index].versions.append(version.name)
            } else {
                said.append((message, text, [version.name]))
            }
        }
        for (version, setup) in found.setups {
            let text = setup.parameters.sorted { $0.id < $1.id }.map { ProbeWords.parameter($0) }
                .map { "\($0.name) \($0.value)" }.joined(separator: ", ")
            add(Setup.messageName, text.isEmpty ? "no parameters" : text, version)
        }
        if let exchange = found.exchange {
            let text = exchange.map { ProbeWords.parameter($0) }.map { "\($0.name) \($0.value)" }
                .joined(separator: ", ")
            for version in found.accepted where version.usesSetupExchange {
                add(ServerSetup.messageName, text.isEmpty ? "no parameters" : text, version)
            }
        }
        for (version, hop, count) in found.announcements {
            let broadcasts = count == 1 ? "1 broadcast" : "\(count) broadcasts"
            add(
                version.hasAnnounceOK ? "ANNOUNCE_OK" : "ANNOUNCE_INIT",
                hop.map { "hop \($0), \(broadcasts)" } ?? broadcasts, version)
        }
        return said.map { ("\($0.message) \($0.versions.joined(separator: " "))", $0.text) }
    }

    /// Why versions are not spoken, each reason once.
    private func refusals(_ found: WayFindings) -> [(String, String)] {
        var reasons: [(text: String, versions: [String])] = []
        for entry in found.answers {
            let text: String
            switch entry.answer {
            case .accepted, .notTried: continue
            case .closed(let close): text = ProbeWords.close(close)
            case .refused(let why): text = why
            }
            if let index = reasons.firstIndex(where: { $0.text == text }) {
                reasons[index].versions.append(entry.version.name)
            } else {
                reasons.append((text, [entry.version.name]))
            }
        }
        return reasons.map { ("not \($0.versions.joined(separator: ", "))", $0.text) }
    }

    private var omissions: [String] {
        var reasons: [(reason: String, what: [String])] = []
        // What the table above says is not said again.
        let said = findings.ways.map { "\($0.way)" }
        for omission in findings.omissions where !said.contains(omission.what) {
            if let index = reasons.firstIndex(where: { $0.reason == omission.reason }) {
                reasons[index].what.append(omission.what)
            } else {
                reasons.append((omission.reason, [omission.what]))
            }
        }
        return reasons.map { "  \($0.what.joined(separator: ", ")): \($0.reason)" }
    }
}

extension SessionClose {
    /// Whether its description says already that it is a refusal.
    fileprivate var isRefusal: Bool {
        switch cause {
        case .refused, .certificateRefused: true
        default: false
        }
    }
}
