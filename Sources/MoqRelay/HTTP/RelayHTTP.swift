import MoqBase
import MoqTransport
import MoqWire

/// One HTTP/1.1 connection to the relay: one request, one answer.
///
/// - `GET /certificate.sha256`: the fingerprint of the leaf certificate, in hexadecimal digits.
/// - `GET /announced` and `/announced/PREFIX`: the broadcasts below a prefix, one a line, relative to it.
/// - `GET /fetch/BROADCAST/TRACK?group=N` (or `latest`, the default): the frames of one group, one behind the other.
/// - `GET /health`: `ok`.
public final class RelayHTTP: ByteStreamMachine {
    /// How long a client may take to send its request: one packet and its retransmissions.
    static let requestWait = Duration.seconds(10)
    /// How long a group may take to be complete: as the original relay.
    static let fetchWait = Duration.seconds(30)

    private enum State {
        case reading(HTTPRequestParser, until: Instant)
        case fetching(RelayFetch, until: Instant)
        case upgrading(HTTPRequest, rest: [UInt8])
        case answering([UInt8])
        case finished
    }

    private let core: RelayCore
    private let fingerprint: String?
    private let upgrades: Bool
    private var state: State

    /// Serves a connection that was accepted at `now`. `fingerprint` is nil when the relay has no certificate. With
    /// `upgrades` a request for WebSocket is left to the owner.
    public init(core: RelayCore, fingerprint: String?, upgrades: Bool = false, at now: Instant) {
        self.core = core
        self.upgrades = upgrades
        self.fingerprint = fingerprint
        state = .reading(HTTPRequestParser(), until: now.advanced(by: Self.requestWait))
    }

    public func receive(_ bytes: [UInt8], at now: Instant) {
        guard case .reading(var parser, let until) = state else { return }
        switch parser.take(bytes) {
        case .incomplete: state = .reading(parser, until: until)
        case .refused(let status, let reason): answer(.text(status, reason))
        case .request(let request) where upgrades && request.wantsWebSocket:
            state = .upgrading(request, rest: parser.rest)
        case .request(let request): serve(request, at: now)
        }
    }

    /// The request that wants to go on as WebSocket, and what came behind it. Its owner takes over from here, or
    /// answers.
    var upgrade: (request: HTTPRequest, rest: [UInt8])? {
        if case .upgrading(let request, let rest) = state { (request, rest) } else { nil }
    }

    /// Lets go of what is under way; nothing is said any more.
    func cancel(at now: Instant) {
        if case .fetching(let fetch, _) = state { fetch.cancel(at: now) }
        state = .finished
    }

    public func receiveEnd(failure: String?, at now: Instant) {
        switch state {
        case .reading, .upgrading:
            state = .finished
        case .fetching(let fetch, _):
            // A client that has only closed its sending side still wants the answer.
            guard failure != nil else { return }
            fetch.cancel(at: now)
            state = .finished
        case .answering, .finished:
            if failure != nil { state = .finished }
        }
    }

    public func transmit(at now: Instant) -> [UInt8]? {
        lookAtFetch(at: now)
        guard case .answering(let bytes) = state else { return nil }
        state = .finished
        return bytes
    }

    public var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    public var deadline: Instant? {
        switch state {
        case .reading(_, let until), .fetching(_, let until): until
        case .upgrading, .answering, .finished: nil
        }
    }

    public func advance(to now: Instant) {
        switch state {
        case .reading(_, let until) where until <= now:
            answer(.text(408, "the request did not come within \(Self.requestWait)"))
        case .fetching(let fetch, let until) where until <= now:
            lookAtFetch(at: now)
            guard case .fetching = state else { return }
            fetch.cancel(at: now)
            answer(.text(504, "the group was not complete within \(Self.fetchWait)"))
        default:
            break
        }
    }

    // MARK: Inside

    func answer(_ response: HTTPResponse) {
        state = .answering(response.bytes)
    }

    private func serve(_ request: HTTPRequest, at now: Instant) {
        guard let path = try? BroadcastPath(request.path) else {
            return answer(.text(400, "a path has at most \(WireLimits.pathParts) parts"))
        }
        let parts = path.parts
        switch parts.first {
        case "certificate.sha256" where parts.count == 1:
            guard let fingerprint else { return answer(.text(404, "this relay has no certificate")) }
            answer(.text(200, core.isBroken(by: .fingerprintOfNothing) ? String(fingerprint.reversed()) : fingerprint))
        case "health" where parts.count == 1:
            answer(.text(200, "ok"))
        case "announced":
            list(under: below(path, "announced"), request, at: now)
        case "fetch" where parts.count >= 3:
            fetch(below(path, "fetch"), request, at: now)
        default:
            answer(.text(notFound, "nothing is served at /\(path)"))
        }
    }

    private func below(_ path: BroadcastPath, _ first: String) -> BroadcastPath {
        (try? BroadcastPath(first)).flatMap { path.suffix(after: $0) } ?? .empty
    }

    private func grant(at path: BroadcastPath, _ request: HTTPRequest, _ now: Instant) -> PathGrant? {
        TokenPolicy(core.configuration).admission(at: path, token: request.value(of: "jwt"), now)?.grant
    }

    private func list(under prefix: BroadcastPath, _ request: HTTPRequest, at now: Instant) {
        guard let grant = grant(at: prefix, request, now) else {
            return answer(.text(404, "\(prefix) is not open to all"))
        }
        let paths = core.announced(under: core.isBroken(by: .listOfEverything) ? .empty : prefix).filter { path in
            grant.subscribe.contains { $0.isPrefix(of: path) }
        }
        answer(HTTPResponse(status: 200, body: Array(paths.map { "\($0)\n" }.joined().utf8)))
    }

    private func fetch(_ path: BroadcastPath, _ request: HTTPRequest, at now: Instant) {
        guard let name = path.parts.last,
            let broadcast = try? BroadcastPath(path.parts.dropLast().joined(separator: "/"))
        else { return answer(.text(404, "no track is named")) }
        let which: RelayFetch.Which
        switch request.value(of: "group") {
        case nil, "latest": which = .latest
        case _? where core.isBroken(by: .groupNumberIgnored): which = .latest
        case let text?:
            guard let number = UInt64(text), number <= VarInt.maximum else {
                return answer(.text(400, "group is a number or latest"))
            }
            which = .number(number)
        }
        guard grant(at: broadcast, request, now)?.full(.empty, to: .subscribe) != nil,
            let fetch = core.fetch(which, of: TrackName(name), at: broadcast, now: now)
        else { return answer(.text(notFound, "nothing is announced at \(broadcast)")) }
        state = .fetching(fetch, until: now.advanced(by: Self.fetchWait))
        lookAtFetch(at: now)
    }

    /// The status of what is not there.
    private var notFound: Int { core.isBroken(by: .everythingFound) ? 200 : 404 }

    private func lookAtFetch(at now: Instant) {
        guard case .fetching(let fetch, _) = state else { return }
        let response: HTTPResponse
        switch fetch.state {
        case .waiting: return
        case .ready(let bytes):
            response = HTTPResponse(status: 200, contentType: "application/octet-stream", body: bytes)
        case .notFound: response = .text(notFound, "there is no such track or group")
        case .failed(let reason): response = .text(502, reason)
        }
        fetch.cancel(at: now)
        answer(response)
    }
}
