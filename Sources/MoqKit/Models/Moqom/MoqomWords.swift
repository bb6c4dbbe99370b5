// The words of MoqomKit: rights, roles, kinds of media, and why something ends.

/// A right that somebody has in a room.
public enum MoqomGrant: String, CaseIterable, Hashable, Sendable {
    /// May start broadcasts.
    case publish
    /// May mute, remove and invite others.
    case moderate
}

/// As what somebody joins a room: the rights that they begin with.
public enum MoqomRole: String, CaseIterable, Hashable, Sendable {
    case host, speaker, audience

    /// The rights that they begin with.
    public var grants: [MoqomGrant] {
        switch self {
        case .host: [.publish, .moderate]
        case .speaker: [.publish]
        case .audience: []
        }
    }
}

/// What a broadcast carries.
public enum MoqomMedium: String, CaseIterable, Hashable, Sendable {
    case audio, video
}

/// Whom a force-mute is for. Whoever moderates is never muted by force.
public enum MoqomAudience: String, CaseIterable, Hashable, Sendable {
    case none, audience, everyone
}

/// How somebody left a room by what they said themselves.
public enum MoqomLeave: String, CaseIterable, Hashable, Sendable {
    case left, evicted
}

/// Why a session is over for good.
public enum MoqomTerminal: Hashable, Sendable {
    /// Removed by a moderator.
    case moderated(code: String)
    /// The host ended the room.
    case hostEnded
    /// The network did not return in time, or never came up.
    case networkFailure
    /// The token lapsed and could not be renewed.
    case tokenExpired

    /// Its name.
    public var reason: String {
        switch self {
        case .moderated: "moderated"
        case .hostEnded: "hostEnded"
        case .networkFailure: "networkFailure"
        case .tokenExpired: "tokenExpired"
        }
    }

    /// The code that can be shown, where there is one.
    public var code: String? {
        if case .moderated(let code) = self { code } else { nil }
    }
}

/// Why a call is turned down.
public struct MoqomError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, in the words of scenarios.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        case alreadyConnected = "already_connected"
        case alreadyClosed = "already_closed"
        case connectionFailed = "connection_failed"
        case notConnected = "not_connected"
        case alreadyJoined = "already_joined"
        case notInRoom = "not_in_room"
        case unknownParticipant = "unknown_participant"
        case notGranted = "not_granted"
        case notOpen = "not_open"
        case notPrepared = "not_prepared"
        case alreadyStarted = "already_started"
        case stageLocked = "stage_locked"
    }

    /// Why.
    public var reason: Reason
    /// For people.
    public var text: String

    /// An error of its parts.
    public init(_ reason: Reason, _ text: String) {
        self.reason = reason
        self.text = text
    }

    /// `not_granted: ana may not moderate`.
    public var description: String { "\(reason.rawValue): \(text)" }
}
