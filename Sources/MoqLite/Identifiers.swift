import MoqTransport

/// What identifies a request that this side made, for the life of the session.
public protocol RequestIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Counted from 0 in the order of the requests.
    var rawValue: UInt64 { get }
}

extension RequestIdentifier {
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What identifies something that lives on one stream of the session.
public protocol StreamIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The stream. Its number is never used twice in a session.
    var stream: StreamID { get }
}

extension StreamIdentifier {
    public static func < (left: Self, right: Self) -> Bool { left.stream < right.stream }
}

/// A request for announcements that this side made.
public struct AnnounceRequestID: RequestIdentifier {
    public let rawValue: UInt64
    /// The identifier with a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public var description: String { "announce request \(rawValue)" }
}

/// A subscription that this side made; `rawValue` is the subscribe id on the wire.
public struct SubscriptionID: RequestIdentifier {
    public let rawValue: UInt64
    /// The identifier with a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public var description: String { "subscription \(rawValue)" }
}

/// A question for a track's properties that this side asked (versions 05 and later).
public struct TrackRequestID: RequestIdentifier {
    public let rawValue: UInt64
    /// The identifier with a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public var description: String { "track request \(rawValue)" }
}

/// A fetch that this side made (versions 05 and later).
public struct FetchID: RequestIdentifier {
    public let rawValue: UInt64
    /// The identifier with a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public var description: String { "fetch \(rawValue)" }
}

/// The peer's request for announcements.
public struct IncomingAnnounceID: StreamIdentifier {
    public let stream: StreamID
    /// The identifier on a stream.
    public init(stream: StreamID) { self.stream = stream }
    public var description: String { "announce request on \(stream)" }
}

/// A subscription of the peer.
public struct IncomingSubscriptionID: StreamIdentifier {
    public let stream: StreamID
    /// The identifier on a stream.
    public init(stream: StreamID) { self.stream = stream }
    public var description: String { "subscription on \(stream)" }
}

/// The peer's question for a track's properties.
public struct IncomingTrackID: StreamIdentifier {
    public let stream: StreamID
    /// The identifier on a stream.
    public init(stream: StreamID) { self.stream = stream }
    public var description: String { "track request on \(stream)" }
}

/// A fetch of the peer.
public struct IncomingFetchID: StreamIdentifier {
    public let stream: StreamID
    /// The identifier on a stream.
    public init(stream: StreamID) { self.stream = stream }
    public var description: String { "fetch on \(stream)" }
}

/// A group that the peer sends.
public struct IncomingGroupID: StreamIdentifier {
    public let stream: StreamID
    /// The identifier on a stream.
    public init(stream: StreamID) { self.stream = stream }
    public var description: String { "incoming group on \(stream)" }
}

/// A group that this side sends.
public struct OutgoingGroupID: StreamIdentifier {
    public let stream: StreamID
    /// The identifier on a stream.
    public init(stream: StreamID) { self.stream = stream }
    public var description: String { "outgoing group on \(stream)" }
}
