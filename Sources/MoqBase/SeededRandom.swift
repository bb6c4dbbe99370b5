/// A reproducible sequence of random numbers (SplitMix64): the same seed gives the same numbers on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to `seed`.
    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A number in `0 ..< 1`.
    public mutating func fraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// True with the given probability (0 never, 1 always).
    public mutating func chance(_ probability: Double) -> Bool {
        fraction() < probability
    }

    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var result = [UInt8]()
        result.reserveCapacity(count)
        while result.count < count {
            var word = next()
            for _ in 0..<min(8, count - result.count) {
                result.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return result
    }

    /// An independent sequence for a part of the run, so that one part drawing more numbers does not shift another's.
    public func forked(_ label: String) -> SeededRandom {
        SeededRandom(seed: Self.mix(state ^ StableHash.of(label)))
    }

    static func mix(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A hash that is the same in every process, unlike `Hasher` (64-bit FNV-1a).
public enum StableHash {
    /// The hash of `bytes`.
    public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return hash
    }

    /// The hash of the UTF-8 bytes of `text`.
    public static func of(_ text: String) -> UInt64 {
        of(text.utf8)
    }
}
