import MoqBase
import MoqTransport

/// Something that a relay did and no legal relay does.
public struct MonitorBreach: Hashable, Sendable, CustomStringConvertible {
    /// Which rule was broken.
    public var rule: MonitorRule
    /// On which stream; nil for what concerns the session, and for datagrams.
    public var stream: StreamID?
    /// Where the evidence begins among the bytes that the relay sent on the stream; nil where there are no bytes.
    public var offset: UInt64?
    /// The evidence, at most `MonitorLimits.evidenceBytes`; empty where something is missing or is no matter of bytes.
    public var bytes: [UInt8]
    /// What happened, for people.
    public var explanation: String
    /// When it was noticed.
    public var instant: Instant
    /// The capability for want of which the relay is not held to the rule; nil where it is held to it.
    public var lacking: String?

    public var description: String {
        var text = "\(rule.id): \(explanation)"
        if let stream { text += ", on \(stream)" }
        if let offset { text += " at byte \(offset)" }
        if !bytes.isEmpty { text += ": \(Hexadecimal.encode(bytes))" }
        return text
    }
}
