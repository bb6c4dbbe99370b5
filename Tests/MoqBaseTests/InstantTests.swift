import Testing

@testable import MoqBase

@Suite struct InstantTests {
    @Test func durationsOfAnyLengthAreToldInNanoseconds() {
        // Up to nine seconds there is a short way.
        let around = [0, 1, 999_999_999, 9_223_372_036, 9_223_372_037, 10_000_000_000, 7_200_000_000_000] as [Int64]
        for nanoseconds in around {
            #expect(Duration.nanoseconds(nanoseconds).wholeNanoseconds == nanoseconds)
            #expect(Duration.nanoseconds(-nanoseconds).wholeNanoseconds == -nanoseconds)
            let fraction = Duration(secondsComponent: 0, attosecondsComponent: 999_999_999)
            #expect((Duration.nanoseconds(nanoseconds) + fraction).wholeNanoseconds == nanoseconds)
        }
        #expect(Duration.seconds(Int64.max / 1000).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min / 1000).wholeNanoseconds == .min + 1)
    }

    @Test func anInstantMovesByWholeNanosecondsAndNeverBeyondItsEnds() {
        let instant = Instant(nanoseconds: 5_000_000_000)
        #expect(instant.advanced(by: .milliseconds(1500)) == Instant(nanoseconds: 6_500_000_000))
        #expect(instant.advanced(by: .milliseconds(-1500)) == Instant(nanoseconds: 3_500_000_000))
        #expect(instant.advanced(by: .seconds(-6)) == .origin)
        #expect(Instant.distantFuture.advanced(by: .seconds(1)) == .distantFuture)
        #expect(instant.advanced(by: .seconds(60)) == Instant(nanoseconds: 65_000_000_000))
    }
}
