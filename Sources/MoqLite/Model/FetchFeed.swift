import MoqTransport
import MoqWire

/// Serves one fetch of a peer from one group, which may still be growing.
public final class FetchFeed: GroupReader {
    /// The fetch as the session knows it.
    public let fetch: IncomingFetchID
    /// Where the frames come from.
    public let group: CachedGroup
    /// Is called when there is something to pump, once until the next `pump`.
    public var onWork: ((FetchFeed) -> Void)?
    /// Whether the fetch is over for this side.
    public private(set) var isDone = false

    private let outlet: any FetchOutlet
    private let generation: CodeGeneration
    private var next: Int
    private let last: Int?
    private var isQueued = false

    /// Serves the frames from `frameStart` through `frameEnd` (nil, or more than there are: to the last).
    public init(
        outlet: any FetchOutlet, fetch: IncomingFetchID, group: CachedGroup, frameStart: UInt64 = 0,
        frameEnd: UInt64? = nil, generation: CodeGeneration
    ) {
        self.outlet = outlet
        self.fetch = fetch
        self.group = group
        self.generation = generation
        next = Int(clamping: frameStart)
        last = frameEnd.map { Int(clamping: $0) }
        group.attach(self)
    }

    /// Asks for a pump.
    public func wake() {
        guard !isQueued, !isDone else { return }
        isQueued = true
        onWork?(self)
    }

    func groupChanged(_ group: CachedGroup) {
        wake()
    }

    /// The peer gave up, or the session is over.
    public func cancel() {
        close()
    }

    /// Sends what can be sent.
    public func pump() {
        isQueued = false
        while !isDone {
            if let last, next > last { return finish() }
            switch group.read(next) {
            case .frame(let frame):
                guard outlet.canWriteFetch(fetch) else { return }
                outlet.writeFetchFrame(fetch, frame)
                next += 1
            case .part, .wait: return
            case .end: return finish()
            case .aborted(let code): return refuse(code)
            case .removed(let why):
                return refuse(FeedPolicy.code(FeedPolicy.condition(of: why), generation, on: .reset))
            case .lagged: return refuse(FeedPolicy.code(.lagged, generation, on: .reset))
            }
        }
    }

    private func finish() {
        outlet.finishFetch(fetch)
        close()
    }

    private func refuse(_ code: StreamCode) {
        outlet.refuseFetch(fetch, code: code)
        close()
    }

    private func close() {
        guard !isDone else { return }
        isDone = true
        group.detach(self)
        isQueued = true
        onWork?(self)
        onWork = nil
    }
}
