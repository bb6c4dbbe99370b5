import MoqTransport

/// What a stream of a session is for.
public enum StreamPurpose: Hashable, Sendable, CustomStringConvertible {
    /// The peer opened it and has not said its type yet.
    case undetermined
    /// The setup exchange of 01 and 02, and SESSION_INFO behind it; lives as long as the session.
    case session
    /// This side's SETUP (05 and later).
    case setup
    /// The peer's SETUP (05 and later).
    case incomingSetup
    case announceRequest(AnnounceRequestID)
    case incomingAnnounce(IncomingAnnounceID)
    case subscription(SubscriptionID)
    case incomingSubscription(IncomingSubscriptionID)
    case incomingGroup(IncomingGroupID)
    case outgoingGroup(OutgoingGroupID)
    case trackRequest(TrackRequestID)
    case incomingTrack(IncomingTrackID)
    case fetch(FetchID)
    case incomingFetch(IncomingFetchID)
    /// Measurements that the peer sends.
    case probe
    /// Measurements that this side sends.
    case incomingProbe
    case goaway
    case incomingGoaway
    /// The owner writes on it what it likes (`openRawStream`).
    case raw

    public var description: String {
        switch self {
        case .undetermined: "a stream without a type"
        case .session: "the session's stream"
        case .setup: "our SETUP"
        case .incomingSetup: "the peer's SETUP"
        case .announceRequest(let id): "our \(id)"
        case .incomingAnnounce(let id): "the peer's \(id)"
        case .subscription(let id): "our \(id)"
        case .incomingSubscription(let id): "the peer's \(id)"
        case .incomingGroup(let id): "\(id)"
        case .outgoingGroup(let id): "\(id)"
        case .trackRequest(let id): "our \(id)"
        case .incomingTrack(let id): "the peer's \(id)"
        case .fetch(let id): "our \(id)"
        case .incomingFetch(let id): "the peer's \(id)"
        case .probe: "our probe"
        case .incomingProbe: "the peer's probe"
        case .goaway: "our GOAWAY"
        case .incomingGoaway: "the peer's GOAWAY"
        case .raw: "a raw stream"
        }
    }
}
