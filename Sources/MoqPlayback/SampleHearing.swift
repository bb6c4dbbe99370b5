import MoqKit
import MoqMedia

/// What an application that reads the samples of a track makes of them, chunk by chunk and from their bytes alone.
public struct SampleHearing: Sendable {
    /// How many chunks were read.
    public private(set) var chunks = 0
    /// Samples of each channel, altogether.
    public private(set) var samples = 0
    /// The newest chunk's form.
    public private(set) var sampleRate: Int?
    /// The newest chunk's form.
    public private(set) var channelCount: Int?
    /// The newest chunk's form.
    public private(set) var sampleFormat: AudioSampleFormat?
    /// The least and the most samples of a chunk.
    public private(set) var sizes: ClosedRange<Int>?
    /// How often a chunk begins later than the one before ends, by its timestamp.
    public private(set) var gaps = 0
    /// How often a chunk begins before the one before ends.
    public private(set) var overlaps = 0
    /// How many chunks do not have the bytes that their form and their count make.
    public private(set) var malformed = 0
    /// How many times the tone came to another step, the first included.
    public private(set) var tones = 0
    /// How many steps were left out between tones that follow each other.
    public private(set) var missingTones = 0
    /// The step that was heard last.
    public private(set) var tone: Int?
    private var end: Int64?

    /// Timestamps are rounded to clocks of a millisecond at worst, those of two chunks apart.
    private static let tolerance: Int64 = 2000

    /// Nothing yet.
    public init() {}

    /// Listens to the next chunk.
    public mutating func take(_ chunk: AudioChunk) {
        chunks += 1
        samples += chunk.frameCount
        sampleRate = chunk.sampleRate
        channelCount = chunk.channelCount
        sampleFormat = chunk.sampleFormat
        let known = sizes ?? chunk.frameCount...chunk.frameCount
        sizes = min(known.lowerBound, chunk.frameCount)...max(known.upperBound, chunk.frameCount)
        if let end {
            let distance = chunk.timestamp &- end
            if distance > Self.tolerance { gaps += 1 }
            if distance < -Self.tolerance { overlaps += 1 }
        }
        let length = chunk.sampleRate > 0 ? Int64(chunk.frameCount) * 1_000_000 / Int64(chunk.sampleRate) : 0
        end = chunk.timestamp &+ length
        guard chunk.bytes.count == chunk.frameCount * chunk.channelCount * chunk.sampleFormat.size else {
            malformed += 1
            return
        }
        guard let step = ToneMark.read(Self.mixed(chunk), sampleRate: chunk.sampleRate)?.step, step != tone else {
            return
        }
        let count = ToneMark.frequencies.count
        if let tone { missingTones += (step - tone - 1 + count) % count }
        tones += 1
        tone = step
    }

    /// All channels in one, at a full scale of 1.
    private static func mixed(_ chunk: AudioChunk) -> [Float] {
        let size = chunk.sampleFormat.size
        return (0..<chunk.frameCount).map { moment in
            var sum: Float = 0
            for channel in 0..<chunk.channelCount {
                let place = (moment * chunk.channelCount + channel) * size
                let bits = (0..<size).reduce(UInt32(0)) { $0 | UInt32(chunk.bytes[place + $1]) << (8 * $1) }
                switch chunk.sampleFormat {
                case .float32: sum += Float(bitPattern: bits)
                case .int16: sum += Float(Int16(truncatingIfNeeded: bits)) / 32_768
                }
            }
            return sum / Float(max(1, chunk.channelCount))
        }
    }
}
