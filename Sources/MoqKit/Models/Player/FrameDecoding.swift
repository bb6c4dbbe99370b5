/// What stands in the place of a device's decoders.
public protocol FrameDecoding: AnyObject {
    /// A frame came, in the order of decoding: before the player sorts what it has by timestamps, and drops some of it.
    func received(_ frame: MediaFrame, of rendition: Rendition)
    /// Decodes a frame. Nil when it could be; otherwise what the decoder says.
    func decode(_ frame: MediaFrame, of rendition: Rendition) -> String?
    /// Forgets what it holds, before a keyframe.
    func flush(_ rendition: Rendition)
    /// A frame that was decoded is shown, at an instant of the monotonic clock in microseconds.
    func shown(_ frame: MediaFrame, of rendition: Rendition, at instant: Int64)
    /// Sound of these times of its track is played from that instant on.
    func heard(_ rendition: Rendition, from start: Int64, to end: Int64, at instant: Int64)
}

extension FrameDecoding {
    /// What comes is of no interest.
    public func received(_ frame: MediaFrame, of rendition: Rendition) {}
    /// What is shown is of no interest.
    public func shown(_ frame: MediaFrame, of rendition: Rendition, at instant: Int64) {}
    /// What is heard is of no interest.
    public func heard(_ rendition: Rendition, from start: Int64, to end: Int64, at instant: Int64) {}
}

/// Takes every frame for decoded, but for those that carry a mark.
public final class PassThroughDecoder: FrameDecoding {
    /// A payload that begins so does not decode.
    public static let failureMark = Array("undecodable".utf8)

    /// A decoder.
    public init() {}

    public func decode(_ frame: MediaFrame, of rendition: Rendition) -> String? {
        frame.payload.starts(with: Self.failureMark) ? "the frame cannot be decoded" : nil
    }

    public func flush(_ rendition: Rendition) {}
}
