/// One session of an actor: an actor that connects again has another one.
public struct PublisherSession: Hashable, Sendable, CustomStringConvertible {
    /// The actor.
    public var actor: String
    /// Which of its sessions, from 1.
    public var incarnation: Int

    /// A session of its parts.
    public init(actor: String, incarnation: Int) {
        self.actor = actor
        self.incarnation = incarnation
    }

    public var description: String { incarnation == 1 ? actor : "\(actor) (session \(incarnation))" }
}

/// The announcements of a case as they should be: what publishers did goes in, and what watchers were told, each as it
/// happened; what no legal order of the first explains of the second comes out.
///
/// Moments are numbers that grow with each thing that happens. Paths and prefixes are relative to the case, and whole
/// components.
public struct AnnouncementModel: Sendable {
    /// The present moment.
    public private(set) var moment = 0
    private var histories: [String: PathHistory] = [:]
    private var watches: [Watch] = []
    private var proofs: [PublisherSession: Int] = [:]
    /// Sessions that wrote bytes of a scenario's choice: the relay may end them at any time.
    private var lawless: Set<PublisherSession> = []
    /// Whether somebody wrote bytes of a scenario's choice, so that a path which nobody published may be announced.
    private var isLawless = false

    /// One request for announcements, and what it was told.
    private struct Watch {
        var audience: PathHistory.Audience
        var prefix: String
        var isOpen = true
        /// Whether the end of what was there before may be kept back.
        var lacksReplayedEnds: Bool
        /// What it was told, by path.
        var views: [String: View] = [:]
        /// How far the relay had certainly come with each path when it began.
        var start: [String: PathHistory.State] = [:]
        var begun: Int
        /// When it was first told something: what was there before may have been in the answer to it.
        var heard: Int?
    }

    /// What a watcher knows of a path.
    private struct View {
        var isActive = false
        var firstHop: UInt64?
        var states: [PathHistory.State]
        /// What it was told and what nothing explains yet: the reason may still come to light.
        var waiting: [Told] = []
        /// There were too many orders, or a breach was told of it: it is not judged any more.
        var isLost = false
        var announcements = 0
    }

    private struct Told {
        var isActive: Bool
        var firstHop: UInt64?
        var moment: Int
    }

    /// A model of a case in which nothing has happened.
    public init() {}

    /// Lets time go on: what happens after is later than what happened before.
    @discardableResult
    public mutating func tick() -> Int {
        moment += 1
        return moment
    }

    // MARK: What publishers do

    /// A publisher begins to announce a path. `firstHop` names the content, where versions say it; `hops` are all on
    /// the way to the relay.
    public mutating func published(
        _ path: String, by session: PublisherSession, firstHop: UInt64?, hops: [UInt64] = [], mayBeHidden: Bool = false
    ) -> [ModelBreach] {
        append(.start(identity: firstHop), path, session, hops, mayBeHidden: mayBeHidden)
    }

    /// A publisher announces anew what it announces. `canEnd` tells whether versions have it told as an end and a start.
    public mutating func reannounced(
        _ path: String, by session: PublisherSession, firstHop: UInt64?, hops: [UInt64] = [], canEnd: Bool,
        mayBeHidden: Bool = false
    ) -> [ModelBreach] {
        append(.route(identity: firstHop, canEnd: canEnd), path, session, hops, mayBeHidden: mayBeHidden)
    }

    /// A publisher withdraws a path.
    public mutating func withdrew(_ path: String, by session: PublisherSession) -> [ModelBreach] {
        append(.end, path, session)
    }

    /// A session is over, in whichever way. The relay may have ended it itself, before that was known here: but not
    /// before its last proof of life.
    public mutating func sessionEnded(_ session: PublisherSession) -> [ModelBreach] {
        tick()
        let begun = lawless.contains(session) ? 0 : proofs[session] ?? 0
        var breaches: [ModelBreach] = []
        for path in histories.keys.sorted() {
            guard let last = histories[path]?.publishers.first(where: { $0.session == session })?.operations.last,
                last.change != .end
            else { continue }
            histories[path]?.append(
                PathHistory.Operation(change: .end, begun: max(begun, last.begun), isCertain: false), of: session)
            breaches += explain(path)
        }
        return breaches
    }

    /// The relay answered on a session what was asked at this moment: the session was alive then.
    public mutating func proved(_ session: PublisherSession, asOf moment: Int) {
        proofs[session] = max(proofs[session] ?? 0, moment)
    }

    /// Bytes of a scenario's choice were written to the relay: paths that they name are not judged any more, and
    /// the session may be ended at any time.
    public mutating func wroteBytes(_ bytes: [UInt8], on session: PublisherSession) {
        isLawless = true
        lawless.insert(session)
        let bytes = Array(bytes.prefix(Self.bytesKept))
        for path in histories.keys.sorted() where Self.names(path, in: bytes) { histories[path]?.isTainted = true }
        lawlessBytes.append(contentsOf: bytes.prefix(Self.bytesKept - lawlessBytes.count))
    }

    private var lawlessBytes: [UInt8] = []
    /// Bytes looked at of one writing, and of all: what comes after so many is filling.
    private static let bytesKept = 1 << 14

    /// Whether bytes contain the last component of a path.
    private static func names(_ path: String, in bytes: [UInt8]) -> Bool {
        let last = Array(path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(path).utf8)
        guard let first = last.first else { return true }
        var place = 0
        while place + last.count <= bytes.count {
            if bytes[place] == first, bytes[place..<place + last.count].elementsEqual(last) { return true }
            place += 1
        }
        return false
    }

    private mutating func append(
        _ change: PathHistory.Change, _ path: String, _ session: PublisherSession, _ hops: [UInt64] = [],
        mayBeHidden: Bool = false
    ) -> [ModelBreach] {
        let now = tick()
        var history = histories[path] ?? PathHistory()
        if Self.names(path, in: lawlessBytes), isLawless { history.isTainted = true }
        history.append(
            PathHistory.Operation(
                change: change, begun: now, mayBeHidden: mayBeHidden || lawless.contains(session), hops: hops),
            of: session)
        histories[path] = history
        return explain(path)
    }

    /// The moment at which a publisher last did something to a path; 0 when nobody did.
    public func lastChange(of path: String) -> Int {
        histories[path]?.publishers.compactMap(\.operations.last?.begun).max() ?? 0
    }

    // MARK: What watchers are told

    /// An actor asks for the announcements under a prefix, but for routes with a hop that is not 0. Returns a number
    /// for the request. `changesEnd` tells whether its version has it told of other routes as an end and a start.
    public mutating func watchBegan(
        by actor: String, prefix: String, excluding hop: UInt64 = 0, changesEnd: Bool = false,
        lacksReplayedEnds: Bool = false
    ) -> Int {
        let now = tick()
        let audience = PathHistory.Audience(actor: actor, excludedHop: hop, changesEnd: changesEnd)
        var watch = Watch(audience: audience, prefix: prefix, lacksReplayedEnds: lacksReplayedEnds, begun: now)
        for (path, history) in histories where Self.lies(path, under: prefix) { watch.start[path] = history.known }
        watches.append(watch)
        return watches.count - 1
    }

    /// A request for announcements is over.
    public mutating func watchEnded(_ number: Int) {
        tick()
        watches[number].isOpen = false
    }

    /// A watcher is told that a path is live. `isUpdate` tells whether it had been told before, and this replaces it.
    public mutating func saw(_ path: String, isUpdate: Bool, firstHop: UInt64?, on number: Int) -> [ModelBreach] {
        let now = tick()
        if watches[number].heard == nil { watches[number].heard = now }
        let watch = watches[number]
        guard Self.lies(path, under: watch.prefix) else {
            return [
                ModelBreach(
                    actor: watch.audience.actor,
                    headline: "`\(path)` was announced outside the prefix that was asked for",
                    expected: "paths under `\(watch.prefix)`", actual: path,
                    requirements: ["announce.prefix-match", "announce.views-agree"])
            ]
        }
        guard let history = histories[path] else {
            guard !isLawless else { return [] }
            return [
                ModelBreach(
                    actor: watch.audience.actor, headline: "`\(path)` was announced, which nobody ever published",
                    expected: "broadcasts that a session published", actual: "`\(path)` announced",
                    requirements: ["relay.nothing-invented", "announce.views-agree"])
            ]
        }
        guard !history.isTainted else { return [] }
        var view = knowledge(of: path, in: watch)
        if view.isActive, !isUpdate, watch.lacksReplayedEnds { return [] }
        if view.isActive && !isUpdate {
            return [
                ModelBreach(
                    actor: watch.audience.actor, headline: "`\(path)` was announced twice without an end between",
                    expected: "an end, or a change of the announcement", actual: "a second beginning",
                    requirements: ["announce.relay-once", "announce.views-agree"])
            ]
        }
        view.isActive = true
        view.announcements += 1
        view.firstHop = firstHop
        view.waiting.append(Told(isActive: true, firstHop: firstHop, moment: now))
        watches[number].views[path] = view
        return explain(path, on: number)
    }

    /// A watcher is told that a path is over.
    public mutating func sawEnd(_ path: String, on number: Int) -> [ModelBreach] {
        let now = tick()
        guard histories[path].map({ !$0.isTainted }) ?? !isLawless else { return [] }
        guard var view = watches[number].views[path], view.isActive else {
            return [
                ModelBreach(
                    actor: watches[number].audience.actor,
                    headline: "the end of `\(path)` was told, which was not announced",
                    expected: "the end of something announced", actual: "the end of `\(path)`",
                    requirements: ["announce.known-end", "announce.views-agree"])
            ]
        }
        view.isActive = false
        view.waiting.append(Told(isActive: false, moment: now))
        watches[number].views[path] = view
        return explain(path, on: number)
    }

    private func knowledge(of path: String, in watch: Watch) -> View {
        watch.views[path] ?? View(states: [watch.start[path] ?? []])
    }

    /// Whether a path is a prefix or lies below it.
    private static func lies(_ path: String, under prefix: String) -> Bool {
        prefix.isEmpty || path == prefix || path.hasPrefix(prefix + "/")
    }

    // MARK: Explaining

    private mutating func explain(_ path: String) -> [ModelBreach] {
        var breaches: [ModelBreach] = []
        for number in watches.indices where watches[number].views[path]?.waiting.isEmpty == false {
            breaches += explain(path, on: number)
        }
        return breaches
    }

    /// Goes on with what a watcher was told of a path, as far as something explains it. An end without a reason waits:
    /// the relay may have ended a session of which that is not known here. A beginning without one is a breach.
    private mutating func explain(_ path: String, on number: Int) -> [ModelBreach] {
        guard let history = histories[path], var view = watches[number].views[path], !view.isLost else { return [] }
        var breaches: [ModelBreach] = []
        while let told = view.waiting.first {
            let explanation =
                told.isActive
                ? history.announced(firstHop: told.firstHop, from: view.states, at: told.moment)
                : history.ended(for: watches[number].audience, from: view.states, at: told.moment)
            guard case .states(let states) = explanation else {
                if case .tooMany = explanation { view.isLost = true }
                if case .none = explanation, told.isActive {
                    view.isLost = true
                    if !history.isTainted {
                        breaches.append(unexplained(path, history, view, watches[number]))
                    }
                }
                break
            }
            view.states = states
            view.waiting.removeFirst()
        }
        watches[number].views[path] = view
        if !view.isLost { histories[path]?.learn(view.states) }
        return breaches
    }

    private func unexplained(
        _ path: String, _ history: PathHistory, _ view: View, _ watch: Watch
    ) -> ModelBreach {
        func breach(_ headline: String, _ actual: String, _ requirement: String) -> ModelBreach {
            ModelBreach(
                actor: watch.audience.actor, headline: headline,
                expected: "announcements in an order in which the publishers did it: \(history.story)", actual: actual,
                requirements: ["announce.views-agree", requirement])
        }
        if let firstHop = view.waiting.first?.firstHop, !history.hasEverBeen(firstHop) {
            return breach(
                "`\(path)` was announced as the content of somebody who does not publish it", "first hop \(firstHop)",
                "hop.oldest-first")
        }
        let headline = "`\(path)` was announced, which nobody publishes any more"
        return view.announcements <= 1
            ? breach(headline, "announced to a watcher that came after its end", "announce.not-replayed")
            : breach(headline, "announced again after its end", "announce.order-kept")
    }

    // MARK: At rest

    /// What does not agree once everything has taken effect: nothing is under way, and on each of the `serving`
    /// sessions the relay has answered since. `reading` tells which requests for announcements are read.
    public func disagreements(
        serving: (PublisherSession) -> Bool, reading: (Int) -> Bool
    ) -> [ModelBreach] {
        var breaches: [ModelBreach] = []
        let paths = histories.keys.sorted()
        for number in watches.indices where watches[number].isOpen && reading(number) {
            for path in paths where Self.lies(path, under: watches[number].prefix) {
                guard let history = histories[path], !history.isTainted else { continue }
                let view = knowledge(of: path, in: watches[number])
                guard !view.isLost else { continue }
                if let breach = disagreement(path, history, view, watches[number], serving) { breaches.append(breach) }
            }
        }
        return breaches
    }

    private func disagreement(
        _ path: String, _ history: PathHistory, _ view: View, _ watch: Watch, _ serving: (PublisherSession) -> Bool
    ) -> ModelBreach? {
        let outcome = history.outcome(for: watch.audience, serving: serving)
        func breach(_ headline: String, _ actual: String, _ requirements: [String]) -> ModelBreach {
            ModelBreach(
                actor: watch.audience.actor, headline: headline, expected: "what the publishers did: \(history.story)",
                actual: actual, requirements: ["announce.views-agree"] + requirements)
        }
        if outcome.mustBeLive, !view.isActive {
            let wasThere =
                view.announcements == 0
                && history.publishers.contains { publisher in
                    publisher.operations.last.map { $0.change != .end && $0.begun < watch.begun } ?? false
                }
            return breach(
                "`\(path)` is live at the end of the steps, and the watcher does not know of it",
                view.announcements == 0 ? "never announced to it" : "ended for it",
                [wasThere ? "announce.replay" : "announce.active-to-watchers"])
        }
        if view.isActive, !outcome.mayBeLive {
            if watch.lacksReplayedEnds, isReplayed(view, history, watch) { return nil }
            return breach(
                "`\(path)` is over at the end of the steps, and the watcher does not know of it",
                "announced and not ended", ["announce.end-on-withdrawal"])
        }
        if view.isActive, let shown = view.firstHop, let identities = outcome.identities, !identities.contains(shown) {
            return breach(
                "`\(path)` is shown to the watcher as content that is over",
                "first hop \(shown)", ["announce.order-kept"])
        }
        if let told = view.waiting.first, !told.isActive, history.publishers.allSatisfy({ serves($0, serving) }) {
            return breach(
                "the end of `\(path)` was told, although nobody had withdrawn it", "an end", ["announce.order-kept"])
        }
        return nil
    }

    private func serves(_ publisher: PathHistory.Publisher, _ serving: (PublisherSession) -> Bool) -> Bool {
        publisher.operations.last?.change == .end || serving(publisher.session)
    }

    private func isReplayed(_ view: View, _ history: PathHistory, _ watch: Watch) -> Bool {
        view.announcements == 1
            && history.publishers.contains { $0.operations.contains { $0.begun < (watch.heard ?? watch.begun) } }
    }
}
