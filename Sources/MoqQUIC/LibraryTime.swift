import MoqBase

/// The instants of ngtcp2: nanoseconds, where a few fields take 0 for "never".
enum LibraryTime {
    /// Keeps the origin of a driver's clock away from 0.
    private static let offset: UInt64 = 1_000_000_000

    static func of(_ instant: Instant) -> UInt64 {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(offset)
        return overflow ? .max - 1 : sum
    }

    /// Nil for "never".
    static func instant(_ time: UInt64) -> Instant? {
        time == .max ? nil : Instant(nanoseconds: time > offset ? time - offset : 0)
    }
}
