import MoqBase
import MoqDial
import MoqEvents
import MoqJSON
import MoqQUIC
import MoqTransport
import MoqWire

/// The findings of a probe as one JSON document (docs/results.md).
public struct ProbeDocument {
    /// The version of the document's form.
    public static let schemaVersion = 1

    private let findings: ProbeFindings
    private let words: ProbeWords
    private let moqspecVersion: String
    private let started: String

    /// The document of findings. `token` is the one that sessions brought: it is taken out of all that is written;
    /// `started` is the wall-clock time of the beginning, ISO 8601.
    public init(_ findings: ProbeFindings, token: String?, moqspecVersion: String, started: String) {
        self.findings = findings
        words = ProbeWords(token: token)
        self.moqspecVersion = moqspecVersion
        self.started = started
    }

    /// The document, indented, with a line feed at its end.
    public func bytes() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("format", "moqspec-probe")
            writer.member("schema", Self.schemaVersion)
            writer.member("moqspec", moqspecVersion)
            writer.member("started", started)
            writer.member("url", words.clean(findings.url))
            writer.member("address", "\(findings.address)")
            writer.member("path", words.clean(findings.path))
            writer.member("connections", findings.connections)
            writer.name("seconds")
            writer.value(seconds: findings.duration)
            writer.member("relay", flag: findings.isRelay)
            writer.member("versions", findings.versions.map(\.name))
            writer.name("codes")
            writer.object { writer in
                writer.member("generation", findings.generation?.rawValue ?? "unknown")
                writer.member("evidence", words.clean(findings.generationEvidence))
            }
            writeTokens(&writer)
            writeTold(&writer)
            writer.name("certificates")
            writer.array { writer in for one in findings.certificates { write(one, &writer) } }
            writer.name("transports")
            writer.array { writer in for found in findings.ways { write(found, &writer) } }
            writer.name("notTried")
            writer.array { writer in
                for omission in findings.omissions {
                    writer.object { writer in
                        writer.member("what", words.clean(omission.what))
                        writer.member("reason", words.clean(omission.reason))
                    }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func writeTokens(_ writer: inout JSONWriter) {
        let (state, detail): (String, String?) =
            switch findings.tokens {
            case .notWanted: ("not wanted", nil)
            case .wanted(let evidence): ("wanted", evidence)
            case .accepted(let without): ("accepted", without)
            case .refused(let evidence): ("refused", evidence)
            case .unknown(let why): ("unknown", why)
            }
        writer.name("authorization")
        writer.object { writer in
            writer.member("state", state)
            writer.member("detail", detail.map(words.clean))
        }
    }

    private func writeTold(_ writer: inout JSONWriter) {
        writer.name("certificateSha256")
        writer.object { writer in
            switch findings.told {
            case .fingerprint(let fingerprint): writer.member("fingerprint", fingerprint)
            case .otherAnswer(let what): writer.member("answer", words.clean(what))
            case .noAnswer(let why): writer.member("noAnswer", words.clean(why))
            case .notTried(let why): writer.member("notTried", words.clean(why))
            }
        }
    }

    private func write(_ certificate: CertificateFindings, _ writer: inout JSONWriter) {
        let facts = certificate.facts
        writer.object { writer in
            writer.member("sha256", facts.fingerprint)
            writer.member("transports", certificate.ways.map(\.description))
            writer.member("subject", words.clean(facts.subject))
            writer.member("issuer", words.clean(facts.issuer))
            writer.member("names", facts.names.map(words.clean))
            writer.member("notBefore", facts.notBefore)
            writer.member("notAfter", facts.notAfter)
            writer.member("key", facts.key)
            writer.member("accepted", flag: certificate.isAccepted)
            writer.member("judgement", words.clean(certificate.judgement))
            if let verification = certificate.verification {
                writer.member("verifies", flag: verification.isGood)
                writer.member("verification", words.clean(verification.words))
            }
        }
    }

    // MARK: One transport

    private func write(_ found: WayFindings, _ writer: inout JSONWriter) {
        let (state, detail): (String, String?) =
            switch found.state {
            case .open: ("open", nil)
            case .denied(let close): ("denied", "\(close)")
            case .refused(let close): ("refused", "\(close)")
            case .silent(let why): ("silent", why)
            case .closed(let why): ("closed", why)
            case .notTried(let why): ("not tried", why)
            }
        writer.object { writer in
            writer.member("transport", found.way.kind.rawValue)
            writer.member("tls", flag: found.way.isSecure)
            writer.member("state", state)
            writer.member("detail", detail.map(words.clean))
            writer.name("versions")
            writer.array { writer in for entry in found.answers { write(entry.version, entry.answer, found, &writer) } }
            writeOrder(found, &writer)
            guard found.state.isAnswer else { return }
            if let roundTrip = found.roundTrip {
                writer.name("roundTripSeconds")
                writer.value(seconds: roundTrip)
            }
            if let facts = found.facts { write(facts, found, &writer) }
        }
    }

    private func write(
        _ version: Version, _ answer: WayFindings.Answer, _ found: WayFindings, _ writer: inout JSONWriter
    ) {
        let (outcome, detail): (String, String?) =
            switch answer {
            case .accepted: ("accepted", nil)
            case .closed(let close): (TokenEvidence.isDenial(close) ? "denied" : "closed", "\(close)")
            case .refused(let why): ("refused", why)
            case .notTried(let why): ("not tried", why)
            }
        writer.object { writer in
            writer.member("version", version.name)
            writer.member("outcome", outcome)
            writer.member("detail", detail.map(words.clean))
            if let setup = found.setups.first(where: { $0.version == version })?.setup {
                write("setup", setup.parameters.map { ProbeWords.parameter($0) }, &writer)
            }
            if version.usesSetupExchange, let exchange = found.exchange {
                write("serverSetup", exchange.map { ProbeWords.parameter($0) }, &writer)
            }
            if let entry = found.announcements.first(where: { $0.version == version }) {
                writer.name("announcements")
                writer.object { writer in
                    if let hop = entry.hop { writer.member("hop", String(hop)) }
                    writer.member("count", entry.count)
                }
            }
        }
    }

    private func write(_ name: String, _ parameters: [(name: String, value: String)], _ writer: inout JSONWriter) {
        writer.name(name)
        writer.object { writer in
            for parameter in parameters.sorted(by: { $0.name < $1.name }) {
                writer.member(parameter.name, words.clean(parameter.value))
            }
        }
    }

    private func writeOrder(_ found: WayFindings, _ writer: inout JSONWriter) {
        writer.name("offers")
        writer.array { writer in
            for offer in found.offers {
                writer.object { writer in
                    writer.member("offered", offer.offered.map(\.name))
                    writer.member("picked", offer.picked?.name)
                }
            }
        }
        switch found.order {
        case .relay(let preferred):
            writer.member("order", "relay")
            writer.member("prefers", preferred.name)
        case .client: writer.member("order", "client")
        case .unclear: writer.member("order", "unclear")
        case nil: break
        }
    }

    private func write(_ facts: ConnectionFacts, _ found: WayFindings, _ writer: inout JSONWriter) {
        if let version = facts.tlsVersion {
            writer.name("security")
            writer.object { writer in
                writer.member("version", version)
                writer.member("cipher", facts.cipher)
                writer.member("alpn", facts.alpn.map(words.clean))
                writer.member("certificate", facts.certificateFingerprint)
            }
        }
        if let settings = facts.peerSettings {
            writer.name("http3Settings")
            writer.array { writer in
                for (number, value) in settings.sorted(by: { $0.key < $1.key }) {
                    writer.object { writer in
                        writer.member("id", "0x\(String(number, radix: 16))")
                        writer.member("name", ProbeWords.setting(number))
                        writer.member("value", String(value))
                    }
                }
            }
        }
        if let version = facts.qmuxVersion {
            writer.name("qmux")
            writer.object { writer in
                writer.member("version", version.rawValue)
                if let parameters = facts.qmuxParameters {
                    writer.member("maximumRecord", parameters.recordSize)
                    if let names = parameters.protocols { writer.member("protocols", names.map(words.clean)) }
                }
            }
        }
        guard let limits = AnnouncedLimits(facts) else { return }
        writer.name("limits")
        writer.object { writer in
            writer.member("streamsBidirectional", limits.streamsBidirectional)
            writer.member("streamsUnidirectional", limits.streamsUnidirectional)
            writer.member("connectionWindow", limits.connection)
            writer.member("clientStreamWindow", limits.streamOfClient)
            writer.member("relayStreamWindow", limits.streamOfRelay)
            writer.member("unidirectionalStreamWindow", limits.streamUnidirectional)
            writer.name("idleTimeoutSeconds")
            writer.value(seconds: limits.idleTimeout)
            writer.member("datagramFrame", limits.datagramFrame)
            if let size = found.datagramSize { writer.member("datagramPayload", size) }
            if let quic = facts.peerParameters {
                writer.member("udpPayload", quic.maximumUDPPayload)
                writer.member("connectionIDs", quic.activeConnectionIDs)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, flag: Bool) {
        self.name(name)
        value(flag)
    }
}
