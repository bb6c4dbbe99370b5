import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

/// A frame of eight bytes.
private func frame(_ byte: UInt8, after delta: Int64 = 1) -> TestFrame { TestFrame(byte: byte, delta: delta) }

private struct TestFrame {
    var byte: UInt8
    var delta: Int64
    var count = 8

    func bytes(_ version: Version) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        if version.hasFrameTimestamps { writer.varint(VarInt.zigzag(delta)) }
        writer.varint(UInt64(count))
        return writer.bytes + [UInt8](repeating: byte, count: count)
    }
}

extension ByteScript {
    /// Session 0 publishes `room/a`, of which the relay wants `video` and `audio`, and session 1 subscribes to `video`.
    fileprivate mutating func pass(on number: UInt64 = 1) {
        if version.hasAnnounceIDs { publish("a") } else { clientPublishes(excludeHop: version.hasExcludeHop ? 9 : 0) }
        turn(to: 1)
        subscribe(id: 5, on: number)
        let audio = Subscribe(id: 6, broadcast: path("room/a"), track: "audio")
        clientSays(Self.asked(number + 1), audio.stream(version))
        turn(to: 0)
        for (id, track) in [TrackName("video"), "audio"].enumerated() {
            if version.hasTrackStream {
                let stream = Self.relayAsks(UInt64(10 + id))
                relaySays(stream, TrackRequest(broadcast: path("room/a"), track: track).stream(version))
                clientSays(stream, TrackInfo().bytes(version), end: true)
            }
            relayAsks(id: UInt64(id), on: UInt64(1 + id), track: track)
        }
    }

    /// The publisher sends a group of a track: `video` is 0, `audio` 1.
    fileprivate mutating func send(
        _ sequence: UInt64, of id: UInt64 = 0, stream: UInt64 = 1, _ frames: TestFrame..., end: Bool = true
    ) {
        turn(to: 0)
        let header = GroupHeader(subscribeID: id, sequence: sequence).stream(version)
        clientSays(
            StreamID(rawValue: (10 + stream) << 2 | 2), frames.reduce(header) { $0 + $1.bytes(version) }, end: end)
    }

    /// The subscriber gets a group: `video` is 5, `audio` 6.
    fileprivate mutating func get(
        _ sequence: UInt64, of id: UInt64 = 5, stream: UInt64 = 1, from first: UInt64 = 0, _ frames: TestFrame...,
        end: Bool = true
    ) {
        turn(to: 1)
        let header = GroupHeader(subscribeID: id, sequence: sequence, frameStart: first).stream(version)
        relaySays(Self.group(stream), frames.reduce(header) { $0 + $1.bytes(version) }, end: end)
    }

    /// The subscriber fetches a group of `video`.
    fileprivate mutating func fetch(_ sequence: UInt64, _ frames: TestFrame..., end: Bool = true) {
        turn(to: 1)
        let request = Fetch(broadcast: path("room/a"), track: "video", priority: 0, group: sequence)
        clientSays(Self.asked(9), request.stream(version))
        relaySays(Self.asked(9), frames.flatMap { $0.bytes(version) }, end: end)
    }

    fileprivate mutating func sendDatagram(_ bytes: [UInt8]) {
        turn(to: 0)
        client(.datagram(bytes))
    }

    fileprivate mutating func getDatagram(_ bytes: [UInt8]) {
        turn(to: 1)
        relay(.datagram(bytes))
    }
}

extension RuleCase {
    private static func passing(
        _ rule: MonitorRule, _ version: Version = .lite06, illegal: @escaping @Sendable (inout ByteScript) -> Void,
        legal: @escaping @Sendable (inout ByteScript) -> Void
    ) -> RuleCase {
        RuleCase(rule, version, isShared: true) {
            $0.pass()
            illegal(&$0)
        } legal: {
            $0.pass()
            legal(&$0)
        }
    }

    /// What subscribers get, beside what publishers sent.
    static let content: [RuleCase] = live + ends + other

    private static let live: [RuleCase] = [
        passing(.frameContent) {
            $0.send(1, frame(1), frame(2))
            $0.get(1, frame(1), frame(3), end: false)
        } legal: {
            $0.send(1, frame(1), frame(2))
            $0.get(1, frame(1), frame(2))
        },
        passing(.frameOrder) {
            $0.send(1, frame(1), frame(2))
            $0.get(1, frame(2), end: false)
        } legal: {
            $0.send(1, frame(1), frame(2))
            $0.get(1, frame(1), frame(2))
        },
        passing(.nothingInvented) {
            $0.get(1, frame(1), end: false)
        } legal: {
            $0.send(1, frame(1))
            $0.get(1, frame(1))
        },
        passing(.noMixing, .lite04) {
            $0.send(1, of: 1, frame(1))
            $0.get(1, frame(1), end: false)
        } legal: {
            $0.send(1, of: 1, frame(1))
            $0.get(1, of: 6, frame(1))
        },
        passing(.independent) {
            $0.send(1, stream: 1, frame(1))
            $0.send(2, stream: 2, frame(2))
            $0.get(2, frame(1), end: false)
        } legal: {
            $0.send(1, stream: 1, frame(1), end: false)
            $0.send(2, stream: 2, frame(2))
            $0.get(1, stream: 1, frame(1), end: false)
            $0.get(2, stream: 2, frame(2))
        },
        passing(.frameTimestamp) {
            $0.send(1, frame(1), frame(2, after: 4))
            $0.get(1, frame(1), frame(2, after: 5), end: false)
        } legal: {
            $0.send(1, frame(1), frame(2, after: 4))
            $0.get(1, frame(1), frame(2, after: 4))
        },
        passing(.firstTimestamp, .lite05) {
            $0.send(1, frame(1, after: 7))
            $0.get(1, frame(1, after: 0), end: false)
        } legal: {
            $0.send(1, frame(1, after: 7))
            $0.get(1, frame(1, after: 7))
        },
        passing(.noTimestamp, .lite04) {
            $0.send(1, frame(1))
            $0.get(1, TestFrame(byte: 0, delta: 0, count: 0), frame(1), end: false)
        } legal: {
            $0.send(1, frame(1))
            $0.get(1, frame(1))
        },
        passing(.frameStart) {
            $0.send(1, frame(1), frame(2), frame(3))
            $0.get(1, from: 1, frame(3), end: false)
        } legal: {
            $0.send(1, frame(1), frame(2), frame(3))
            $0.get(1, from: 2, frame(3, after: 3))
        },
    ]

    private static let ends: [RuleCase] = [
        passing(.groupWhole) {
            $0.send(1, frame(1), frame(2))
            $0.get(1, frame(1))
        } legal: {
            $0.send(1, frame(1), frame(2))
            $0.get(1, frame(1), frame(2))
        },
        passing(.completedByLoss) {
            $0.send(1, frame(1), end: false)
            $0.client(.reset(StreamID(rawValue: 46), .code(70)))
            $0.get(1, frame(1))
        } legal: {
            $0.send(1, stream: 1, frame(1), end: false)
            $0.client(.reset(StreamID(rawValue: 46), .code(70)))
            $0.get(1, stream: 1, frame(1), end: false)
            $0.relay(.reset(ByteScript.group(), .code(70)))
            $0.send(2, stream: 2, frame(1))
            $0.get(2, stream: 2, frame(1))
        },
        passing(.passedOn) {
            $0.send(1, frame(1), end: false)
            $0.client(.reset(StreamID(rawValue: 46), .code(70)))
            $0.get(1, frame(1), end: false)
            $0.relay(.reset(ByteScript.group(), .code(71)))
        } legal: {
            $0.send(1, frame(1), end: false)
            $0.client(.reset(StreamID(rawValue: 46), .code(70)))
            $0.get(1, frame(1), end: false)
            $0.relay(.reset(ByteScript.group(), .code(70)))
        },
        passing(.noSuccess) {
            $0.client(.reset(ByteScript.relayAsks(1), .code(70)))
            $0.turn(to: 1)
            $0.answer(.start(group: 0), .end(group: 1), end: true)
        } legal: {
            $0.clientSays(ByteScript.relayAsks(1), SubscribeAnswer.end(group: 1).bytes(.lite06), end: true)
            $0.turn(to: 1)
            $0.answer(.start(group: 0), .end(group: 1), end: true)
        },
        passing(.endBefore05, .lite04) {
            $0.turn(to: 1)
            $0.answer(.ok(SubscribeOptions()), end: true)
        } legal: {
            $0.client(.finished(ByteScript.relayAsks(1)))
            $0.turn(to: 1)
            $0.answer(.ok(SubscribeOptions()), end: true)
        },
        passing(.endExclusive) {
            $0.clientSays(ByteScript.relayAsks(1), SubscribeAnswer.end(group: 1).bytes(.lite06), end: true)
            $0.turn(to: 1)
            $0.answer(.start(group: 0), .end(group: 2), end: true)
        } legal: {
            $0.clientSays(ByteScript.relayAsks(1), SubscribeAnswer.end(group: 1).bytes(.lite06), end: true)
            $0.turn(to: 1)
            $0.answer(.start(group: 0), .end(group: 1), end: true)
        },
    ]

    private static let other: [RuleCase] = [
        passing(.fetchAnswer) {
            $0.send(1, frame(1), frame(2))
            $0.fetch(1, frame(1), frame(3), end: false)
        } legal: {
            $0.send(1, frame(1), frame(2))
            $0.fetch(1, frame(1), frame(2))
        },
        passing(.fetchAnswer) {
            $0.send(1, frame(1), frame(2))
            $0.fetch(1, frame(1))
        } legal: {
            $0.send(1, frame(1), frame(2))
            $0.fetch(1, frame(1), end: false)
        },
        passing(.fetchTimestamps, .lite05) {
            $0.send(1, frame(1, after: 7))
            $0.fetch(1, frame(1, after: 0), end: false)
        } legal: {
            $0.send(1, frame(1, after: 7))
            $0.fetch(1, frame(1, after: 7))
        },
        passing(.fetchRefusal) {
            $0.fetch(1)
        } legal: {
            $0.send(1)
            $0.fetch(1)
        },
        passing(.datagramUnchanged) {
            $0.sendDatagram([0, 1, 5, 1, 2, 3])
            $0.getDatagram([5, 1, 6, 1, 2, 3])
        } legal: {
            $0.sendDatagram([0, 1, 5, 1, 2, 3])
            $0.getDatagram([5, 1, 5, 1, 2, 3])
        },
        passing(.datagramNoStream) {
            $0.send(1, frame(1))
            $0.getDatagram([5, 1, 1] + [UInt8](repeating: 1, count: 8))
        } legal: {
            $0.send(1, frame(1))
            $0.get(1, frame(1))
        },
        passing(.datagramNoStream) {
            $0.sendDatagram([0, 1, 1] + [UInt8](repeating: 1, count: 8))
            $0.get(1, frame(1), end: false)
        } legal: {
            $0.sendDatagram([0, 1, 5, 1])
            $0.getDatagram([5, 1, 5, 1])
        },
        passing(.onDemand) {
            $0.relaySays(
                ByteScript.relayAsks(12), TrackRequest(broadcast: path("room/a"), track: "other").stream(.lite06))
            $0.clientSays(ByteScript.relayAsks(12), TrackInfo().bytes(.lite06), end: true)
            $0.relayAsks(id: 7, on: 7, track: "other")
        } legal: {
            $0.send(1, frame(1))
        },
        passing(.infoUnchanged) {
            $0.turn(to: 1)
            $0.clientSays(ByteScript.asked(9), TrackRequest(broadcast: path("room/a"), track: "video").stream(.lite06))
            $0.relaySays(ByteScript.asked(9), TrackInfo(priority: 3).bytes(.lite06), end: true)
        } legal: {
            $0.turn(to: 1)
            $0.clientSays(ByteScript.asked(9), TrackRequest(broadcast: path("room/a"), track: "video").stream(.lite06))
            $0.relaySays(ByteScript.asked(9), TrackInfo().bytes(.lite06), end: true)
        },
        RuleCase(.infoStable, .lite06, isShared: true) {
            $0.askForInfo(9, TrackInfo())
            $0.askForInfo(10, TrackInfo(priority: 3))
        } legal: {
            $0.askForInfo(9, TrackInfo())
            $0.askForInfo(10, TrackInfo())
        },
    ]
}

extension ByteScript {
    /// The client asks for the properties of a track that says nothing of itself.
    fileprivate mutating func askForInfo(_ number: UInt64, _ info: TrackInfo) {
        clientSays(Self.asked(number), TrackRequest(broadcast: path("room/b"), track: "video").stream(version))
        relaySays(Self.asked(number), info.bytes(version), end: true)
    }
}
