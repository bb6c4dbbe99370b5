/// A point in time on the clock of one driver, real or simulated.
///
/// Instants of two drivers cannot be compared in any useful way: the origin is whatever the driver chose.
public struct Instant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// Nanoseconds since the driver's origin.
    public var nanoseconds: UInt64

    /// Makes an instant `nanoseconds` after the driver's origin.
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The driver's origin.
    public static let origin = Instant(nanoseconds: 0)

    /// An instant that no run reaches.
    public static let distantFuture = Instant(nanoseconds: .max)

    public func advanced(by duration: Duration) -> Instant {
        let delta = duration.wholeNanoseconds
        if delta >= 0 {
            let (sum, overflow) = nanoseconds.addingReportingOverflow(UInt64(delta))
            return overflow ? .distantFuture : Instant(nanoseconds: sum)
        }
        let (difference, underflow) = nanoseconds.subtractingReportingOverflow(UInt64(-delta))
        return underflow ? .origin : Instant(nanoseconds: difference)
    }

    public func duration(to other: Instant) -> Duration {
        other.nanoseconds >= nanoseconds
            ? .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds))
            : .nanoseconds(-Int64(clamping: nanoseconds - other.nanoseconds))
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    public var description: String {
        let micro = nanoseconds / 1000
        let fraction = String(micro % 1_000_000)
        return "\(micro / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)s"
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to what fits.
    public var wholeNanoseconds: Int64 {
        // What nine seconds of attoseconds fit into needs no division of 128 bits.
        if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min + 1 : .max }
        let (sum, second) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return second ? (seconds < 0 ? .min + 1 : .max) : sum
    }

    /// The duration in milliseconds, with fraction.
    public var milliseconds: Double {
        Double(wholeNanoseconds) / 1_000_000
    }

    /// The duration in seconds, with fraction.
    public var inSeconds: Double {
        Double(wholeNanoseconds) / 1_000_000_000
    }
}

extension Optional where Wrapped == Instant {
    /// The earlier of two deadlines, either of which may be absent.
    public static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
        switch (left, right) {
        case (let left?, let right?): min(left, right)
        case (let left?, nil): left
        case (nil, let right): right
        }
    }
}
