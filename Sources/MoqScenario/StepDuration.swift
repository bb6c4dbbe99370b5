extension Step {
    /// The longest that the step can take by its own deadlines; a repeat that never ends counts for nothing, since it
    /// is stopped by what runs beside it.
    var longestDuration: Duration {
        switch kind {
        case .session(_, .connect(let connect)): connect.within
        case .session(_, .write(let write)): write.longestDuration
        case .session(_, .datagram(let datagram)): datagram.pace.between(datagram.count)
        case .client(_, let call): call.longestDuration
        case .program(_, .stop(let stop)): stop.grace
        case .session, .program, .network: .zero
        case .relay: Self.relayDuration
        case .expect(let expect): expect.within + (expect.holds ?? .zero)
        case .never(let never): never.duration ?? .zero
        case .wait(let duration): duration
        case .after(let after): after.delay + after.steps.total
        case .parallel(let branches): branches.map(\.total).max() ?? .zero
        case .repeat(let step): max(step.firstRound.total, step.every ?? .zero).times(step.times ?? 0)
        }
    }

    /// Starting and stopping a relay's process.
    private static let relayDuration = Duration.seconds(20)
}

extension Step {
    /// About how long the step takes where the relay answers at once: what it waits for on purpose, and what it gives more
    /// time than usual because it comes late.
    fileprivate var expectedDuration: Duration {
        switch kind {
        case .session(_, .write(let write)): write.longestDuration
        case .session(_, .datagram(let datagram)): datagram.pace.between(datagram.count)
        case .client(_, let call): call.paceOfSending
        case .session, .program, .network, .relay: .zero
        case .expect(let expect):
            max(.zero, expect.within - ReadingContext.defaultWithin) + (expect.holds ?? .zero)
        case .never(let never): never.duration ?? .zero
        case .wait(let duration): duration
        case .after(let after): after.delay + after.steps.expected
        case .parallel(let branches): branches.map(\.expected).max() ?? .zero
        case .repeat(let step): max(step.firstRound.expected, step.every ?? .zero).times(step.times ?? 0)
        }
    }
}

extension ScenarioCase {
    /// About how long the case takes by the clock of a driver, where the relay answers at once: to begin first with what
    /// takes longest.
    public var expectedDuration: Duration { steps.expected }
}

extension ClientCall {
    /// Connecting and finding what a call is about wait for the relay.
    fileprivate var longestDuration: Duration {
        if case .send(let send) = action { return within + send.every.times(send.count) }
        // What comes of the call has as much time again.
        return outcome == nil ? within : within + within
    }

    fileprivate var paceOfSending: Duration {
        if case .send(let send) = action { send.every.times(send.count) } else { .zero }
    }
}

extension Collection<Step> {
    fileprivate var total: Duration { reduce(.zero) { $0 + $1.longestDuration } }
    fileprivate var expected: Duration { reduce(.zero) { $0 + $1.expectedDuration } }
}

extension Pace {
    fileprivate func between(_ count: Int) -> Duration {
        switch self {
        case .asFastAsPossible: .zero
        case .every(let interval): interval.times(count)
        }
    }
}

extension WriteAction {
    fileprivate var longestDuration: Duration {
        let groups =
            switch self.groups {
            case .next(let count): count
            case .numbers(let numbers): numbers.count
            }
        let frames =
            switch self.frames {
            case .uniform(let count, _): count
            case .each(let sizes): sizes.count
            }
        return pace.between(frames).times(groups)
    }
}

extension Duration {
    /// More than any case may take; sums of what is written stay far from the end of the type.
    private static let longest = Duration.seconds(365 * 24 * 3600)

    fileprivate func times(_ count: Int) -> Duration {
        Double(components.seconds + 1) * Double(count) > Double(Self.longest.components.seconds)
            ? Self.longest : self * count
    }
}
