import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// One group that somebody inside the relay wants whole: the HTTP service.
///
/// The owner looks at `state` whenever it likes and calls `cancel` when it has seen enough.
public final class RelayFetch: TrackDemand, TrackReader {
    /// Which group.
    public enum Which: Hashable, Sendable {
        case number(UInt64)
        /// The newest that there is, or the next one that comes.
        case latest
    }

    /// How far it is.
    public enum State: Hashable, Sendable {
        case waiting
        /// The payloads of all frames, one behind the other.
        case ready([UInt8])
        /// There is no such broadcast, track or group.
        case notFound
        /// It cannot be had, for this reason.
        case failed(String)
    }

    private unowned let core: RelayCore
    private let track: RelayTrack
    private let generation: CodeGeneration
    private var store: TrackStore?
    private var job: FetchJob?
    private var group: CachedGroup?
    private var failure: StreamCode?

    init(core: RelayCore, track: RelayTrack) {
        self.core = core
        self.track = track
        generation = core.configuration.generation
    }

    /// Begins to look for the group.
    func begin(_ which: Which, at now: Instant) {
        switch which {
        case .number(let number):
            let key = FetchJob.Key(group: number, frameStart: 0, frameEnd: nil)
            switch core.find(key, priority: 0, in: track, at: now) {
            case .kept(let kept): group = kept
            case .running(let running):
                running.readerCount += 1
                job = running
                group = running.group
            case .refused(let code): failure = code
            }
        case .latest:
            track.prepareForDemand()
            store = track.store
            track.store.attach(self)
            track.add(self, at: now)
        }
    }

    /// How far it is.
    public var state: State {
        if let failure { return describe(failure) }
        if group == nil {
            group = store?.latestGroup
            if group == nil, let store {
                switch store.ending {
                case .live: return .waiting
                case .finished: return .notFound
                case .aborted(let code): return describe(code)
                }
            }
        }
        return read()
    }

    private func read() -> State {
        guard let group else { return .waiting }
        guard group.state != .open else { return .waiting }
        var bytes: [UInt8] = []
        var next = 0
        while true {
            switch group.read(next) {
            case .frame(let frame): bytes += frame.payload
            case .end: return .ready(bytes)
            case .part, .wait: return .waiting
            case .aborted(let code): return describe(code)
            case .removed: return .failed("the group left the cache")
            case .lagged: return .failed("the group is larger than what is kept of one")
            }
            next += 1
        }
    }

    private func describe(_ code: StreamCode) -> State {
        guard case .code(let number) = code else { return .failed("the publisher gave up") }
        let conditions = CodeTable.conditions(of: number, in: generation, on: .reset)
        if conditions.contains(.notFound) || conditions.contains(.unroutable) { return .notFound }
        return .failed("it ended with code \(CodeTable.describe(number, in: generation, on: .reset))")
    }

    /// Wants no more. Must be called in the end, whatever the state.
    public func cancel(at now: Instant) {
        core.perform(at: now) {
            if let job {
                self.job = nil
                core.release(job)
            }
            if let store {
                self.store = nil
                store.detach(self)
                track.remove(self, at: now)
            }
        }
    }

    // MARK: Demand

    var wanted: DemandPolicy.Wanted { DemandPolicy.Wanted(options: SubscribeOptions(), isFloor: false) }

    func accept() {}

    func fail(_ code: StreamCode) {
        if group == nil { failure = code }
    }

    public func trackChanged() {}

    public func trackDatagram(sequence: UInt64, timestamp: UInt64, payload: [UInt8]) {}
}

extension RelayCore {
    /// Looks for a group of a broadcast at a full path. Nil when nothing is announced there.
    public func fetch(
        _ which: RelayFetch.Which, of name: TrackName, at path: BroadcastPath, now: Instant
    ) -> RelayFetch? {
        guard let content = content(at: path, through: { _ in true }), let track = track(name, of: content) else {
            return nil
        }
        let fetch = RelayFetch(core: self, track: track)
        perform(at: now) {
            fetch.begin(which, at: now)
            if track.isIdle { track.drive(at: now) }
        }
        return fetch
    }
}
