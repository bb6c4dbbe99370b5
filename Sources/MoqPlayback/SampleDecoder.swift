import MoqKit
import MoqMedia

/// The decoder behind an `AudioDataStream`: that of a player, for one track of sound.
public final class SampleDecoder: AudioDecoding {
    private let decoder = RenditionDecoder()
    private var sounds: [DecodedSound] = []

    /// A decoder of nothing yet.
    public init() {
        decoder.onDecoded = { [weak self] in self?.sounds += $1.sounds }
    }

    public func problem(with rendition: MoqKit.Rendition) -> String? { RenditionDecoder.problem(with: rendition) }

    public func decode(
        _ frame: MoqKit.MediaFrame, of rendition: MoqKit.Rendition
    ) -> (samples: [AudioSamples], problem: String?) {
        sounds = []
        decoder.received(frame, of: rendition)
        let samples = sounds.map {
            AudioSamples(
                timestamp: $0.presentation, sampleRate: $0.sampleRate, channelCount: $0.channelCount,
                interleaved: $0.interleaved)
        }
        return (samples, decoder.decode(frame, of: rendition))
    }
}
