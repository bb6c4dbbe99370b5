/// One coded frame: a picture, or a packet of audio.
public struct MediaFrame: Equatable, Sendable {
    /// The greatest timestamp that every container can carry, in microseconds (62 bits, of which Swift's `Int` has one
    /// more).
    public static let greatestTimestamp = Int(1) << 62 - 1

    /// When it is presented, in microseconds on the broadcast's clock; never negative.
    public var timestamp: Int
    /// Whether decoding can start at it.
    public var isKeyframe: Bool
    /// What the decoder takes. Empty for a marker (a discontinuity), which readers of media skip.
    public var payload: [UInt8]
    /// How long it lasts, in microseconds, where the container says so.
    public var duration: Int?
    /// When it is decoded, in microseconds, where that is another time and the container says so.
    public var decodeTimestamp: Int?

    /// A frame of its parts.
    public init(
        timestamp: Int, isKeyframe: Bool, payload: [UInt8], duration: Int? = nil, decodeTimestamp: Int? = nil
    ) {
        self.timestamp = timestamp
        self.isKeyframe = isKeyframe
        self.payload = payload
        self.duration = duration
        self.decodeTimestamp = decodeTimestamp
    }
}

/// Why a frame on the wire is not what its container says, or cannot be made.
public enum ContainerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes end, or a length says so, before the field does.
    case truncated(String)
    /// A field has a value that it must not have.
    case malformed(String)
    /// A loc frame without its timestamp.
    case missingTimestamp
    /// A time that does not fit.
    case timeOutOfRange(String)
    /// Nobody reads or writes this container.
    case unsupported(String)

    public var description: String {
        switch self {
        case .truncated(let what): "the frame ends within \(what)"
        case .malformed(let what): "the frame is malformed: \(what)"
        case .missingTimestamp: "the loc frame has no timestamp (property 0x10)"
        case .timeOutOfRange(let what): "a time does not fit: \(what)"
        case .unsupported(let what): what
        }
    }
}
