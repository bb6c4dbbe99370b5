import MoqBase

/// `AudioDataStream`: the samples of an audio track for an application that reads them itself. Shares its subscription with
/// a player of the same track.
public final class AudioDataStream {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case open, ended, failed, closed
    }

    /// What ended it.
    public struct Failure: Hashable, Sendable {
        /// Where it was.
        public enum Cause: String, CaseIterable, Hashable, Sendable {
            /// The subscription.
            case upstream
            /// The decoder, or what puts samples into the form that was asked for: there is no recovery.
            case decode
        }
        /// Where it was.
        public var cause: Cause
        /// What is thrown, in words.
        public var text: String
        /// The code of the peer, where it gave one.
        public var code: UInt64?
    }

    /// Where it stands.
    public private(set) var state = State.open
    /// The chunks that wait to be read.
    public private(set) var waiting: [AudioChunk] = []
    /// How many chunks came out of the decoder.
    public private(set) var decoded = 0
    /// How many nobody read in time.
    public private(set) var lost = 0
    /// How many were read.
    public private(set) var read = 0
    /// What ended it, where that was an error.
    public private(set) var failure: Failure?
    private var track: MediaTrackModel?
    private let object: String
    private let session: String
    private let port: ModelPort
    private let platform: KitPlatform
    private let rendition: Rendition
    private let isRead: Bool
    private let decoder: any AudioDecoding
    private var converter: AudioConverter
    private let onChunk: (AudioChunk) -> Void

    /// Each of its two stages keeps the newest three.
    static let chunksKept = 3

    init(
        _ object: String, _ rendition: Rendition, hubs: MediaHubs, isRead: Bool, decoder: any AudioDecoding,
        format: AudioConverter.Output, as platform: KitPlatform, port: ModelPort,
        onChunk: @escaping (AudioChunk) -> Void
    ) throws(ModelError) {
        self.object = object
        session = hubs.session
        self.platform = platform
        self.port = port
        self.rendition = rendition
        self.isRead = isRead
        self.decoder = decoder
        self.onChunk = onChunk
        converter = AudioConverter(to: format)
        guard rendition.sampleRate != 0, rendition.channels != 0 else {
            port.step(
                "audio-data-stream", object, of: session, "init",
                ["track": "known", "format": "zero", "codec": "supported"], to: "rejected")
            throw ModelError(.invalidAudioFormat, "sampleRate and channels must be positive", on: platform)
        }
        let problem = rendition.isPlayable ? decoder.problem(with: rendition) : rendition.codec
        if let problem {
            port.step(
                "audio-data-stream", object, of: session, "init",
                ["track": "known", "format": "valid", "codec": "unsupported"], to: "rejected")
            throw ModelError(.unsupportedCodec, "Unsupported audio codec: \(problem)", on: platform)
        }
        port.step(
            "audio-data-stream", object, of: session, "init",
            ["track": "known", "format": "valid", "codec": "supported"], to: "open")
        track = hubs.subscribe(
            rendition, maximumAge: .milliseconds(100), object: "\(object)/media",
            onFrame: { [weak self] in self?.take($0) }, onEnd: { [weak self] in self?.finish($0) })
    }

    private func take(_ frame: MediaFrame) {
        guard state == .open else { return }
        let result = decoder.decode(frame, of: rendition)
        if let problem = result.problem ?? result.samples.lazy.compactMap({ self.converter.problem(with: $0) }).first {
            let type = platform == .ios ? "audioDecoderFailed" : "IllegalStateException"
            failure = Failure(cause: .decode, text: "\(type): \(problem)")
            move(to: .failed, by: "decode.failed")
            track?.close()
            track = nil
            return
        }
        for samples in result.samples { deliver(converter.convert(samples)) }
    }

    private func deliver(_ chunk: AudioChunk) {
        decoded += 1
        waiting.append(chunk)
        let isLate = !isRead && waiting.count > Self.chunksKept
        move(to: .open, by: "chunk", ["kept": .flag(!isLate)])
        if isRead {
            read += waiting.count
            for chunk in waiting { onChunk(chunk) }
            waiting = []
        } else if isLate {
            // A slow reader loses the oldest.
            waiting.removeFirst()
            lost += 1
        }
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("audio-data-stream", object, of: session, input, values, to: next.rawValue)
        state = next
    }

    private func finish(_ end: UpstreamEnd) {
        guard state == .open else { return }
        track = nil
        guard let text = end.text else { return move(to: .ended, by: "upstream.ended") }
        failure = Failure(cause: .upstream, text: text)
        if case .code(let code) = end { failure?.code = code }
        move(to: .failed, by: "upstream.failed", ["code": .number(end.code)])
    }

    /// `close()`.
    public func close() {
        guard state == .open else { return }
        move(to: .closed, by: "close")
        track?.close()
        track = nil
    }
}
