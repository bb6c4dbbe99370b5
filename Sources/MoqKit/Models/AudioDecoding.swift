/// Decoded sound, before it is put into the form that the application asked for.
public struct AudioSamples: Hashable, Sendable {
    /// When the first sample is heard, in microseconds.
    public var timestamp: Int64
    /// Samples a second.
    public var sampleRate: Int
    /// Channels.
    public var channelCount: Int
    /// The samples of each moment one after the other, at a full scale of 1.
    public var interleaved: [Float]

    /// Samples of their parts.
    public init(timestamp: Int64, sampleRate: Int, channelCount: Int, interleaved: [Float]) {
        self.timestamp = timestamp
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.interleaved = interleaved
    }
}

/// What stands in the place of a device's decoder of sound for an `AudioDataStream`.
public protocol AudioDecoding: AnyObject {
    /// Why no decoder can be had for a rendition; nil when there is one.
    func problem(with rendition: Rendition) -> String?
    /// Decodes a frame: what came out, and what the decoder says when it could not.
    func decode(_ frame: MediaFrame, of rendition: Rendition) -> (samples: [AudioSamples], problem: String?)
}

/// Takes every frame for decoded, but for those that carry the mark of `PassThroughDecoder`, to a chunk without samples.
public final class UndecodedAudio: AudioDecoding {
    private let decoder = PassThroughDecoder()

    /// A decoder.
    public init() {}

    public func problem(with rendition: Rendition) -> String? { nil }

    public func decode(_ frame: MediaFrame, of rendition: Rendition) -> (samples: [AudioSamples], problem: String?) {
        if let problem = decoder.decode(frame, of: rendition) { return ([], problem) }
        let nothing = AudioSamples(
            timestamp: frame.timestamp, sampleRate: rendition.sampleRate ?? 0, channelCount: rendition.channels ?? 0,
            interleaved: [])
        return ([nothing], nil)
    }
}
