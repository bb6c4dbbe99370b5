import MoqTransport
import MoqWire

/// How a request or a group ended.
public enum StreamEnd: Hashable, Sendable, CustomStringConvertible {
    /// The peer finished its half: everything has been said.
    case finished
    /// The peer reset its half.
    case reset(StreamCode)
    /// The peer asked this side to stop sending.
    case stopped(StreamCode)
    /// The peer sent what cannot be read or is not allowed here; the text says what, the condition what it is called.
    /// This side has stopped and reset the stream.
    case malformed(String, as: ErrorCondition)
    /// This side gave up before the peer had anything to end: a request withdrawn while it waited for a stream, one
    /// too many in the queue, or a group whose subscription this side had left.
    case cancelled
    /// The version of the session has no such request.
    case unsupported
    /// The session closed first; `closed` says how.
    case sessionClosed

    public var description: String {
        switch self {
        case .finished: "finished"
        case .reset(let code): "reset with \(code)"
        case .stopped(let code): "stopped with \(code)"
        case .malformed(let what, _): "malformed: \(what)"
        case .cancelled: "cancelled here"
        case .unsupported: "not part of this version"
        case .sessionClosed: "ended with the session"
        }
    }
}

/// How this side leaves a subscription.
public enum SubscriptionLeave: Hashable, Sendable {
    /// Finishes its half of the Subscribe stream: the orderly way.
    case finish
    /// Resets its half of the Subscribe stream.
    case reset(StreamCode)
}

/// What the engine did about something that the peer must not do.
public enum ViolationAction: String, Hashable, Sendable {
    /// Nothing: the offending part was skipped.
    case ignored
    /// The stream was stopped, and reset where it had a half to reset; the session goes on.
    case streamRefused
    /// The session was closed.
    case sessionClosed
}
