import MoqBase

@testable import MoqDrivers

/// Sends numbered datagrams, answers those of others if told to, and writes down what arrived and when.
final class PingPong: DatagramMachine {
    /// What arrived, one entry a datagram.
    var heard: [(at: Instant, from: NetworkAddress, bytes: [UInt8])] = []
    /// How many segments each batch had.
    var batches: [Int] = []
    /// What is to be sent, one batch each.
    var outbox: [DatagramBatch] = []
    /// Whether what arrives is sent back.
    var isEcho = false
    var deadline: Instant?
    var isOnItsOwn = false
    /// When `advance` was called.
    var advances: [Instant] = []

    init(isEcho: Bool = false) {
        self.isEcho = isEcho
    }

    func receive(_ batch: DatagramBatch, at now: Instant) {
        batches.append(batch.segments.count)
        for range in batch.segments {
            heard.append((now, batch.remote, Array(batch.bytes[range])))
        }
        if isEcho { outbox.append(batch) }
    }

    func transmit(at now: Instant) -> DatagramBatch? {
        outbox.isEmpty ? nil : outbox.removeFirst()
    }

    func advance(to now: Instant) {
        advances.append(now)
        if let deadline, deadline <= now { self.deadline = nil }
    }

    /// Queues `count` datagrams of `size` bytes, numbered from `first` in their first two bytes.
    func send(_ count: Int, of size: Int = 100, to remote: NetworkAddress, first: Int = 0) {
        for number in first..<first + count {
            outbox.append(DatagramBatch(remote: remote, datagram: PingPong.numbered(number, size: size)))
        }
    }

    /// The numbers of what arrived, in order.
    var numbers: [Int] { heard.map { Int($0.bytes[0]) << 8 | Int($0.bytes[1]) } }

    static func numbered(_ number: Int, size: Int) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: UInt8(number & 255), count: size - 2)
    }
}

extension Driver {
    /// Turns until `condition` holds; false when `limit` passes first.
    func turn(within limit: Duration = .seconds(10), until condition: () -> Bool) throws -> Bool {
        let end = now.advanced(by: limit)
        while !condition() {
            guard now < end else { return false }
            try turn(until: end)
        }
        return true
    }
}
