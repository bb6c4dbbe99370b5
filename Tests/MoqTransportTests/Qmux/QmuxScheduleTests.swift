import MoqBase
import Testing

@testable import MoqTransport

@Suite struct QmuxScheduleTests {
    private func streams(_ count: UInt64) -> [QmuxStream] {
        (0..<count).map {
            QmuxStream(id: StreamID(rawValue: $0 << 2 | 2), role: .client, sendLimit: 0, receiveLimit: 0)
        }
    }

    @Test func theGreatestPriorityComesFirstAndEqualsInTheirTurn() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<50 {
            var schedule = QmuxSchedule()
            let streams = streams(30)
            for stream in streams {
                stream.priority = SendPriority(urgency: UInt16(random.next() % 4), sequence: random.next() % 3)
                schedule.push(stream)
            }
            let changed = streams[Int(random.next() % 30)]
            changed.priority = SendPriority(urgency: 9)
            schedule.reprioritize(changed)
            let removed = streams[Int(random.next() % 30)]
            schedule.remove(removed)
            var order: [QmuxStream] = []
            while let stream = schedule.pop() { order.append(stream) }
            let kept = streams.filter { $0 !== removed }
            // A stable sort is the model.
            let expected = kept.enumerated().sorted {
                ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset)
            }
            #expect(order.map(\.id) == expected.map(\.element.id))
        }
    }

    @Test func changesOfMindDoNotPileUp() {
        var schedule = QmuxSchedule()
        let streams = streams(20)
        for stream in streams { schedule.push(stream) }
        for round in UInt64(0)..<5000 {
            let stream = streams[Int(round % 20)]
            stream.priority = SendPriority(urgency: 0, sequence: round)
            schedule.reprioritize(stream)
            #expect(schedule.entryCount <= 65)
        }
        #expect(schedule.pop() === streams[19])
    }
}
