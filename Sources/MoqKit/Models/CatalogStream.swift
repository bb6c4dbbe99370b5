/// `Broadcast.catalogs()`: the snapshots of one broadcast, each in the place of the one before. However it ends, the
/// broadcast is offline for the application: to throw and to complete mean the same.
public final class CatalogStream: UpstreamReader {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case subscribing, waiting, live, ended
    }

    /// Reads one catalog; an error in words is what the native reader says.
    public typealias Decoder = ([UInt8]) -> Result<CatalogSnapshot, CatalogProblem>

    /// Follows a catalog track, frame by frame with its group and its number in that; nil where nothing new is known.
    public typealias Follower = (_ frame: [UInt8], _ group: UInt64, _ index: UInt64) -> Result<
        CatalogSnapshot?, CatalogProblem
    >

    /// Where it stands.
    public private(set) var state = State.subscribing
    /// The newest snapshot.
    public private(set) var newest: CatalogSnapshot?
    /// How many snapshots there were.
    public private(set) var count = 0
    /// How it ended.
    public private(set) var end: UpstreamEnd?
    /// Grows with every change of what is told of it.
    public private(set) var revision = 1
    var id: Int?
    private var newestGroup: UInt64?
    private let object: String
    private let session: String
    private let follow: Follower
    private let port: ModelPort

    /// The priority with which the kits ask for catalogs.
    static let priority: UInt8 = 100
    /// The only track that the kits read catalogs from.
    public static let track = "catalog.json"

    init(_ object: String, of session: String, port: ModelPort, follow: @escaping Follower) {
        self.object = object
        self.session = session
        self.port = port
        self.follow = follow
        port.step("catalog", object, of: session, "iterate", to: state.rawValue)
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("catalog", object, of: session, input, values, to: next.rawValue)
        state = next
        revision += 1
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
        switch follow(payload, sequence, index) {
        case .success(nil): return
        case .success(let snapshot?):
            newest = snapshot
            count += 1
            move(to: .live, by: "snapshot")
        case .failure(let problem): finish(.undecodable("json: \(problem.text)"), by: "undecodable")
        }
    }

    func groupEnded(_ sequence: UInt64, _ end: UpstreamEnd) {
        guard case .code(let code) = end, state == .waiting || state == .live, sequence == newestGroup else { return }
        finish(end, by: "track.failed", ["code": .number(Int(clamping: code))])
    }

    func ended(_ end: UpstreamEnd) {
        switch end {
        case .local: finish(end, by: "cancel")
        case .clean:
            accepted()
            finish(end, by: "track.ended")
        case .code, .sessionLost, .undecodable:
            finish(end, by: state == .subscribing ? "refused" : "track.failed", ["code": .number(end.code)])
        }
    }

    /// The application leaves, or its owner is gone.
    func close() { finish(.local, by: "cancel") }

    private func finish(_ end: UpstreamEnd, by input: String, _ values: MachineValues = [:]) {
        guard state != .ended else { return }
        self.end = end
        move(to: .ended, by: input, values)
    }
}

/// Why a catalog cannot be read.
public struct CatalogProblem: Error, Hashable, Sendable {
    /// In words.
    public var text: String

    /// A problem in words.
    public init(_ text: String) { self.text = text }
}
