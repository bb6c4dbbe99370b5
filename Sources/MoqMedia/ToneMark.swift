import Glibc

/// The step that a tone of the fixtures is in: it goes through eight frequencies, half a second each, for ever.
public struct ToneMark: Hashable, Sendable {
    /// The step, 0 to 7.
    public var step: Int
    /// How much of the sound is this tone, 0 to 1.
    public var strength: Double

    /// A mark of a step.
    public init(step: Int, strength: Double) {
        self.step = step
        self.strength = strength
    }

    /// The frequencies of the steps, in hertz.
    public static let frequencies = [500, 700, 900, 1100, 1300, 1500, 1700, 1900]
    /// How long a step is, in microseconds.
    public static let stepDuration: Int64 = 500_000
    /// The least part of the sound that makes a tone recognised: noise and silence stay far below.
    public static let leastStrength = 0.6
    /// The least energy of a sample on average, of a full scale of 1: below it there is silence.
    private static let leastPower = 0.000_1
    /// The most samples that are looked at: more do not tell neighbours apart any better.
    private static let greatestWindow = 2048

    /// The frequency, in hertz.
    public var frequency: Int { Self.frequencies[step] }

    /// The step that a fixture is in at a time of its own clock, in microseconds from 0 (see
    /// `MediaFile.fileTimeOfEpoch`).
    public static func step(at time: Int64) -> Int {
        Int(max(0, time) / stepDuration) % frequencies.count
    }

    /// Recognises the tone in samples of one channel, by the energy at each of the frequencies (Goertzel).
    ///
    /// - Returns: nil for silence, for noise, and where two steps share the samples about evenly.
    public static func read(_ samples: some Collection<Float>, sampleRate: Int) -> ToneMark? {
        let window = samples.prefix(greatestWindow)
        guard window.count >= 64, sampleRate > 4000 else { return nil }
        let energy = window.reduce(0.0) { $0 + Double($1) * Double($1) }
        guard energy.isFinite, energy / Double(window.count) >= leastPower else { return nil }
        // All frequencies side by side.
        var coefficients = SIMD8<Double>()
        for (step, frequency) in frequencies.enumerated() {
            coefficients[step] = 2 * cos(2 * Double.pi * Double(frequency) / Double(sampleRate))
        }
        var previous = SIMD8<Double>()
        var beforePrevious = SIMD8<Double>()
        for sample in window {
            let now = Double(sample) + coefficients * previous - beforePrevious
            beforePrevious = previous
            previous = now
        }
        let powers =
            previous * previous + beforePrevious * beforePrevious - coefficients * previous * beforePrevious
        var best = ToneMark(step: 0, strength: 0)
        for step in frequencies.indices {
            // A pure tone has half the window's count times its energy.
            let strength = min(1, 2 * powers[step] / (energy * Double(window.count)))
            if strength > best.strength { best = ToneMark(step: step, strength: strength) }
        }
        return best.strength >= leastStrength ? best : nil
    }
}
