import Foundation
import MoqBase
import Testing

@testable import MoqWire

extension WireVector {
    func wireVersion() throws -> Version {
        try #require(Version(name: version), "\(self) is of an unknown version")
    }

    /// The message that the fields describe.
    func wireMessage() throws -> any WireMessage {
        switch messageName {
        case "SETUP": return try setup()
        case "ANNOUNCE_REQUEST":
            return AnnounceRequest(
                prefix: try path("prefix"), excludeHop: optional("exclude_hop") ?? 0,
                includesHidden: optional("hidden") != 0)
        case "CLIENT_SETUP":
            let versions = try #require(fields["versions"] as? [String])
            return ClientSetup(versions: try versions.map { try #require(Version(name: $0)).setupCode })
        case "SERVER_SETUP":
            return ServerSetup(version: try #require(Version(name: try text("selected"))).setupCode)
        case "SESSION_INFO": return SessionInfo(bitrate: try number("bitrate").unlessZero)
        case "ANNOUNCE_INIT":
            return AnnounceInit(
                suffixes: try #require(fields["suffixes"] as? [String]).map { try BroadcastPath($0) })
        case "AUTH": return Auth(token: try text("token"))
        case "ANNOUNCE_OK": return AnnounceOK(hop: try number("hop_id"), activeCount: try number("active_count"))
        case "ANNOUNCE", "ANNOUNCE_BROADCAST", "ANNOUNCE_START", "ANNOUNCE_END", "ANNOUNCE_UPDATE",
            "ANNOUNCE unknown type":
            return try announcement()
        case "SUBSCRIBE":
            return Subscribe(
                id: try number("id"), broadcast: try path("broadcast"), track: TrackName(try text("track")),
                options: try options())
        case "SUBSCRIBE_UPDATE": return SubscribeUpdate(options: try options())
        case "SUBSCRIBE_OK" where fields.isEmpty: return SubscribeAnswer.ok(SubscribeOptions())
        case "SUBSCRIBE_OK" where optional("group") == nil: return SubscribeAnswer.ok(try options())
        case "SUBSCRIBE_OK":
            let largest = numbers("largest")
            return SubscribeAnswer.start(
                group: try number("group"),
                largest: largest.isEmpty ? nil : TrackPosition(group: largest[0], frame: largest[1]))
        case "SUBSCRIBE_END":
            return SubscribeAnswer.end(group: try number("group"), streams: optional("streams") ?? 0)
        case "SUBSCRIBE_DROP":
            return SubscribeAnswer.drop(start: try number("start"), end: try number("end"), code: try number("error"))
        case "TRACK": return TrackRequest(broadcast: try path("broadcast"), track: TrackName(try text("track")))
        case "TRACK_INFO":
            return TrackInfo(
                priority: UInt8(try number("priority")), ordered: optional("ordered") == 1, maxAge: try maxAge(),
                timescale: try number("timescale"))
        case "GROUP": return try groupHeader()
        case "FETCH":
            return Fetch(
                broadcast: try path("broadcast"), track: TrackName(try text("track")),
                priority: UInt8(try number("priority")), group: try number("group"),
                frameStart: optional("frame_start") ?? 0, frameEnd: optional("frame_end"))
        case "PROBE":
            return Probe(
                bitrate: try number("bitrate").unlessZero, roundTrip: (optional("rtt_ms") ?? 0).unlessZero)
        case "GOAWAY": return Goaway(uri: try text("uri"))
        default:
            Issue.record("nobody checks \(self)")
            return Goaway(uri: "")
        }
    }

    func groupHeader() throws -> GroupHeader {
        GroupHeader(
            subscribeID: try number("subscribe_id"), sequence: try number("sequence"),
            frameStart: optional("frame_start") ?? 0)
    }

    func frames() throws -> [Frame] {
        try #require(fields["frames"] as? [[String: Any]]).map { frame in
            Frame(
                timestamp: (frame["timestamp"] as? NSNumber)?.uint64Value,
                payload: Array(try #require(frame["payload"] as? String).utf8))
        }
    }

    private func path(_ name: String) throws -> BroadcastPath {
        try BroadcastPath(try text(name))
    }

    // An age of null is "no limit" where the field is there.
    private func maxAge() throws -> UInt64 {
        let name = fields.keys.contains("max_latency_ms") ? "max_latency_ms" : "max_age_ms"
        guard fields.keys.contains(name) else { return 0 }
        return fields[name] is NSNull ? WireLimits.unlimitedAge : try number(name)
    }

    private func options() throws -> SubscribeOptions {
        SubscribeOptions(
            priority: UInt8(try number("priority")), ordered: optional("ordered") == 1, maxAge: try maxAge(),
            groupStart: optional("group_start").flatMap(\.unlessZero) ?? optional("start"),
            groupEnd: optional("group_end") ?? optional("end"), frameStart: optional("frame_start") ?? 0,
            frameEnd: optional("frame_end"))
    }

    private func announcement() throws -> Announcement {
        let hops = try HopList(numbers("hops"))
        func cost() throws -> RouteCost {
            RouteCost(warm: try number("warm_cost"), cold: try number("cold_cost"))
        }
        switch (messageName, fields["status"] as? String) {
        case (_, "active"): return .active(try path("suffix"), hops: hops)
        case (_, "ended"): return .ended(try path("suffix"))
        case (_, "restart"): return .restart(try path("suffix"), hops: hops)
        case ("ANNOUNCE_START", _): return .start(try path("suffix"), hops: hops, cost: try cost())
        case ("ANNOUNCE_END", _): return .end(id: try number("announce_id"))
        case ("ANNOUNCE_UPDATE", _): return .update(id: try number("announce_id"), hops: hops, cost: try cost())
        default:
            return .unknown(type: try number("type"), body: try Self.hexadecimal(fields["body"]))
        }
    }

    private func setup() throws -> Setup {
        if let listed = fields["params"] as? [[Any]] {
            return Setup(
                parameters: try listed.map { entry in
                    let number = (entry[1] as? NSNumber)?.uint64Value ?? 0
                    switch try #require(entry[0] as? String) {
                    case "probe": return .probe(number)
                    case "path": return .path(try #require(entry[1] as? String))
                    case "role": return .role(number)
                    case "cost": return .cost(number)
                    default: return .hop(number)
                    }
                })
        }
        var setup = Setup(parameters: [])
        if let probe = optional("probe") { setup.parameters.append(.probe(probe)) }
        if let path = fields["path"] as? String { setup.parameters.append(.path(path)) }
        if let role = optional("role") { setup.parameters.append(.role(role)) }
        if let cost = optional("cost") { setup.parameters.append(.cost(cost)) }
        if let hop = optional("origin") { setup.parameters.append(.hop(hop)) }
        for entry in fields["unknown"] as? [[Any]] ?? [] {
            setup.parameters.append(
                .unknown(
                    id: try #require(entry[0] as? NSNumber).uint64Value,
                    bytes: try Self.hexadecimal(entry[1])))
        }
        return setup
    }
}

extension UInt64 {
    fileprivate var unlessZero: UInt64? { self == 0 ? nil : self }
}
