/// What can be found wrong in a case only by looking at its steps together.
struct CaseChecks {
    let context: ReadingContext
    let scenarioCase: ScenarioCase
    /// The place of the scenario.
    let span: SourceSpan
    /// Whether all of the case could be read: what is not there may be what could not be read.
    let isComplete: Bool

    func run() {
        var references = ReferenceCheck(context: context, scenarioCase: scenarioCase)
        references.walk(scenarioCase.steps)
        endlessRepeats(scenarioCase.steps, isBranch: false)
        guard isComplete else { return }
        expectsSomething()
        unusedActors(references.actorsSeen)
        neversWithoutTime()
    }

    /// A repeat that never ends makes what follows unreachable, and outside of `parallel` the case endless.
    private func endlessRepeats(_ steps: [Step], isBranch: Bool) {
        for (index, step) in steps.enumerated() {
            switch step.kind {
            case .repeat(let inner):
                if inner.times == nil {
                    if index + 1 < steps.count {
                        context.warning(
                            context.span(ofStep: steps[index + 1]),
                            "this is never reached: the repeat on line \(step.location.line) never ends")
                    }
                    if !isBranch {
                        context.error(
                            context.span(ofStep: step), "this repeat never ends, and nothing runs beside it to stop it",
                            expected: "a number of `times`, or a place in `parallel`")
                    }
                }
                endlessRepeats(inner.firstRound, isBranch: false)
            case .parallel(let branches):
                let endless = branches.count { branch in
                    branch.contains { if case .repeat(let inner) = $0.kind { inner.times == nil } else { false } }
                }
                let nothingEnds = endless == branches.count
                for branch in branches { endlessRepeats(branch, isBranch: !nothingEnds) }
            case .after(let inner): endlessRepeats(inner.steps, isBranch: false)
            case .session, .client, .program, .relay, .network, .expect, .never, .wait: break
            }
        }
    }

    private func expectsSomething() {
        let expects = scenarioCase.steps.flattened.contains { step in
            switch step.kind {
            case .expect, .never, .session(_, .connect): true
            case .client(_, let call): call.fault != nil
            default: false
            }
        }
        if !expects {
            context.warning(span, "the scenario expects nothing, so only what is always checked can fail")
        }
    }

    private func unusedActors(_ seen: Set<String>) {
        for actor in scenarioCase.actors
        where actor.kind != .relay && actor.kind != .network && !seen.contains(actor.name) {
            context.warning(
                context.span(of: actor.name, from: actor.location), "the actor `\(actor.name)` does nothing")
        }
    }

    /// What must not happen from the last step on is never put to the test.
    private func neversWithoutTime() {
        guard let last = scenarioCase.steps.last, case .never(let never) = last.kind, never.duration == nil,
            !never.condition.looksBack
        else { return }
        context.warning(
            context.span(ofStep: last), "nothing follows, so there is no time in which it could happen",
            expected: "`for` a time, or a place before the steps during which it must not happen")
    }
}

extension ExpectationTree {
    /// The expectations in it.
    var leaves: [Expectation] {
        switch self {
        case .one(let expectation): [expectation]
        case .all(let trees), .any(let trees), .inOrder(let trees): trees.flatMap(\.leaves)
        }
    }

    /// Whether it is about all that was seen so far, not only about what comes.
    fileprivate var looksBack: Bool {
        leaves.allSatisfy { if case .catalog = $0.kind { true } else { false } }
    }
}

extension [Step] {
    /// The steps and those inside them, in the order of the file; of a repeat the first round.
    var flattened: [Step] {
        flatMap { step -> [Step] in
            switch step.kind {
            case .parallel(let branches): [step] + branches.flatMap(\.flattened)
            case .repeat(let inner): [step] + inner.firstRound.flattened
            case .after(let inner): [step] + inner.steps.flattened
            case .session, .client, .program, .relay, .network, .expect, .never, .wait: [step]
            }
        }
    }
}

extension ReadingContext {
    /// The key of a step.
    func span(ofStep step: Step) -> SourceSpan {
        span(at: step.location)
    }

    /// The key at a place.
    private func span(at place: SourceLocation) -> SourceSpan {
        let line = text.line(place.line) ?? ""
        let key = line.unicodeScalars.dropFirst(place.column - 1).prefix { $0 != ":" && $0 != " " }
        return SourceSpan(line: place.line, column: place.column, length: max(1, key.count))
    }

    /// A word on the line of a place, or the place itself when the word is not there.
    func span(of word: String, from location: SourceLocation) -> SourceSpan {
        let line = Array((text.line(location.line) ?? "").unicodeScalars)
        let word = Array(word.unicodeScalars)
        let isPart: (Unicode.Scalar) -> Bool = {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_"
        }
        var start = location.column - 1
        while !word.isEmpty, start + word.count <= line.count {
            let end = start + word.count
            let isWhole = (start == 0 || !isPart(line[start - 1])) && (end == line.count || !isPart(line[end]))
            if isWhole, line[start..<end].elementsEqual(word) {
                return SourceSpan(line: location.line, column: start + 1, length: word.count)
            }
            start += 1
        }
        return span(at: location)
    }
}
