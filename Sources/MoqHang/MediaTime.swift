/// Times in units of a timescale.
enum MediaTime {
    /// Units to microseconds, cut to the whole one.
    static func microseconds(_ units: Int, timescale: Int) throws(ContainerError) -> Int {
        try convert(units, from: timescale, to: 1_000_000, adding: 0)
    }

    /// Microseconds to units, to the nearest one.
    static func units(_ microseconds: Int, timescale: Int) throws(ContainerError) -> Int {
        try convert(microseconds, from: 1_000_000, to: timescale, adding: 500_000)
    }

    private static func convert(
        _ value: Int, from: Int, to: Int, adding half: UInt
    ) throws(ContainerError) -> Int {
        guard value >= 0, from > 0, to > 0 else {
            throw .timeOutOfRange("\(value) units at a timescale of \(from)")
        }
        let divisor = UInt(from)
        let product = UInt(value).multipliedFullWidth(by: UInt(to))
        let (low, carry) = product.low.addingReportingOverflow(half)
        let high = product.high + (carry ? 1 : 0)
        guard high < divisor else { throw .timeOutOfRange("\(value) units at a timescale of \(from)") }
        let quotient = divisor.dividingFullWidth((high, low)).quotient
        guard quotient <= UInt(MediaFrame.greatestTimestamp) else {
            throw .timeOutOfRange("\(value) units at a timescale of \(from)")
        }
        return Int(quotient)
    }
}
