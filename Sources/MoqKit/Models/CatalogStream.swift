/// `Broadcast.catalogs()`: the snapshots of one broadcast, each in the place of the one before. However it ends, the
/// broadcast is offline for the application: to throw and to complete mean the same.
public final class CatalogStream: UpstreamReader {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case subscribing, waiting, live, ended
    }

    /// Reads one catalog; an error in words is what the native reader says.
    public typealias Decoder = ([UInt8]) -> Result<CatalogSnapshot, CatalogProblem>

    /// Where it stands.
    public private(set) var state = State.subscribing
    /// The newest snapshot.
    public private(set) var newest: CatalogSnapshot?
    /// How many snapshots there were.
    public private(set) var count = 0
    /// How it ended.
    public private(set) var end: UpstreamEnd?
    private var newestGroup: UInt64?
    private let object: String
    private let decode: Decoder
    private let port: ModelPort

    /// The priority with which the kits ask for catalogs.
    static let priority: UInt8 = 100
    /// The only track that the kits read catalogs from.
    static let track = "catalog.json"

    init(_ object: String, port: ModelPort, decode: @escaping Decoder) {
        self.object = object
        self.port = port
        self.decode = decode
    }

    private func move(to next: State, by input: String, _ values: [ModelStep.Value] = []) {
        port.step("catalog", object, from: state.rawValue, input, to: next.rawValue, values)
        state = next
    }

    func accepted() {
        if state == .subscribing { move(to: .waiting, by: "accepted") }
    }

    func groupOpened(_ sequence: UInt64) { accepted() }

    func frame(_ sequence: UInt64, index: UInt64, _ payload: [UInt8]) {
        accepted()
        guard state != .ended else { return }
        // A group older than the newest was overtaken.
        if let newestGroup, sequence < newestGroup { return }
        newestGroup = sequence
        switch decode(payload) {
        case .success(let snapshot):
            newest = snapshot
            count += 1
            move(to: .live, by: "snapshot")
        case .failure(let problem): finish(.undecodable("json: \(problem.text)"), by: "undecodable")
        }
    }

    func groupEnded(_ sequence: UInt64, _ end: UpstreamEnd) {
        if case .code = end, state == .waiting || state == .live, sequence == newestGroup { finish(end, by: "ended") }
    }

    func ended(_ end: UpstreamEnd) { finish(end, by: state == .subscribing ? "refused" : "ended") }

    /// The application leaves, or its owner is gone.
    func close() { finish(.local, by: "close") }

    private func finish(_ end: UpstreamEnd, by input: String) {
        guard state != .ended else { return }
        self.end = end
        move(to: .ended, by: input, [.word("end", end.word)])
    }
}

/// Why a catalog cannot be read.
public struct CatalogProblem: Error, Hashable, Sendable {
    /// In words.
    public var text: String

    /// A problem in words.
    public init(_ text: String) { self.text = text }
}
