/// What one side of a Qmux connection announces, and how it behaves. The defaults are those of raw QUIC.
public struct QmuxSettings: Hashable, Sendable {
    /// The wire format where nothing negotiates one: plain TCP (observed, moq-ffi 0.4: 01).
    public var version = QmuxVersion.draft01
    /// Silence after which the connection is over. Versions without pings have no such limit of their own.
    public var idleTimeout: Duration = .seconds(30)
    /// Silence after which a ping is sent, nil for never; a third of the idle timeout where that is shorter.
    public var keepAlive: Duration? = .seconds(5)
    /// How long the handshake may take, from the first turn of the crank to the peer's transport parameters.
    public var handshakeTimeout: Duration = .seconds(10)
    /// How many bidirectional streams the peer may have open at once.
    public var maximumStreamsBidirectional: UInt64 = 1024
    /// How many unidirectional streams the peer may have open at once.
    public var maximumStreamsUnidirectional: UInt64 = 1024
    /// Unread bytes that a stream may hold.
    public var streamWindow: UInt64 = 1_250_000
    /// Unread bytes that all streams may hold together.
    public var connectionWindow: UInt64 = 16 << 20
    /// Unsent bytes of a stream above which `canWrite` is false.
    public var writeBudget = 256 << 10
    /// What is wrong with this end on purpose; nil for nothing.
    public var flaw: BindingFlaw?

    /// The defaults.
    public init() {}

    /// With windows and limits that can be told to a peer.
    var clamped: QmuxSettings {
        var settings = self
        settings.streamWindow = min(streamWindow, QmuxLimits.window)
        settings.connectionWindow = min(connectionWindow, QmuxLimits.window)
        settings.maximumStreamsBidirectional = min(maximumStreamsBidirectional, QmuxLimits.streams)
        settings.maximumStreamsUnidirectional = min(maximumStreamsUnidirectional, QmuxLimits.streams)
        return settings
    }
}
