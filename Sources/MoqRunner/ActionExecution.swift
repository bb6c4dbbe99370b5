import MoqBase
import MoqConformance
import MoqEvents
import MoqScenario

/// Something that a session actor does: connecting first where it must, the deed itself, and then the barrier that
/// lets the next step rely on it.
final class ActionExecution: Execution {
    private let whole: Step
    private let actorName: String
    private let action: SessionAction
    private var phase = Phase.beginning
    /// Until when the relay's first request for announcements is waited for, where the action builds on it.
    private var requestDeadline: Instant?

    private enum Phase {
        case beginning
        case connecting(ConnectProgress)
        case writing(any WritingProgress)
        case waiting(Barrier)
    }

    init(_ whole: Step, actor: String, _ action: SessionAction, _ run: CaseRun) {
        self.whole = whole
        actorName = actor
        self.action = action
    }

    func advance(_ run: CaseRun) -> Progress {
        guard let actor = run.actor(actorName) else {
            return .failed(whole.failure(.error, "\(actorName) is no session", at: run.now))
        }
        do {
            return try advance(actor, run)
        } catch {
            // A session that the relay ended is the relay's doing; anything else is the scenario's or the machine's.
            if case .closed(let close) = actor.record.state, close.byPeer {
                return .failed(
                    whole.failure(
                        .fail, "\(actorName) lost its session before this step: \(close.text)",
                        expected: "a session", actual: close.text, at: run.now))
            }
            return .failed(whole.failure(.error, error.description, at: run.now))
        }
    }

    private func advance(_ actor: SessionActor, _ run: CaseRun) throws(RunnerError) -> Progress {
        while true {
            switch phase {
            case .beginning:
                if case .connect(let connect) = action {
                    phase = .connecting(try ConnectProgress(actor, connect, run))
                } else if case .idle = actor.record.state {
                    phase = .connecting(try ConnectProgress(actor, nil, run))
                } else {
                    guard hasWhatItNeeds(actor, run) else { return .running }
                    try act(actor, run)
                }
            case .connecting(let progress):
                switch progress.advance(actor, run) {
                case .running: return .running
                case .finished:
                    if case .connect = action { return .finished }
                    phase = .beginning
                case .failed(let severity, let headline, let expected, let actual):
                    return .failed(
                        whole.failure(severity, headline, expected: expected, actual: actual, at: run.now))
                }
            case .writing(let writing):
                guard try writing.advance(actor, run) else { return .running }
                return .finished
            case .waiting(let barrier):
                return barrier.isPassed(by: actorName, run) ? .finished : .running
            }
        }
    }

    /// Whether the relay's request for announcements is there, for what is written on its stream or names the relay's
    /// hop. A relay that does not ask in time is for the action itself to complain about.
    private func hasWhatItNeeds(_ actor: SessionActor, _ run: CaseRun) -> Bool {
        guard action.buildsOnAnnounceRequest, actor.announceStreams.isEmpty, actor.session != nil else { return true }
        let deadline = requestDeadline ?? run.now.advanced(by: run.patient(Barrier.patience))
        requestDeadline = deadline
        run.wake(at: deadline)
        return run.now >= deadline
    }

    // MARK: The deeds

    private func act(_ actor: SessionActor, _ run: CaseRun) throws(RunnerError) {
        phase = .waiting(.none)
        switch action {
        case .connect:
            break
        case .publish(let publish):
            try actor.publish(publish)
            // What is announced by hand, or with the relay in its hops, may never be seen.
            let isSeen = !actor.definition.announcesByHand && publish.hops?.contains(.relay) != true
            phase = .waiting(isSeen ? .announced(publish.broadcast, by: actor, run) : .answered(actor, run))
        case .reannounce(let announce):
            try actor.reannounce(announce)
            phase = .waiting(.answered(actor, run))
        case .unpublish(let broadcast):
            try actor.unpublish(broadcast)
            phase = .waiting(.answered(actor, run))
        case .announcements(let prefix, let exclude):
            actor.requestAnnouncements(prefix, exclude: exclude)
            phase = .waiting(.answered(actor, run))
        case .subscribe(let subscribe):
            try actor.subscribe(subscribe)
            phase = .waiting(.subscribed(actor, run))
        case .update(let update):
            try actor.update(update)
            phase = .waiting(.answered(actor, run))
        case .unsubscribe(let target, let code):
            try actor.unsubscribe(target, code: code.map { run.scene.codes.numberToSend(for: $0, on: .reset) })
            phase = .waiting(.answered(actor, run))
        case .fetch(let fetch):
            try actor.fetch(fetch)
        case .trackInfo(let target):
            try actor.askTrackInfo(target)
        case .accept(let target, let start):
            try actor.answer(target, with: .accept(startGroup: start))
        case .refuse(let refuse):
            let code = run.scene.codes.numberToSend(for: refuse.code, on: .reset)
            try actor.answer(refuse.target, with: .refuse(code, refuse.request))
        case .hold(let target, let request):
            actor.hold(target, request)
        case .write(let write):
            phase = .writing(try FrameWriting(write, actor))
        case .datagram(let datagram):
            phase = .writing(DatagramWriting(datagram, run))
        case .catalog(let catalog):
            try actor.writeCatalog(catalog)
        case .finish(let target, let group):
            try actor.finish(target, group: group)
        case .drop(let target, let group):
            let code = run.scene.codes.numberToSend(for: .condition("dropped"), on: .reset)
            try actor.abort(target, group: group, code: code)
        case .abort(let target, let group, let code):
            try actor.abort(target, group: group, code: run.scene.codes.numberToSend(for: code, on: .reset))
        case .stopGroup(let target, let group, let code):
            try actor.stopGroup(target, group: group, code: run.scene.codes.numberToSend(for: code, on: .stop))
        case .pauseReading(let target):
            try actor.pauseReading(target)
        case .resumeReading(let target):
            try actor.resumeReading(target)
        case .probe:
            actor.session?.openProbe()
        case .goaway(let uri):
            actor.session?.goaway(uri: uri)
        case .sendRaw(let raw) where raw.isByteByByte:
            phase = .writing(try RawWriting(raw, actor))
        case .sendRaw(let raw):
            try actor.sendRaw(raw)
        case .get(let get):
            try actor.get(get)
        case .close(let code, let reason):
            actor.close(code: code.map { run.scene.codes.numberToSend(for: $0, on: .close) } ?? 0, reason: reason)
        case .vanish:
            actor.vanish()
        }
    }
}

extension SessionAction {
    /// Whether it can only be done once the relay has asked for announcements.
    fileprivate var buildsOnAnnounceRequest: Bool {
        switch self {
        case .sendRaw(let raw):
            if case .named(SendRawAction.announcementsLabel) = raw.stream { return true }
            return false
        case .publish(let publish): return publish.hops?.contains(.relay) == true
        case .reannounce(let announce): return announce.hops?.contains(.relay) == true
        default: return false
        }
    }
}

/// A session coming up.
final class ConnectProgress {
    enum State {
        case running
        case finished
        case failed(Finding.Severity, String, expected: String?, actual: String?)
    }

    private let outcome: ConnectOutcome
    private let deadline: Instant
    private var fence: SessionActor.Fence?

    init(_ actor: SessionActor, _ action: ConnectAction?, _ run: CaseRun) throws(RunnerError) {
        outcome = action?.expect ?? .connected
        deadline = run.now.advanced(by: run.patient(action?.within ?? run.scene.access.connectTimeout))
        try actor.connect(
            path: action?.path, version: action?.version, transport: action?.transport, protocols: action?.protocols)
    }

    func advance(_ actor: SessionActor, _ run: CaseRun) -> State {
        switch actor.record.state {
        case .closed(let close):
            return closed(close, run)
        case .connected where actor.rawLine != nil:
            // Nothing can be asked on such a connection; a refusal is a close that is still to come.
            if case .refused = outcome { break }
            return .finished
        case .connected:
            // Up is not served: a relay may refuse what it learns after the handshake. Any answer settles it.
            let fence = self.fence ?? actor.startFence()
            self.fence = fence
            if fence.isAnswered {
                if case .refused = outcome {
                    return .failed(
                        .fail, "\(actor.name) was served", expected: "a refusal", actual: "a session that is served")
                }
                return .finished
            }
        case .idle, .connecting, .vanished:
            break
        }
        guard run.now < deadline else {
            let state = actor.record.state
            if case .connected = state {
                return .failed(
                    .fail, "\(actor.name) is connected, and the relay does not answer",
                    expected: "an answer to a subscription",
                    actual: "none before the deadline")
            }
            return .failed(
                .error, "\(actor.name) could not connect to \(actor.dialledPlace): nobody answered in time",
                expected: nil, actual: state.description)
        }
        run.wake(at: deadline)
        return .running
    }

    private func closed(_ close: RecordedClose, _ run: CaseRun) -> State {
        switch outcome {
        case .any:
            return .finished
        case .connected:
            let severity: Finding.Severity = close.byPeer ? .fail : .error
            return .failed(severity, "the session did not come up", expected: "a session", actual: close.text)
        case .refused(let codes):
            switch run.scene.codes.judge(close, against: codes) {
            case .met: return .finished
            case .pending, .broken:
                return .failed(
                    .fail, "the session was refused in another way", expected: codes.description,
                    actual: close.code.map { run.scene.codes.describe($0, on: .close) } ?? close.text)
            case .notTestable:
                return .failed(
                    .notTestable, "the code cannot be shown", expected: codes.description, actual: close.text)
            }
        }
    }
}

/// What the next step may rely on.
struct Barrier {
    enum State {
        case open
        case wait
        /// It did not come about, which is for the scenario's own expectations to judge.
        case passed(String)
    }

    let check: (CaseRun) -> State

    /// Whether the actor's next step may begin.
    func isPassed(by actor: String, _ run: CaseRun) -> Bool {
        switch check(run) {
        case .open: return true
        case .wait: return false
        case .passed(let note):
            run.note(.check, actor, note)
            return true
        }
    }

    /// Nothing to wait for.
    static var none: Barrier { Barrier { _ in .open } }

    /// How long a barrier waits: well beyond any round trip of a scenario, short of its deadlines.
    static let patience = Duration.seconds(3)

    /// The relay has answered something that was asked after the deed: it has read the deed.
    static func answered(_ actor: SessionActor, _ run: CaseRun) -> Barrier {
        let fence = actor.startFence()
        let deadline = run.now.advanced(by: run.patient(patience))
        return Barrier { run in
            if fence.isAnswered || fence.isLost || actor.session == nil { return .open }
            guard run.now < deadline else {
                return .passed("the relay has not answered for \(run.patient(patience).text)")
            }
            run.wake(at: deadline)
            return .wait
        }
    }

    /// The harness's own session sees the announcement, so any session can subscribe.
    static func announced(_ broadcast: String, by actor: SessionActor, _ run: CaseRun) -> Barrier {
        let deadline = run.now.advanced(by: run.patient(patience))
        // A session with a path of its own may publish where the harness does not look.
        guard actor.ownPath == nil, let path = run.scene.path(broadcast) else { return answered(actor, run) }
        return Barrier { run in
            if run.control.isAnnounced(path) || actor.session == nil { return .open }
            guard run.now < deadline else {
                return .passed(
                    "the announcement of `\(broadcast)` has not come through in \(run.patient(patience).text)")
            }
            run.wake(at: deadline)
            return .wait
        }
    }

    /// The relay has read the subscription, and its publisher, where it is an actor of the case, has heard of it.
    static func subscribed(_ actor: SessionActor, _ run: CaseRun) -> Barrier {
        let fence = actor.startFence()
        let deadline = run.now.advanced(by: run.patient(patience))
        let index = actor.record.subscriptions.count - 1
        return Barrier { run in
            if actor.session == nil { return .open }
            guard run.now < deadline else { return .passed("the subscription has not reached its publisher") }
            run.wake(at: deadline)
            guard fence.isAnswered || fence.isLost else { return .wait }
            let subscription = actor.record.subscriptions[index]
            if subscription.end != nil || !subscription.groups.isEmpty { return .open }
            return run.hasPublisherHeard(of: subscription) ? .open : .wait
        }
    }
}
