import MoqBase
import MoqDial
import MoqQUIC
import MoqTransport
import MoqWire

// The certificate: what the relay tells of it, what stands in it, and how it is judged.

extension RelayProbe {
    /// Asks for the fingerprint as clients of `http://` URLs do, which tells also whether anybody listens on TCP.
    func askForFingerprint() throws(ProbeError) {
        guard request.trustsToldFingerprint || request.ways.contains(where: { !$0.kind.usesDatagrams }) else { return }
        let fetch = HTTPFetch(
            authority: Route.authority(of: request.url), path: HTTPFetch.fingerprintPath, at: driver.now,
            wait: min(request.connectTimeout, request.timeout))
        findings.connections += 1
        do {
            try driver.connect(fetch, to: request.address)
        } catch {
            throw .environment("a socket could not be had: \(error)")
        }
        let end = min(limit, driver.now.advanced(by: request.connectTimeout))
        while fetch.result == nil, driver.now < end, !isCutShort() { try turn(until: end) }
        fetch.advance(to: driver.now)
        driver.unbind(fetch)
        switch fetch.result {
        case nil:
            findings.told = .noAnswer(stop ?? "no answer came")
        case .failure(.connection(let why)):
            let isClosed = Visit.tellsClosedPort(why)
            findings.told = .noAnswer(isClosed ? "nobody listens at its TCP port" : why)
            if isClosed { blocked.append(("TCP", "nobody listens at its TCP port (asked over HTTP)")) }
        case .failure(.timeout(let why)):
            findings.told = .noAnswer(why)
        default:
            do {
                let fingerprint = try fetch.fingerprint()
                findings.told = .fingerprint(fingerprint)
                try pin(fingerprint)
            } catch let error as HTTPFetchError {
                findings.told = .otherAnswer(error.description)
            } catch {
                throw .environment("\(error)")
            }
        }
    }

    private func pin(_ fingerprint: String) throws(ProbeError) {
        guard request.trustsToldFingerprint else { return }
        do {
            credentials = try DialCredentials(trust: .pinned([fingerprint]))
        } catch {
            throw .environment(error.description)
        }
    }

    /// Takes in a certificate that was shown.
    func note(_ facts: CertificateFacts, _ way: ProbeWay, _ ending: Visit.Ending) {
        if let index = findings.certificates.firstIndex(where: { $0.facts.fingerprint == facts.fingerprint }) {
            if !findings.certificates[index].ways.contains(way) { findings.certificates[index].ways.append(way) }
            return
        }
        var refusal: String?
        if case .refused(let close) = ending, close.cause == .certificateRefused { refusal = Self.reason(close) }
        findings.certificates.append(
            CertificateFindings(
                facts: facts, ways: [way], isAccepted: refusal == nil, judgement: refusal ?? approval))
    }

    /// Why a certificate was refused, without its fingerprint, which is told beside it.
    private static func reason(_ close: SessionClose) -> String {
        close.reason.firstRange(of: "; its SHA-256").map { String(close.reason[..<$0.lowerBound]) } ?? close.reason
    }

    /// Why a certificate was accepted.
    private var approval: String {
        switch credentials.trust {
        case .systemRoots: "verified for \(request.url.host) by the system's authorities"
        case .roots(let files): "verified for \(request.url.host) by \(files.joined(separator: ", "))"
        case .pinned where request.trustsToldFingerprint: "its fingerprint is the one that the relay tells over HTTP"
        case .pinned: "its fingerprint is the one that was given (--fingerprint)"
        case .insecure: "not judged (--insecure)"
        }
    }

    /// Looks at a certificate that was refused: one connection that trusts nobody and brings no token.
    func readCertificate(_ way: ProbeWay, _ knock: Visit.Result, _ close: SessionClose) throws(ProbeError) {
        guard knock.facts.peerCertificate == nil, stop == nil, findings.certificates.isEmpty,
            let anybody = try? DialCredentials(trust: .insecure)
        else { return }
        let look = try visit(way, request.versions, credentials: anybody, path: request.tokenlessPath, asks: false)
        guard let facts = look.facts.peerCertificate else { return }
        note(facts, way, .refused(close))
    }

    /// Finds out whether a certificate that was pinned, or not judged, verifies for the host by the usual authorities.
    func verifyCertificate() throws(ProbeError) {
        guard let verifier = request.verifier else { return }
        switch credentials.trust {
        case .systemRoots, .roots: return
        case .pinned, .insecure: break
        }
        for index in findings.certificates.indices where findings.certificates[index].isAccepted {
            guard let way = findings.certificates[index].ways.first else { continue }
            if let stop { return omit("whether the certificate verifies", stop) }
            let versions = findings.way(way).map { $0.accepted.isEmpty ? request.versions : $0.accepted }
            let result = try visit(
                way, Array((versions ?? request.versions).prefix(1)), credentials: verifier,
                path: request.tokenlessPath, asks: false)
            switch result.ending {
            case .refused(let close) where close.cause == .certificateRefused:
                findings.certificates[index].verification = .init(isGood: false, words: Self.reason(close))
            case .accepted, .closed, .refused:
                findings.certificates[index].verification = .init(
                    isGood: true, words: "verified for \(request.url.host) by the system's authorities")
            case .silent, .closedPort:
                break
            }
        }
    }
}
