import MoqBase

/// The type at the start of a unidirectional stream.
public enum UnidirectionalStreamType: UInt64, CaseIterable, Sendable {
    /// GROUP and frames; opened by the publisher.
    case group = 0
    /// SETUP; opened once by both sides (05 and later).
    case setup = 1

    /// The type of `number` in a version, or nil when the version does not know it.
    public init?(_ number: UInt64, version: Version) {
        guard let type = Self(rawValue: number), type.exists(in: version) else { return nil }
        self = type
    }

    /// Whether a version has such streams.
    public func exists(in version: Version) -> Bool {
        switch self {
        case .group: true
        case .setup: version.hasSetup
        }
    }
}

/// The type at the start of a bidirectional stream.
public enum BidirectionalStreamType: UInt64, CaseIterable, Sendable {
    /// ANNOUNCE_REQUEST, answered by announcements; opened by the subscriber.
    case announce = 1
    /// SUBSCRIBE and updates, answered by `SubscribeAnswer`; opened by the subscriber.
    case subscribe = 2
    /// FETCH, answered by frames; opened by the subscriber.
    case fetch = 3
    /// Nothing behind the type, answered by PROBE; opened by the subscriber.
    case probe = 4
    /// GOAWAY, not answered; opened by either side.
    case goaway = 5
    /// TRACK, answered by TRACK_INFO; opened by the subscriber.
    case track = 6

    /// The type of `number` in a version, or nil when the version does not know it.
    public init?(_ number: UInt64, version: Version) {
        guard let type = Self(rawValue: number), type.exists(in: version) else { return nil }
        self = type
    }

    /// Whether a version has such streams. Fetch streams count from 05 on, as implementations serve them.
    public func exists(in version: Version) -> Bool {
        switch self {
        case .announce, .subscribe: true
        case .fetch: version.hasFetch
        case .probe: version.hasProbe
        case .goaway: version.hasGoaway
        case .track: version.hasTrackStream
        }
    }

    /// The bytes that open such a stream, without a message behind them: all that a subscriber writes on a Probe stream.
    public var opening: [UInt8] {
        var writer = ByteWriter(capacity: 1)
        writer.varint(rawValue)
        return writer.bytes
    }
}
