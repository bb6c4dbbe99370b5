import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults towards peers that break the rules, and of what tokens and paths allow.
extension RelayFault {
    static let hostileFaults = [
        violationEndsSession, unknownStreamUnanswered, strayGroupUnanswered, frameLimitOff, malformedUnanswered,
        windowUnbounded, tokenExpiryIgnored, expiredTokenTaken, tokenScopeIgnored, badTokenAsNone, everythingPublic,
        publishRightIgnored,
    ]

    static let violationEndsSession = RelayFault(
        "violation-ends-session", "A stream that breaks the rules costs its session, where the stream would do.",
        breaks: ["wire.unknown-stream-type", "relay.isolation", "group.unknown-subscription"], in: "hostile",
        by: .events { event, scene in
            guard case .violation(_, let what, .streamRefused) = event else { return [event] }
            scene.core.refuse(scene.session, .protocolViolation, what)
            return []
        })

    static let unknownStreamUnanswered = RelayFault(
        "unknown-stream-unanswered", "A stream of an unknown type is left open without a word.",
        breaks: ["wire.unknown-stream-type"], in: "hostile",
        by: .wire { act, stream in
            guard stream.kind == .unknown || stream.kind == .incoming else { return [act] }
            switch act {
            case .reset, .stop: return []
            default: return [act]
            }
        })

    static let strayGroupUnanswered = RelayFault(
        "stray-group-unanswered", "A group for a subscription that was never made is read to its end.",
        breaks: ["group.unknown-subscription"], in: "hostile",
        by: .wire { act, stream in
            if stream.kind == .incoming, case .stop = act { [] } else { [act] }
        })

    static let malformedUnanswered = RelayFault(
        "malformed-unanswered", "A request that cannot be read is left open without a word.",
        breaks: ["wire.message-length", "wire.string-encoding"], in: "hostile",
        by: .wire { act, stream in
            guard stream.kind == .answer(.subscribe), stream.writes == 0 else { return [act] }
            switch act {
            case .reset, .stop: return []
            default: return [act]
            }
        })

    static let frameLimitOff = RelayFault(
        "frame-limit-off", "A frame may claim to be of any size.",
        breaks: ["frame.size", "relay.bounded", "frame.too-large"], in: "hostile",
        by: .session {
            $0.bounds.frameBytes = .max
            $0.bounds.incompleteFrameBytes = .max
        })

    static let windowUnbounded = RelayFault(
        "window-unbounded", "The relay keeps as much of a group as there is.",
        breaks: ["errors.lagged.code", "group.window"], in: "errors",
        by: .configuration {
            $0.limits.track.groupBytes = 1 << 40
            $0.limits.track.trackBytes = 1 << 40
            $0.limits.cacheBytes = 1 << 40
        })

    static let tokenExpiryIgnored = RelayFault(
        "token-expiry-ignored", "A session goes on when its token has expired.",
        breaks: ["token.expires", "errors.unauthorized.code"], in: "tokens", by: .core)

    static let expiredTokenTaken = RelayFault(
        "expired-token-taken", "A token that has expired is taken.",
        breaks: ["token.expired", "errors.unauthorized.code"], in: "tokens", by: .core)

    static let tokenScopeIgnored = RelayFault(
        "token-scope-ignored", "A token allows everything below its root, whatever it says.",
        breaks: ["token.publish-prefixes", "token.subscribe-prefixes", "path.scope"], in: "tokens", by: .core)

    static let badTokenAsNone = RelayFault(
        "bad-token-as-none", "A token that is no good is taken for none, where the path is open to all.",
        breaks: ["token.wrong-even-if-public", "token.signature", "errors.unauthorized.code"], in: "tokens", by: .core)

    static let everythingPublic = RelayFault(
        "everything-public", "Every path is open to all.",
        breaks: ["path.scope", "token.public-prefix", "token.missing", "errors.unauthorized.code"], in: "tokens",
        by: .configuration { $0.publicPrefix = .empty })

    static let publishRightIgnored = RelayFault(
        "publish-right-ignored", "Who may only subscribe may publish as well.",
        breaks: ["path.scope", "token.publish-prefixes", "token.no-publishing-no-request"], in: "tokens", by: .core)
}
