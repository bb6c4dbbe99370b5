import MoqBase
import Testing

@Suite struct SendScheduleTests {
    private final class Stream: Scheduled {
        let number: Int
        var priority: Int
        var turn: UInt64 = 0

        init(_ number: Int, priority: Int = 0) {
            self.number = number
            self.priority = priority
        }
    }

    @Test func theGreatestPriorityComesFirstAndEqualsInTheirTurn() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<50 {
            var schedule = SendSchedule<Stream>()
            let streams = (0..<30).map { Stream($0, priority: Int(random.next() % 12)) }
            for stream in streams { schedule.push(stream) }
            let changed = streams[Int(random.next() % 30)]
            changed.priority = 99
            schedule.reprioritize(changed)
            let removed = streams[Int(random.next() % 30)]
            schedule.remove(removed)
            var order: [Int] = []
            while let (stream, _) = schedule.pop() { order.append(stream.number) }
            let kept = streams.filter { $0 !== removed }
            // A stable sort is the model.
            let expected = kept.sorted { ($1.priority, $0.number) < ($0.priority, $1.number) }
            #expect(order == expected.map(\.number))
        }
    }

    @Test func whatIsPutBackStandsWhereItStood() {
        var schedule = SendSchedule<Stream>()
        for number in 0..<3 { schedule.push(Stream(number)) }
        guard let (first, turn) = schedule.pop() else {
            Issue.record("nothing was scheduled")
            return
        }
        schedule.putBack(first, turn: turn)
        #expect(schedule.pop()?.stream.number == 0)
    }

    @Test func changesOfMindDoNotPileUp() {
        var schedule = SendSchedule<Stream>()
        let streams = (0..<20).map { Stream($0) }
        for stream in streams { schedule.push(stream) }
        for round in 0..<5000 {
            streams[round % 20].priority = round
            schedule.reprioritize(streams[round % 20])
            #expect(schedule.entryCount <= 65)
        }
        #expect(schedule.pop()?.stream === streams[19])
    }

    @Test func aQueueGivesWhatItWasGivenInOrder() {
        var random = SeededRandom(seed: 9)
        var queue = FIFO<Int>()
        var (next, taken) = (0, 0)
        for _ in 0..<5000 {
            if random.next() % 3 > 0 {
                queue.append(next)
                next += 1
            } else if let item = queue.popFirst() {
                #expect(item == taken)
                taken += 1
            } else {
                #expect(next == taken && queue.isEmpty && queue.first == nil)
            }
            #expect(queue.count == next - taken)
        }
        queue.removeAll()
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }
}
