import MoqBase

/// When the application is told of the statistics of its session.
struct MoqomStatistics {
    private var interval: Duration?
    private(set) var due: Instant?

    /// From now on at every interval; nil for no longer.
    mutating func stream(every interval: Duration?, from now: Instant) {
        self.interval = interval
        due = interval.map { now.advanced(by: $0) }
    }

    /// Whether one is due, and when the next one will be.
    mutating func isDue(at now: Instant) -> Bool {
        guard let interval, let time = due, now >= time else { return false }
        due = max(time.advanced(by: interval), now)
        return true
    }
}

// What a session counts. Which figures there are is not documented; these are those that its rooms show.
extension MoqomSession {
    /// `statistics`: one snapshot at once, and with an interval one more at the end of each.
    public func statistics(every interval: Duration?) throws(MoqomError) {
        guard state != .closed else { throw MoqomError(.alreadyClosed, "the session is closed") }
        statistics.stream(every: interval, from: port.now)
        tellStatistics()
    }

    /// All figures are of the same moment.
    func tellStatistics() {
        let there = rooms.flatMap(\.people).filter(\.isThere).count
        let came = rooms.flatMap(\.media).map(\.objects).reduce(0, +)
        let left = rooms.flatMap(\.broadcasts).map(\.sent).reduce(0, +)
        port.tell(
            name, "statistics",
            [.init("people", String(there)), .init("came", String(came)), .init("sent", String(left))])
    }
}
