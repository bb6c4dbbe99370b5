import MoqBase
import MoqDial
import MoqDrivers
import MoqQUIC
import MoqTransport
import MoqWire

/// Asks a relay what it is, one connection after another.
///
/// For each way: all versions at once, the newest first; the others alone, one by one; all at once again, the oldest
/// first. Where nobody listens or nobody answers, what runs over the same network is not tried.
public final class RelayProbe {
    /// How long the last farewells may take to leave: they fit into one packet each.
    private static let farewell = Duration.milliseconds(50)
    /// How long it may go unnoticed that the probe is to stop.
    static let attention = Duration.milliseconds(100)

    let request: ProbeRequest
    let driver: any Driver
    let isCutShort: () -> Bool
    let begin: Instant
    let limit: Instant
    var findings: ProbeFindings
    /// How certificates are judged: as the request says, or by the fingerprint that the relay tells.
    var credentials: DialCredentials
    /// Why a network is not tried any more, by its name.
    var blocked: [(network: String, reason: String)] = []
    /// The numbers with which subscriptions were refused.
    private var numbers: [(version: Version, number: UInt64)] = []
    private var hasSubscribed = false

    /// A probe on a driver that nobody else turns meanwhile.
    public init(_ request: ProbeRequest, on driver: any Driver, isCutShort: @escaping () -> Bool = { false }) {
        self.request = request
        self.driver = driver
        self.isCutShort = isCutShort
        begin = driver.now
        limit = driver.now.advanced(by: request.timeout)
        credentials = request.credentials
        findings = ProbeFindings(
            url: request.url.description, host: request.url.host, address: request.address, path: request.url.path,
            versions: request.versions)
    }

    /// Probes; turns the crank until all is done, at the latest when the request's time is over.
    public func run() throws(ProbeError) -> ProbeFindings {
        try askForFingerprint()
        for way in request.ways { try explore(way) }
        try verifyCertificate()
        try judgeTokens()
        concludeCodes()
        listOmissions()
        let end = driver.now.advanced(by: Self.farewell)
        while driver.now < end { try turn(until: end) }
        findings.duration = begin.duration(to: driver.now)
        return findings
    }

    // MARK: One way

    /// Why nothing more is tried at all; nil when there is time.
    var stop: String? {
        if isCutShort() { return "the probe was interrupted" }
        return driver.now < limit ? nil : "the time of the probe was over (--timeout)"
    }

    private func explore(_ way: ProbeWay) throws(ProbeError) {
        if let stop { return findings.ways.append(WayFindings(way, .notTried(stop))) }
        if let block = blocked.first(where: { $0.network == way.network }) {
            return findings.ways.append(WayFindings(way, .notTried(block.reason)))
        }
        let versions = request.versions
        let knock = try visit(way, versions)
        var found = WayFindings(way, .open)
        absorb(knock, into: &found)
        var first: Version?
        switch knock.ending {
        case .silent:
            found.state = .silent(stop ?? "nobody answered within \(request.connectTimeout.words)")
            if stop == nil { block(way, "nobody answers at its \(way.network) port (asked over \(way))") }
        case .closedPort:
            found.state = .closed("nobody listens at its \(way.network) port")
            block(way, "nobody listens at its \(way.network) port (asked over \(way))")
        case .refused(let close):
            found.state = TokenEvidence.isDenial(close) ? .denied(close) : .refused(close)
            if close.cause == .certificateRefused { try readCertificate(way, knock, close) }
        case .accepted(let version):
            first = version
            found.answers.append((version, .accepted))
        case .closed(let version, let close):
            first = version
            found.answers.append((version, .closed(close)))
        }
        if let first {
            found.offers.append(WayFindings.Offer(offered: versions, picked: first))
            try askAlone(way, &found)
            try askInOppositeOrder(way, &found)
        }
        findings.ways.append(found)
    }

    private func block(_ way: ProbeWay, _ reason: String) {
        blocked.append((way.network, reason))
    }

    /// Asks for each version by itself that is not known to be spoken.
    private func askAlone(_ way: ProbeWay, _ found: inout WayFindings) throws(ProbeError) {
        for version in request.versions where !found.answers.contains(where: { $0.version == version }) {
            if let stop {
                found.answers.append((version, .notTried(stop)))
                continue
            }
            let result = try visit(way, [version])
            absorb(result, into: &found)
            let answer: WayFindings.Answer =
                switch result.ending {
                case .accepted: .accepted
                case .closed(_, let close): .closed(close)
                case .refused(let close) where TokenEvidence.isDenial(close): .closed(close)
                case .refused(let close): .refused(ProbeWords.close(close))
                case .silent: stop.map { .notTried($0) } ?? .refused("nobody answered")
                case .closedPort: .refused("nobody listens any more")
                }
            found.answers.append((version, answer))
        }
        found.answers.sort { $0.version > $1.version }
    }

    /// Learns whose order decides: what is picked when the least wanted comes first.
    private func askInOppositeOrder(_ way: ProbeWay, _ found: inout WayFindings) throws(ProbeError) {
        let spoken = found.answers.filter { $0.answer.isOfRelay }.map(\.version)
        guard spoken.count > 1, stop == nil, let first = found.offers.first?.picked else { return }
        let offered = Array(request.versions.reversed())
        let result = try visit(way, offered)
        absorb(result, into: &found)
        var second: Version?
        switch result.ending {
        case .accepted(let version), .closed(let version, _): second = version
        case .refused, .silent, .closedPort: break
        }
        found.offers.append(WayFindings.Offer(offered: offered, picked: second))
        guard let second else { return }
        if first == second {
            found.order = .relay(prefers: first)
        } else if first == spoken.first, second == spoken.last {
            found.order = .client
        } else {
            found.order = .unclear("it picked \(first.name) of the newest first, \(second.name) of the oldest first")
        }
    }

    // MARK: Visits

    /// Visits the relay. The first session that can asks for a broadcast that nobody announces.
    func visit(
        _ way: ProbeWay, _ versions: [Version], credentials: DialCredentials? = nil, path: String? = nil,
        asks: Bool = true
    ) throws(ProbeError) -> Visit.Result {
        let url = request.url
        let route = Route(
            kind: way.kind, isSecure: way.isSecure, address: request.address, serverName: url.host,
            authority: Route.authority(of: url), requestPath: path ?? request.requestPath,
            credentials: credentials ?? self.credentials)
        let visit = Visit(
            wish: Visit.Wish(
                route: route, versions: versions, asks: asks, subscribes: asks && path == nil && !hasSubscribed),
            driver: driver, connectTimeout: request.connectTimeout, limit: limit, keyLog: request.keyLog,
            random: SeededRandom(seed: request.seed).forked("visit \(findings.connections)"), isCutShort: isCutShort)
        findings.connections += 1
        let result = try visit.make()
        if result.hasHeard { findings.hasHeard = true }
        // A session that was closed at once was not heard.
        if result.hasSubscribed, case .accepted = result.ending { hasSubscribed = true }
        if let number = result.refusalCode, let version = result.version { numbers.append((version, number)) }
        return result
    }

    private func absorb(_ result: Visit.Result, into found: inout WayFindings) {
        // The first session tells what lies beneath; later ones agree on nothing else but the version.
        if found.facts == nil { found.facts = result.facts }
        if let new = result.roundTrip { found.roundTrip = min(new, found.roundTrip ?? new) }
        if found.datagramSize == nil { found.datagramSize = result.datagramSize }
        if found.exchange == nil { found.exchange = result.exchange }
        if let version = result.version {
            if let setup = result.setup, !found.setups.contains(where: { $0.version == version }) {
                found.setups.append((version, setup))
            }
            if let answer = result.announcement, !found.announcements.contains(where: { $0.version == version }) {
                found.announcements.append((version, version.hasAnnounceOK ? answer.hop : nil, answer.count))
            }
        }
        if let facts = result.facts.peerCertificate { note(facts, found.way, result.ending) }
    }

    func turn(until end: Instant) throws(ProbeError) {
        do {
            try driver.turn(until: min(end, driver.now.advanced(by: Self.attention)))
        } catch {
            throw .environment("the sockets failed: \(error)")
        }
    }

    // MARK: Conclusions

    private func concludeCodes() {
        if hasSubscribed {
            (findings.generation, findings.generationEvidence) = CodeGeneration.concluded(from: numbers)
        } else if findings.ways.contains(where: { !$0.answers.isEmpty }) {
            findings.generationEvidence = "no session stayed open long enough to ask"
        }
    }

    private func listOmissions() {
        for way in ProbeWay.all where !request.ways.contains(way) {
            omit("\(way)", "not asked for (--transport)")
        }
        for found in findings.ways {
            if case .notTried(let reason) = found.state { omit("\(found.way)", reason) }
            for entry in found.answers {
                guard case .notTried(let reason) = entry.answer else { continue }
                omit("\(entry.version.name) over \(found.way)", reason)
            }
            if found.order == nil, found.accepted.count > 1, let stop {
                omit("whose order decides over \(found.way)", stop)
            }
        }
        let left = Version.allCases.filter { !request.versions.contains($0) }
        for version in left {
            omit(
                version.name,
                version.isReleased ? "not asked for (--moq-version)" : "not frozen; --moq-version names it")
        }
        if case .notTried(let reason) = findings.told { omit("GET /certificate.sha256", reason) }
    }

    func omit(_ what: String, _ reason: String) {
        findings.omissions.append(ProbeFindings.Omission(what: what, reason: reason))
    }
}

extension Visit.Result {
    /// The version that was agreed on.
    var version: Version? {
        switch ending {
        case .accepted(let version), .closed(let version, _): version
        case .refused, .silent, .closedPort: nil
        }
    }
}

extension Duration {
    /// `250 ms` or `2 s`.
    var words: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
