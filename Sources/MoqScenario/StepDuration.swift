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

/// About how long steps take where the relay answers at once.
private struct ExpectedDuration {
    /// What they wait for on purpose.
    var certain = Duration.zero
    /// What they give more time than usual, because it comes late, or because a slow machine takes longer over it.
    var possible = Duration.zero

    static func + (first: Self, second: Self) -> Self {
        Self(certain: first.certain + second.certain, possible: first.possible + second.possible)
    }

    /// More than this the time that is given in abundance says nothing about.
    private static let mostPossible = Duration.seconds(2)

    var sum: Duration { certain + min(possible, Self.mostPossible) }
}

extension Step {
    fileprivate var expectedDuration: ExpectedDuration {
        switch kind {
        case .session(_, .connect(let connect)):
            if case .refused = connect.expect { .possibly(within: connect.within) } else { ExpectedDuration() }
        case .session(_, .write(let write)): ExpectedDuration(certain: write.longestDuration)
        case .session(_, .datagram(let datagram)):
            ExpectedDuration(certain: datagram.pace.between(datagram.count))
        case .session(_, .vanish): ExpectedDuration(possible: Self.silence)
        case .relay(.restart(let linger)): ExpectedDuration(certain: linger ?? .zero)
        case .client(_, let call): ExpectedDuration(certain: call.paceOfSending)
        case .session, .program, .network, .relay: ExpectedDuration()
        case .expect(let expect):
            ExpectedDuration(certain: expect.holds ?? .zero) + .possibly(within: expect.within)
        case .never(let never): ExpectedDuration(certain: never.duration ?? .zero)
        case .wait(let duration): ExpectedDuration(certain: duration)
        case .after(let after): ExpectedDuration(certain: after.delay) + after.steps.expected
        case .parallel(let branches): branches.map(\.expected).max { $0.sum < $1.sum } ?? ExpectedDuration()
        case .repeat(let step): step.expectedDuration
        }
    }

    /// After which a relay misses one that is gone without a word.
    private static let silence = Duration.seconds(2)
}

extension RepeatStep {
    fileprivate var expectedDuration: ExpectedDuration {
        let round = firstRound.expected
        let times = times ?? 0
        return ExpectedDuration(
            certain: max(round.certain, every ?? .zero).times(times), possible: round.possible.times(times))
    }
}

extension ExpectedDuration {
    fileprivate static func possibly(within: Duration) -> Self {
        Self(possible: max(.zero, within - ReadingContext.defaultWithin))
    }
}

extension ScenarioCase {
    /// About how long the case takes by the clock of a driver, where the relay answers at once: to begin first with what
    /// takes longest.
    public var expectedDuration: Duration { steps.expected.sum }
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
    fileprivate var expected: ExpectedDuration { reduce(ExpectedDuration()) { $0 + $1.expectedDuration } }
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
