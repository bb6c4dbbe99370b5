import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqMonitor

/// A rule with what breaks it and what is like it and legal.
struct RuleCase: CustomTestStringConvertible, Sendable {
    var rule: MonitorRule
    var version: Version
    var profile: MonitorProfile
    var kind: TransportKind
    var isSetUp: Bool
    var isShared: Bool
    var illegal: @Sendable (inout ByteScript) -> Void
    var legal: @Sendable (inout ByteScript) -> Void

    init(
        _ rule: MonitorRule, _ version: Version, profile: MonitorProfile = .deployed, kind: TransportKind = .quic,
        isSetUp: Bool = true, isShared: Bool = false, illegal: @escaping @Sendable (inout ByteScript) -> Void,
        legal: @escaping @Sendable (inout ByteScript) -> Void
    ) {
        self.rule = rule
        self.version = version
        self.profile = profile
        self.kind = kind
        self.isSetUp = isSetUp
        self.isShared = isShared
        self.illegal = illegal
        self.legal = legal
    }

    var testDescription: String { "\(rule.id) on \(version)" }

    func script(_ write: (inout ByteScript) -> Void) -> ByteScript {
        var script = ByteScript(version, kind: kind, isSetUp: isSetUp)
        script.configuration.profile = profile
        script.configuration.secrets = ["s3cret"]
        script.isShared = isShared
        write(&script)
        return script
    }
}

extension ByteScript {
    /// The client asks for announcements on stream 4.
    mutating func watch(_ prefix: String = "", excludeHop: UInt64 = 0, hidden: Bool = true) {
        let request = AnnounceRequest(prefix: path(prefix), excludeHop: excludeHop, includesHidden: hidden)
        clientSays(Self.asked(), request.stream(version))
    }

    /// The relay answers it.
    mutating func announce(ok count: UInt64? = nil, hop: UInt64 = 9, _ announcements: Announcement...) {
        var bytes: [UInt8] = []
        if let count { bytes += AnnounceOK(hop: hop, activeCount: count).bytes(version) }
        for announcement in announcements { bytes += announcement.bytes(version) }
        relaySays(Self.asked(), bytes)
    }

    /// The client subscribes on stream 4.
    mutating func subscribe(id: UInt64 = 5, on number: UInt64 = 1, _ options: SubscribeOptions = SubscribeOptions()) {
        let request = Subscribe(id: id, broadcast: path("room/a"), track: "video", options: options)
        clientSays(Self.asked(number), request.stream(version))
    }

    /// The relay answers it.
    mutating func answer(_ answers: SubscribeAnswer..., end: Bool = false) {
        relaySays(Self.asked(), answers.flatMap { $0.bytes(version) }, end: end)
    }

    /// The relay sends a group.
    mutating func group(
        _ sequence: UInt64, of id: UInt64 = 5, stream: UInt64 = 1, from frame: UInt64 = 0, frames: Int = 1,
        tail: [UInt8] = [], end: Bool = true
    ) {
        let header = GroupHeader(subscribeID: id, sequence: sequence, frameStart: frame).stream(version)
        let one: [UInt8] = version.hasFrameTimestamps ? [2, 2, 0xAA, 0xBB] : [2, 0xAA, 0xBB]
        let body = (0..<frames).flatMap { _ in one }
        relaySays(Self.group(stream), header + body + tail, end: end)
    }

    /// The relay asks what the client has, and the client announces `room/a`.
    mutating func clientPublishes(excludeHop: UInt64 = 0) {
        relaySays(Self.relayAsks(), AnnounceRequest(excludeHop: excludeHop).stream(version))
        var bytes: [UInt8] = []
        if version.hasAnnounceInit { bytes += AnnounceInit(suffixes: [path("room/a")]).bytes(version) }
        if version.hasAnnounceOK { bytes += AnnounceOK(hop: 77, activeCount: 1).bytes(version) }
        if version.hasAnnounceIDs {
            bytes += Announcement.start(path("room/a"), hops: .empty, cost: RouteCost()).bytes(version)
        } else if !version.hasAnnounceInit {
            bytes += Announcement.active(path("room/a"), hops: hops(77)).bytes(version)
        }
        clientSays(Self.relayAsks(), bytes)
    }
}
