import MoqBase

@testable import MoqDrivers

/// Says what it is given on a byte stream, or what it hears, and writes down what happened.
final class Talker: ByteStreamMachine {
    var heard: [UInt8] = []
    /// The end that was told, if any: an empty text is an orderly one.
    var end: String?
    /// How often an end was told.
    var ends = 0
    var outbox: [[UInt8]]
    /// Says everything that it hears, and ends when the peer does.
    let isEcho: Bool
    /// Never ends by itself.
    var staysOpen: Bool
    var deadline: Instant?
    var advances = 0

    init(saying outbox: [[UInt8]] = [], isEcho: Bool = false, staysOpen: Bool = false) {
        self.outbox = outbox
        self.isEcho = isEcho
        self.staysOpen = staysOpen
    }

    func receive(_ bytes: [UInt8], at now: Instant) {
        heard += bytes
        if isEcho { outbox.append(bytes) }
    }

    func receiveEnd(failure: String?, at now: Instant) {
        end = failure ?? ""
        ends += 1
    }

    func transmit(at now: Instant) -> [UInt8]? {
        outbox.isEmpty ? nil : outbox.removeFirst()
    }

    var isFinished: Bool {
        !staysOpen && outbox.isEmpty && (!isEcho || end != nil)
    }

    func advance(to now: Instant) {
        advances += 1
        deadline = nil
    }
}
