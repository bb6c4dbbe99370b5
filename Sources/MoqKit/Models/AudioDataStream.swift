import MoqBase

/// `AudioDataStream`: the samples of an audio track for an application that reads them itself. Shares its subscription with
/// a player of the same track.
public final class AudioDataStream {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case open, ended, failed, closed
    }

    /// Where it stands.
    public private(set) var state = State.open
    /// The timestamps of the chunks that wait to be read, in microseconds.
    public private(set) var waiting: [Int64] = []
    /// How many chunks came out of the decoder.
    public private(set) var decoded = 0
    /// How many nobody read in time.
    public private(set) var lost = 0
    /// How many were read.
    public private(set) var read = 0
    private var track: MediaTrackModel?
    private let object: String
    private let port: ModelPort
    private let isRead: Bool

    /// Each of its two stages keeps the newest three.
    static let chunksKept = 3

    init(
        _ object: String, _ rendition: Rendition, hubs: MediaHubs, isRead: Bool, as platform: KitPlatform,
        port: ModelPort
    ) throws(ModelError) {
        self.object = object
        self.port = port
        self.isRead = isRead
        guard rendition.sampleRate != 0, rendition.channels != 0 else {
            port.step(
                "audio-data-stream", object, "init", ["track": "known", "format": "zero", "codec": "supported"],
                to: "rejected")
            throw ModelError(.invalidAudioFormat, "sampleRate and channels must be positive", on: platform)
        }
        guard rendition.isPlayable else {
            port.step(
                "audio-data-stream", object, "init", ["track": "known", "format": "valid", "codec": "unsupported"],
                to: "rejected")
            throw ModelError(.unsupportedCodec, "Unsupported audio codec: \(rendition.codec)", on: platform)
        }
        port.step(
            "audio-data-stream", object, "init", ["track": "known", "format": "valid", "codec": "supported"], to: "open"
        )
        track = hubs.subscribe(
            rendition, maximumAge: .milliseconds(100), object: "\(object)/media",
            onFrame: { [weak self] in self?.take($0) }, onEnd: { [weak self] in self?.finish($0) })
    }

    private func take(_ frame: MediaFrame) {
        guard state == .open else { return }
        decoded += 1
        waiting.append(frame.timestamp)
        let isLate = !isRead && waiting.count > Self.chunksKept
        move(to: .open, by: "chunk", ["kept": .flag(!isLate)])
        if isRead {
            read += waiting.count
            waiting = []
        } else if isLate {
            // A slow reader loses the oldest.
            waiting.removeFirst()
            lost += 1
        }
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("audio-data-stream", object, input, values, to: next.rawValue)
        state = next
    }

    private func finish(_ end: UpstreamEnd) {
        guard state == .open else { return }
        track = nil
        if end.text == nil {
            move(to: .ended, by: "upstream.ended")
        } else {
            move(to: .failed, by: "upstream.failed", ["code": .number(end.code)])
        }
    }

    /// `close()`.
    public func close() {
        guard state == .open else { return }
        move(to: .closed, by: "close")
        track?.close()
        track = nil
    }
}
