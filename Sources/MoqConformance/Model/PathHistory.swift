/// What the publishers of one path have done, and in which orders the relay may have taken it.
///
/// Each session of a publisher does one thing after the other; what two of them do may take effect in any order. So the
/// relay's state is a count for each session: how many of its operations have taken effect. What a watcher was told
/// narrows down which counts are possible; the smallest ones are kept, since the relay may always have gone on
/// without saying so (what is undone at once may be left out).
struct PathHistory {
    /// What a publisher did to its announcement.
    enum Change: Hashable {
        /// It began to announce, as the content that `identity` names: the first hop, nil where it is not known.
        case start(identity: UInt64?)
        /// It announced anew. `canEnd` tells whether watchers may be told so as an end and a beginning.
        case route(identity: UInt64?, canEnd: Bool)
        /// It withdrew, or its session ended.
        case end
    }

    /// One thing that a publisher did.
    struct Operation: Hashable {
        var change: Change
        /// The first moment at which it may have taken effect.
        var begun: Int
        /// False for what the relay may be slow to notice, or may keep for a while: the end of a session.
        var isCertain = true
        /// The announcement may be one that the relay tells nobody of.
        var mayBeHidden = false
        /// The hops on the way to the relay.
        var hops: [UInt64] = []
    }

    /// Who is told.
    struct Audience: Hashable {
        var actor: String
        /// The hop whose routes it is not told of; 0 for none.
        var excludedHop: UInt64 = 0
        /// It can be told of another route only as an end and a beginning.
        var changesEnd = false
    }

    /// One session that published the path.
    struct Publisher {
        var session: PublisherSession
        var operations: [Operation] = []
    }

    /// The counts, in the order of `publishers`; what is missing at the end is 0.
    typealias State = [Int]

    private(set) var publishers: [Publisher] = []
    /// Counts that the relay has certainly come to, since somebody was told of what came of it.
    private(set) var known: State = []
    /// Whether somebody wrote bytes that may have been announcements of it.
    var isTainted = false

    /// Steps of the search for one event: a path with more possible orders than this is not judged any more.
    private static let searchLimit = 4000
    /// Orders that are kept.
    private static let statesKept = 200

    mutating func append(_ operation: Operation, of session: PublisherSession) {
        if let index = publishers.firstIndex(where: { $0.session == session }) {
            publishers[index].operations.append(operation)
        } else {
            publishers.append(Publisher(session: session, operations: [operation]))
        }
    }

    /// Notes that the relay has come at least as far as the least of these states.
    mutating func learn(_ states: [State]) {
        for index in publishers.indices {
            let least = states.map { $0.count > index ? $0[index] : 0 }.min() ?? 0
            while known.count <= index { known.append(0) }
            known[index] = max(known[index], least)
        }
    }

    // MARK: What is live

    /// The identity of the announcement of a publisher after so many of its operations; nil when there is none.
    private func live(_ index: Int, after count: Int) -> UInt64?? {
        guard count > 0 else { return nil }
        switch publishers[index].operations[count - 1].change {
        case .start(let identity), .route(let identity, _): return .some(identity)
        case .end: return nil
        }
    }

    private func live(in state: State) -> [UInt64?] {
        state.indices.compactMap { live($0, after: state[$0]) }
    }

    /// Whether a broadcast is live in a state as content that a watcher was told of.
    private func explains(_ state: State, announced firstHop: UInt64?) -> Bool {
        live(in: state).contains { $0 == nil || firstHop == nil || $0 == firstHop }
    }

    /// Whether what a publisher did last in a state must show: nobody need be told of what is its own.
    private func mustShow(_ operation: Operation, of publisher: Publisher, to audience: Audience) -> Bool {
        publisher.session.actor != audience.actor && !operation.mayBeHidden
            && (audience.excludedHop == 0 || !operation.hops.contains(audience.excludedHop))
    }

    /// Whether a watcher may be told of an end when one more operation of a publisher takes effect.
    private func mayTellAnEnd(_ index: Int, in state: State, _ audience: Audience) -> Bool {
        let before = live(in: state)
        guard !before.isEmpty else { return false }
        let own = live(index, after: state[index])
        let operation = publishers[index].operations[state[index]]
        switch operation.change {
        case .end:
            guard let own else { return false }
            var rest = state
            rest[index] += 1
            let others = live(in: rest)
            // What may be hidden from the watcher, such as its own, need not keep the end from it.
            let isAnyShown = rest.indices.contains { place in
                live(place, after: rest[place]) != nil
                    && mustShow(publishers[place].operations[rest[place] - 1], of: publishers[place], to: audience)
            }
            return audience.changesEnd || !isAnyShown || own == nil || others.contains { $0 == nil || $0 != own }
        case .start(let identity):
            return audience.changesEnd || identity == nil || before.contains { $0 == nil || $0 != identity }
        case .route(let identity, let canEnd):
            return audience.changesEnd || canEnd || identity == nil
                || !mustShow(operation, of: publishers[index], to: audience)
                || before.contains { $0 == nil || $0 != identity }
        }
    }

    /// Whether somebody has published it as content with this first hop, or without one.
    func hasEverBeen(_ firstHop: UInt64) -> Bool {
        publishers.contains { publisher in
            publisher.operations.contains { operation in
                switch operation.change {
                case .start(let identity), .route(let identity, _): identity == nil || identity == firstHop
                case .end: false
                }
            }
        }
    }

    // MARK: Explaining

    /// What came of an attempt to explain something.
    enum Explanation {
        /// It may have come about, and these are the least states in which it has.
        case states([State])
        case none
        /// There are too many orders.
        case tooMany
    }

    /// The states in which a watcher may have been told that the path is live.
    func announced(firstHop: UInt64?, from states: [State], at moment: Int) -> Explanation {
        search(states, moment) {
            explains($0, announced: firstHop)
        } caused: { _, _ in
            false
        }
    }

    /// The states in which a watcher may have been told that it is over, or that other content takes its place.
    func ended(for audience: Audience, from states: [State], at moment: Int) -> Explanation {
        search(states, moment, isGoal: { _ in false }, caused: { mayTellAnEnd($0, in: $1, audience) })
    }

    private func search(
        _ states: [State], _ moment: Int, isGoal: (State) -> Bool, caused: (Int, State) -> Bool
    ) -> Explanation {
        var open = states.map(padded)
        var seen = Set(open)
        var goals: [State] = []
        var next = 0
        while next < open.count {
            let state = open[next]
            next += 1
            if isGoal(state) {
                goals.append(state)
                continue
            }
            for index in publishers.indices where state[index] < publishers[index].operations.count {
                guard publishers[index].operations[state[index]].begun <= moment else { continue }
                var following = state
                following[index] += 1
                if caused(index, state) {
                    goals.append(following)
                } else if seen.insert(following).inserted {
                    open.append(following)
                    if open.count > Self.searchLimit { return .tooMany }
                }
            }
        }
        guard !goals.isEmpty else { return .none }
        let least = Self.least(goals)
        return least.count > Self.statesKept ? .tooMany : .states(least)
    }

    private func padded(_ state: State) -> State {
        state + Array(repeating: 0, count: max(0, publishers.count - state.count))
    }

    /// The states that are not past another one.
    private static func least(_ states: [State]) -> [State] {
        var kept: [State] = []
        for state in states.sorted(by: { $0.reduce(0, +) < $1.reduce(0, +) })
        where !kept.contains(where: { least in zip(least, state).allSatisfy { $0 <= $1 } }) {
            kept.append(state)
        }
        return kept
    }

    // MARK: At rest

    /// What is to be seen of the path once everything has taken effect.
    struct Outcome: Hashable {
        /// A watcher must see it.
        var mustBeLive = false
        /// A watcher may see it.
        var mayBeLive = false
        /// The identities of what may be seen; nil where one of them is not known.
        var identities: [UInt64]? = []
    }

    /// The outcome for a watcher that is an actor of its own; `serving` tells which sessions of publishers the relay
    /// is known to serve.
    func outcome(for audience: Audience, serving: (PublisherSession) -> Bool) -> Outcome {
        var outcome = Outcome()
        for (index, publisher) in publishers.enumerated() {
            guard let last = publisher.operations.last else { continue }
            var identities: [UInt64?] = []
            if last.change != .end {
                outcome.mayBeLive = true
                identities.append(live(index, after: publisher.operations.count) ?? nil)
                if mustShow(last, of: publisher, to: audience), serving(publisher.session) { outcome.mustBeLive = true }
            }
            // An end that the relay may not have noticed yet.
            let behind = known.count > index ? known[index] : 0
            let open = publisher.operations.indices.filter { place in
                place >= behind && publisher.operations[place].change == .end && !publisher.operations[place].isCertain
            }
            for place in open {
                outcome.mayBeLive = true
                identities.append(live(index, after: place) ?? nil)
            }
            for identity in identities {
                if let identity { outcome.identities?.append(identity) } else { outcome.identities = nil }
            }
        }
        return outcome
    }

    /// All that is known of the path, for people.
    var story: String {
        guard !publishers.isEmpty else { return "nobody published it" }
        let told = publishers.map { publisher in
            let changes = publisher.operations.suffix(Self.operationsTold).map { operation in
                switch operation.change {
                case .start: "published"
                case .route: "announced anew"
                case .end: operation.isCertain ? "withdrew" : "left"
                }
            }
            let more = publisher.operations.count > Self.operationsTold ? "…, " : ""
            return "\(publisher.session): \(more)\(changes.joined(separator: ", "))"
        }
        return told.suffix(Self.operationsTold).joined(separator: "; ")
    }

    private static let operationsTold = 8
}
