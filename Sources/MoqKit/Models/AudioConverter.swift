/// How a sample is written, little endian.
public enum AudioSampleFormat: String, CaseIterable, Hashable, Sendable {
    /// 4 bytes, a full scale of 1.
    case float32
    /// 2 bytes; what is beyond the full scale is clamped.
    case int16

    /// How long a sample of one channel is, in bytes.
    public var size: Int { self == .float32 ? 4 : 2 }
}

/// What an `AudioDataStream` gives: PCM, the samples of each moment one after the other.
public struct AudioChunk: Hashable, Sendable {
    /// The samples, in `sampleFormat`.
    public var bytes: [UInt8]
    /// When the first sample is heard, in microseconds.
    public var timestamp: Int64
    /// Samples a second.
    public var sampleRate: Int
    /// Channels.
    public var channelCount: Int
    /// How a sample is written.
    public var sampleFormat: AudioSampleFormat
    /// Samples of each channel.
    public var frameCount: Int

    /// A chunk of its parts.
    public init(
        bytes: [UInt8], timestamp: Int64, sampleRate: Int, channelCount: Int, sampleFormat: AudioSampleFormat,
        frameCount: Int
    ) {
        (self.bytes, self.timestamp, self.sampleRate) = (bytes, timestamp, sampleRate)
        (self.channelCount, self.sampleFormat, self.frameCount) = (channelCount, sampleFormat, frameCount)
    }
}

/// Puts decoded sound into the form that the application asked for: channels first, then rate, then bytes.
public struct AudioConverter: Sendable {
    /// The form; what is nil stays as it was coded.
    public struct Output: Hashable, Sendable {
        /// How a sample is written.
        public var sampleFormat = AudioSampleFormat.float32
        /// Samples a second.
        public var sampleRate: Int?
        /// Channels.
        public var channelCount: Int?

        /// A form of its parts.
        public init(
            sampleFormat: AudioSampleFormat = .float32, sampleRate: Int? = nil, channelCount: Int? = nil
        ) {
            self.sampleFormat = sampleFormat
            self.sampleRate = sampleRate
            self.channelCount = channelCount
        }
    }

    /// The slowest track that is resampled, in samples a second: a track may say 1, and a chunk of it would be minutes.
    static let leastRate = 1000

    private let output: Output
    /// The last moment of what came before, for the line to the first of what comes.
    private var last: [Float] = []
    /// Where the next moment of the output lies, in moments of the input from the first of the next chunk: -1 or more,
    /// and 0 at the beginning.
    private var position = 0.0

    /// A converter that has seen nothing.
    public init(to output: Output) { self.output = output }

    /// Why samples cannot be put into the form; nil when they can.
    public func problem(with samples: AudioSamples) -> String? {
        guard let rate = output.sampleRate, rate != samples.sampleRate, samples.sampleRate < Self.leastRate else {
            return nil
        }
        return "\(samples.sampleRate) samples a second cannot be converted to \(rate)"
    }

    /// The next chunk.
    public mutating func convert(_ samples: AudioSamples) -> AudioChunk {
        let channels = output.channelCount ?? samples.channelCount
        let mixed = Self.remix(samples.interleaved, from: samples.channelCount, to: channels)
        let rate = output.sampleRate ?? samples.sampleRate
        var (timestamp, values) = (samples.timestamp, mixed)
        if rate != samples.sampleRate, samples.sampleRate > 0, rate > 0, !mixed.isEmpty {
            timestamp &+= Int64((position * 1_000_000 / Double(samples.sampleRate)).rounded())
            values = resample(mixed, channels, step: Double(samples.sampleRate) / Double(rate))
        }
        return AudioChunk(
            bytes: Self.bytes(values, output.sampleFormat), timestamp: timestamp, sampleRate: rate,
            channelCount: channels, sampleFormat: output.sampleFormat, frameCount: values.count / max(1, channels))
    }

    /// One channel is spread to all, and all are averaged to one; otherwise channels keep their place, and further ones
    /// are silent.
    private static func remix(_ samples: [Float], from source: Int, to target: Int) -> [Float] {
        guard source != target, source > 0, target > 0 else { return samples }
        var mixed: [Float] = []
        mixed.reserveCapacity(samples.count / source * target)
        for start in stride(from: 0, to: samples.count - source + 1, by: source) {
            let moment = samples[start..<start + source]
            let mean = moment.reduce(0, +) / Float(source)
            for channel in 0..<target {
                let isShared = source == 1 || target == 1
                mixed.append(isShared ? mean : channel < source ? samples[start + channel] : 0)
            }
        }
        return mixed
    }

    /// Moments in between lie on the line from one to the next, also from chunk to chunk.
    private mutating func resample(_ samples: [Float], _ channels: Int, step: Double) -> [Float] {
        let count = samples.count / channels
        if last.count != channels { (last, position) = (Array(repeating: 0, count: channels), max(0, position)) }
        var values: [Float] = []
        while position < Double(count - 1) {
            let before = Int(position.rounded(.down))
            let part = Float(position - Double(before))
            for channel in 0..<channels {
                let left = before < 0 ? last[channel] : samples[before * channels + channel]
                let right = samples[(before + 1) * channels + channel]
                values.append(left + (right - left) * part)
            }
            position += step
        }
        position -= Double(count)
        last = Array(samples.suffix(channels))
        return values
    }

    private static func bytes(_ samples: [Float], _ format: AudioSampleFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * format.size)
        for sample in samples {
            let bits: UInt32 =
                switch format {
                case .float32: sample.bitPattern
                case .int16: UInt32(UInt16(bitPattern: clamped(sample)))
                }
            for byte in 0..<format.size { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * byte))) }
        }
        return bytes
    }

    private static func clamped(_ sample: Float) -> Int16 {
        guard !sample.isNaN else { return 0 }
        return Int16(min(max((sample * 32_768).rounded(), -32_768), 32_767))
    }
}
