import MoqBase
import MoqKit
import MoqMedia
import MoqScenario

/// What a camera or a microphone and its encoder give, frame by frame. Times begin at 0, in microseconds.
protocol CaptureSource: AnyObject {
    /// What the encoder is set to.
    var configuration: EncoderConfiguration { get }
    /// When the next frame leaves the encoder; nil at the end.
    var nextDue: Int64? { get }
    /// The next frame.
    func next() -> EncodedFrame?
    /// A new run of the encoder, from a keyframe.
    func restart()
    /// As many bytes that no decoder takes.
    func spoiled(_ payload: [UInt8]) -> [UInt8]
}

/// Frames of the sizes and the pace that encoders give, without anything in them that a decoder could read.
final class SyntheticSource: CaptureSource {
    let configuration: EncoderConfiguration
    private let interval: Double
    private let framesPerKey: Int
    private let usualSize: Int
    private var index = 0
    private var random: SeededRandom

    /// A keyframe is so many times larger than what stands between two.
    private static let keyframeFactor = 5

    /// A camera.
    init(camera action: CaptureAction, codec: String?, seed: UInt64) {
        configuration = EncoderConfiguration(
            kind: .video, codec: codec ?? "avc1.64001f", width: 1920, height: 1080,
            frameRate: Double(action.framesPerSecond))
        interval = 1_000_000 / Double(action.framesPerSecond)
        framesPerKey = max(1, Int((action.keyInterval.inSeconds * Double(action.framesPerSecond)).rounded()))
        let perKey = Int(Double(action.rate) * action.keyInterval.inSeconds)
        usualSize = max(Self.headSize, perKey / (framesPerKey + Self.keyframeFactor - 1))
        random = SeededRandom(seed: seed)
    }

    /// A microphone, as the platform's encoder is set: Opus on iOS, AAC on Android, one channel at 48 kHz, 128 kbit/s.
    init(microphoneOf platform: KitPlatform, codec: String?, seed: UInt64) {
        let codec = codec ?? (platform == .ios ? "opus" : "aac")
        configuration = EncoderConfiguration(kind: .audio, codec: codec, sampleRate: 48_000, channels: 1)
        interval = codec == "opus" ? 20_000 : 1024 * 1_000_000 / 48_000
        framesPerKey = 1
        usualSize = Int(128_000 / 8 * interval / 1_000_000)
        random = SeededRandom(seed: seed)
    }

    /// What an encoder is set to where nothing else is said.
    static func usual(_ kind: TrackKind, _ platform: KitPlatform, codec: String?) -> EncoderConfiguration {
        kind == .video
            ? EncoderConfiguration(
                kind: .video, codec: codec ?? "avc1.64001f", width: 1920, height: 1080, frameRate: 30)
            : EncoderConfiguration(
                kind: .audio, codec: codec ?? (platform == .ios ? "opus" : "aac"), sampleRate: 48_000, channels: 1)
    }

    func spoiled(_ payload: [UInt8]) -> [UInt8] {
        PassThroughDecoder.failureMark + payload.dropFirst(PassThroughDecoder.failureMark.count)
    }

    /// The number of the frame stands at its beginning.
    private static let headSize = 16

    var nextDue: Int64? { Int64((Double(index) * interval).rounded()) }

    func next() -> EncodedFrame? {
        let isKey = index % framesPerKey == 0
        let size = configuration.kind == .video && isKey ? usualSize * Self.keyframeFactor : usualSize
        let number = (0..<8).reversed().map { UInt8(truncatingIfNeeded: index >> ($0 * 8)) }
        let payload = number + random.bytes(max(8, size - number.count))
        defer { index += 1 }
        return EncodedFrame(time: nextDue ?? 0, isKeyframe: isKey, payload: payload)
    }

    func restart() {
        // The number goes on, so that no two frames are alike; the group of pictures begins anew.
        index += (framesPerKey - index % framesPerKey) % framesPerKey
    }
}

/// One track of a media file.
final class FileSource: CaptureSource {
    let configuration: EncoderConfiguration
    private let file: MediaFile
    private let track: Int
    private let loops: Bool
    private var reader: MediaReader
    private var upcoming: MediaPacket?
    private var newest: Int64 = 0

    /// The first track of a kind of a file.
    init(_ file: MediaFile, _ kind: TrackKind, loops: Bool, codec: String?) throws(RunnerError) {
        let wanted: MediaCodec.Kind = kind == .video ? .video : .audio
        guard let index = file.tracks.firstIndex(where: { $0.format.codec.kind == wanted }) else {
            throw .unusable("the media file has no \(kind.rawValue) track that can be published")
        }
        // The kits publish H.265 with its parameter sets in the frames.
        let file = file.tracks[index].format.codec == .h265 ? try Self.byteStream(file) : file
        let format = file.tracks[index].format
        configuration = EncoderConfiguration(
            kind: kind, codec: codec ?? format.codecString, description: format.setup.isEmpty ? nil : format.setup,
            width: format.width, height: format.height, frameRate: format.frameRate, sampleRate: format.sampleRate,
            channels: format.channelCount)
        self.file = file
        self.loops = loops
        track = index
        reader = MediaReader(file, tracks: [index], isLooping: loops)
        upcoming = reader.next()
    }

    private static func byteStream(_ file: MediaFile) throws(RunnerError) -> MediaFile {
        do throws(MediaError) {
            return try file.asByteStream()
        } catch {
            throw .unusable("\(error)")
        }
    }

    /// No codec of the fixtures begins a frame so.
    private static let spoiledByte: UInt8 = 0xA5

    func spoiled(_ payload: [UInt8]) -> [UInt8] { Array(repeating: Self.spoiledByte, count: payload.count) }

    /// A frame leaves the encoder when it was filmed, or later where others had to be filmed before it could be coded.
    var nextDue: Int64? { upcoming.map { max(0, newest, $0.presentation) } }

    func next() -> EncodedFrame? {
        guard let packet = upcoming else { return nil }
        newest = max(newest, packet.presentation)
        upcoming = reader.next()
        return EncodedFrame(time: packet.presentation, isKeyframe: packet.isKeyframe, payload: packet.payload)
    }

    func restart() {
        reader = MediaReader(file, tracks: [track], isLooping: loops)
        newest = 0
        upcoming = reader.next()
    }
}

extension MediaFile {
    /// Loads the file that a scenario names: from the working folder, or from a folder that the scenario's file is in.
    static func load(_ path: String, namedIn scenario: String) throws(RunnerError) -> MediaFile {
        var candidates = [path]
        var folder = scenario
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            candidates.append("\(folder)/\(path)")
        }
        var first: MediaError?
        for candidate in candidates {
            do throws(MediaError) {
                return try load(path: candidate)
            } catch {
                guard case .unreadable = error else { throw .unusable("\(error)") }
                first = first ?? error
            }
        }
        throw .unusable(first.map { "\($0)" } ?? "no such media file: \(path)")
    }
}
