/// A picture that came out of a decoder.
public struct DecodedPicture: Hashable, Sendable {
    /// When it is shown, in microseconds.
    public var presentation: Int64
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// The number that it carries, when it is a readable picture of the fixtures.
    public var mark: PictureMark?
}

/// Sound that came out of a decoder.
public struct DecodedSound: Hashable, Sendable {
    /// When its first sample is heard, in microseconds.
    public var presentation: Int64
    /// Samples a second.
    public var sampleRate: Int
    /// Channels that were coded.
    public var channelCount: Int
    /// The samples, all channels mixed into one, at a full scale of 1.
    public var samples: [Float]
    /// The samples of each moment one after the other, channel by channel, at a full scale of 1.
    public var interleaved: [Float]
    /// The tone, when it is one of the fixtures. It is looked for at each call.
    public var mark: ToneMark? { ToneMark.read(samples, sampleRate: sampleRate) }
}

/// What a decoder made of one packet.
public struct DecodeResult: Equatable, Sendable {
    /// Pictures, in the order of showing. Those that are reordered come with a later packet.
    public var pictures: [DecodedPicture] = []
    /// Sound.
    public var sounds: [DecodedSound] = []
    /// What did not decode: of this packet, or of one before it whose picture only comes now. The decoder goes on.
    public var fault: MediaError?

    /// Nothing.
    public init() {}
}
