/// One coded frame of a track.
public struct MediaPacket: Hashable, Sendable {
    /// The track, as an index into the tracks of the file.
    public var track: Int
    /// When it is shown or heard, in microseconds since the epoch that all tracks of a file share.
    public var presentation: Int64
    /// When it is decoded, in microseconds on the same epoch: not after `presentation`, later with every packet of a
    /// track. Negative for the first pictures of a track whose pictures are reordered.
    public var decode: Int64
    /// How long it is shown or heard, in microseconds.
    public var duration: Int64
    /// Whether it decodes without what came before it. All sound does.
    public var isKeyframe: Bool
    /// The coded bytes.
    public var payload: [UInt8]

    /// Puts a packet together.
    public init(
        track: Int, presentation: Int64, decode: Int64, duration: Int64, isKeyframe: Bool, payload: [UInt8]
    ) {
        self.track = track
        self.presentation = presentation
        self.decode = decode
        self.duration = duration
        self.isKeyframe = isKeyframe
        self.payload = payload
    }

    /// Whether a publisher begins a group with it: keyframes of video do, and every frame of sound (moq-kit publishes
    /// one frame of sound a group).
    public var startsGroup: Bool { isKeyframe }
}
