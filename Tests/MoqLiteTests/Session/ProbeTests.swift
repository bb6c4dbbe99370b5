import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqLite

@Suite struct ProbeTests {
    @Test(arguments: [Version.lite01, .lite02])
    func whereThereAreNoMeasurementsTheQuestionEndsAtOnce(_ version: Version) {
        let pair = SessionPair.established(version)
        pair.client.openProbe()
        #expect(pair.clientTold() == [.probeEnded(.unsupported)])
    }

    @Test(arguments: Version.allCases.filter(\.hasProbe))
    func measurementsAreSentOnChangeAndEveryTenSeconds(_ version: Version) {
        let pair = SessionPair.established(version)
        let roundTrip: UInt64? = version.probeHasRoundTrip ? 20 : nil
        func measured(_ rate: UInt64?) -> LiteEvent {
            .probe(Probe(bitrate: rate.map { $0 * 8 }, roundTrip: roundTrip))
        }
        pair.client.openProbe()
        #expect(pair.clientTold().isEmpty)
        #expect(pair.server.deadline == pair.now.advanced(by: .milliseconds(100)))
        pair.serverTransport.pathEstimate = PathEstimate(roundTrip: .milliseconds(20), sendRate: 1000)
        pair.advance(by: .milliseconds(99))
        #expect(pair.clientTold().isEmpty)
        pair.advance(by: .milliseconds(1))
        #expect(pair.clientTold() == [measured(1000)])
        pair.serverTransport.pathEstimate?.sendRate = 1200
        pair.advance(by: .milliseconds(100))
        #expect(pair.clientTold().isEmpty)
        pair.serverTransport.pathEstimate?.sendRate = 1300
        pair.advance(by: .milliseconds(100))
        #expect(pair.clientTold() == [measured(1300)])
        pair.advance(by: .seconds(9))
        #expect(pair.clientTold().isEmpty)
        pair.advance(by: .seconds(1))
        #expect(pair.clientTold() == [measured(1300)])
        pair.client.closeProbe()
        #expect(pair.clientTold() == [.probeEnded(.finished)])
        #expect(pair.server.deadline == nil)
        #expect(pair.openPurposes.isEmpty)
    }

    @Test func aMeasurementThatVanishedIsTakenBackOnce() {
        let pair = SessionPair.established(.lite06)
        pair.serverTransport.pathEstimate = PathEstimate(roundTrip: .zero, sendRate: 0)
        pair.client.openProbe()
        #expect(pair.clientTold() == [.probe(Probe(bitrate: 1, roundTrip: 1))])
        pair.serverTransport.pathEstimate = nil
        pair.advance(by: .milliseconds(100))
        #expect(pair.clientTold() == [.probe(Probe(bitrate: nil, roundTrip: nil))])
        pair.advance(by: .seconds(20))
        #expect(pair.clientTold().isEmpty)
    }

    @Test func aPublisherThatDoesNotMeasureIsSilentUntilTold() {
        let pair = SessionPair.established(.lite06) { configuration, _ in configuration.samplesProbe = false }
        pair.serverTransport.pathEstimate = PathEstimate(roundTrip: .milliseconds(5), sendRate: 9)
        pair.client.openProbe()
        pair.client.openProbe()
        #expect(pair.clientTold().isEmpty)
        #expect(pair.server.deadline == nil)
        pair.server.sendProbe(bitrate: 800, roundTrip: 4)
        #expect(pair.clientTold() == [.probe(Probe(bitrate: 800, roundTrip: 4))])
    }

    @Test func theSubscriberWritesNothingBehindTheType() {
        let peer = RawPeer(.lite06, sessionRole: .client)
        peer.session.openProbe()
        peer.run()
        #expect(peer.requests.map { peer.bytes(on: $0) } == ["04"])
    }

    @Test func aNarrowingThresholdLetsSmallChangesThroughLater() {
        var sampler = ProbeSampler()
        let later = Instant.origin.advanced(by: .seconds(6))
        // A quarter at once, a tenth after six seconds.
        let asked: [(UInt64, Instant)] = [(100, .origin), (124, .origin), (109, later), (111, later)]
        let sent = asked.map { rate, at in sampler.shouldSend(Probe(bitrate: rate), at: at) }
        #expect(sent == [true, false, false, true])
    }
}
