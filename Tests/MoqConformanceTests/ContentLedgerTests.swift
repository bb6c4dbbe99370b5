import MoqBase
import Testing

@testable import MoqConformance

@Suite struct FrameContentTests {
    let identity = FrameIdentity(source: 7, track: 9, group: 3, frame: 2)

    @Test(arguments: [0, 1, 47, 48, 49, 250, 251, 252, 1024, 65_536])
    func payloadHasTheSizeAskedFor(size: Int) {
        #expect(FrameContent.payload(identity, size: size).count == size)
    }

    @Test func payloadNamesItself() throws {
        let found = try #require(FrameContent.identify(FrameContent.payload(identity, size: 100)))
        #expect(found.identity == identity)
        #expect(found.size == 100)
    }

    @Test func payloadsOfDifferentFramesDiffer() {
        let other = FrameIdentity(source: 7, track: 9, group: 3, frame: 3)
        #expect(FrameContent.payload(identity, size: 16) != FrameContent.payload(other, size: 16))
        #expect(FrameContent.payload(identity, size: 500) != FrameContent.payload(other, size: 500))
    }

    @Test func damagedHeaderIsNotOurs() {
        for index in 0..<FrameContent.selfDescribingSize {
            var payload = FrameContent.payload(identity, size: 64)
            payload[index] ^= 1
            #expect(FrameContent.identify(payload) == nil, "byte \(index)")
        }
    }

    @Test func shortPayloadIsNotRead() {
        #expect(FrameContent.identify(Array(repeating: 0, count: 47)) == nil)
    }
}

@Suite struct ContentLedgerTests {
    var ledger = ContentLedger(caseID: "case", seed: 1)

    private mutating func send(_ group: UInt64, _ count: Int, size: Int = 100, track: String = "video", source: UInt64)
        -> [[UInt8]]
    {
        (0..<count).map { _ in
            ledger.generate(source: source, broadcast: "game", track: track, group: group, size: size, timestamp: nil)
        }
    }

    private func wrong(_ match: ContentLedger.Match) -> String? {
        if case .wrong(let text) = match { text } else { nil }
    }

    @Test mutating func framesAreRecognisedInTheirPlaces() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        let sent = send(0, 3, source: source)
        for (index, payload) in sent.enumerated() {
            #expect(wrong(ledger.match(payload, broadcast: "game", track: "video", group: 0, frame: index)) == nil)
        }
    }

    @Test mutating func reorderedFrameIsToldApart() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        let sent = send(0, 3, source: source)
        let text = wrong(ledger.match(sent[2], broadcast: "game", track: "video", group: 0, frame: 1))
        #expect(text == "another frame of the track: group 0 frame 2, sent by camera")
    }

    @Test mutating func doubledFrameIsToldApart() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        let sent = send(0, 2, source: source)
        #expect(wrong(ledger.match(sent[0], broadcast: "game", track: "video", group: 0, frame: 1)) != nil)
    }

    @Test mutating func staleFrameOfAnotherGroupIsToldApart() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        let old = send(0, 1, source: source)
        _ = send(1, 1, source: source)
        let text = wrong(ledger.match(old[0], broadcast: "game", track: "video", group: 1, frame: 0))
        #expect(text == "another frame of the track: group 0 frame 0, sent by camera")
    }

    @Test mutating func frameOfAnotherTrackIsToldApart() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        _ = send(0, 1, source: source)
        let audio = send(0, 1, track: "audio", source: source)
        let text = wrong(ledger.match(audio[0], broadcast: "game", track: "video", group: 0, frame: 0))
        #expect(text == "a frame of another track: group 0 frame 0 of audio of game, sent by camera")
    }

    @Test mutating func foreignFrameIsToldApart() {
        var other = ContentLedger(caseID: "another", seed: 1)
        let foreign = other.generate(
            source: other.source(actor: "camera", incarnation: 0), broadcast: "game", track: "video", group: 0,
            size: 100,
            timestamp: nil)
        _ = send(0, 1, source: ledger.source(actor: "camera", incarnation: 0))
        let text = wrong(ledger.match(foreign, broadcast: "game", track: "video", group: 0, frame: 0))
        #expect(text == "a frame of another case or run (group 0 frame 0)")
    }

    @Test mutating func tornFrameIsToldApart() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        let sent = send(0, 1, source: source)
        let text = wrong(ledger.match(Array(sent[0].dropLast()), broadcast: "game", track: "video", group: 0, frame: 0))
        #expect(text == "99 of the 100 bytes of group 0 frame 0, sent by camera: it is torn")
    }

    @Test mutating func damagedByteIsSeen() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        var payload = send(0, 1, source: source)[0]
        payload[99] ^= 1
        #expect(wrong(ledger.match(payload, broadcast: "game", track: "video", group: 0, frame: 0)) != nil)
    }

    @Test mutating func damagedShortFrameIsSeen() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        var payload = send(0, 1, size: 4, source: source)[0]
        payload[0] ^= 1
        let text = wrong(ledger.match(payload, broadcast: "game", track: "video", group: 0, frame: 0))
        #expect(text == "4 bytes whose content is not what was sent")
    }

    @Test mutating func groupThatEndsEarlyIsTorn() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        _ = send(0, 3, source: source)
        ledger.finish(source: source, broadcast: "game", track: "video", group: 0)
        #expect(mismatch([source], frames: 2) == "group 0 ended cleanly after 2 of 3 frames: it is torn")
        #expect(mismatch([source], frames: 3) == nil)
    }

    @Test mutating func groupThatItsPublisherHasNotFinishedMustNotEndCleanly() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        _ = send(0, 2, source: source)
        #expect(mismatch([source], frames: 2) == "group 0 ended cleanly, and its publisher has not finished it")
    }

    @Test mutating func groupOfTwoPublishersIsSeen() {
        let one = ledger.source(actor: "camera", incarnation: 0)
        let two = ledger.source(actor: "camera", incarnation: 1)
        #expect(mismatch([one, two], frames: 2) == "group 0 mixes frames of 2 publishers")
    }

    @Test mutating func emptyGroupIsWholeOnlyIfItWasSentEmpty() {
        let source = ledger.source(actor: "camera", incarnation: 0)
        ledger.finish(source: source, broadcast: "game", track: "video", group: 0)
        #expect(mismatch([], frames: 0) == nil)
        _ = send(0, 1, source: source)
        #expect(mismatch([], frames: 0) != nil)
    }

    private func mismatch(_ sources: Set<UInt64>, frames: Int) -> String? {
        ledger.mismatch(
            ofFinished: 0, broadcast: "game", track: "video", sources: sources, frames: frames, firstFrame: 0)
    }
}
