/// How a subscription, or a group of it, came to its end.
public enum UpstreamEnd: Hashable, Sendable {
    /// In good order.
    case clean
    /// Reset by the relay with a code.
    case code(UInt64)
    /// The session is gone.
    case sessionLost
    /// This side left.
    case local
    /// What came cannot be read.
    case undecodable(String)

    /// What the application is shown of it; nil for none.
    public var text: String? {
        switch self {
        case .clean, .local: nil
        case .code(let code): "remote error: code=\(code)"
        case .sessionLost: "transport error: session closed"
        case .undecodable(let what): what
        }
    }

    /// Its number; that of the transport for the loss of the session.
    var code: Int {
        switch self {
        case .code(let code): Int(clamping: code)
        case .sessionLost: 4
        case .clean, .local, .undecodable: 0
        }
    }
}

/// Who reads what a subscription brings.
protocol UpstreamReader: AnyObject {
    /// The relay said yes, or the first group came.
    func accepted()
    /// A group begins.
    func groupOpened(_ sequence: UInt64)
    /// A whole frame of a group.
    func frame(_ sequence: UInt64, index: UInt64, _ payload: [UInt8])
    /// A group is over.
    func groupEnded(_ sequence: UInt64, _ end: UpstreamEnd)
    /// The subscription is over.
    func ended(_ end: UpstreamEnd)
}

/// The subscriptions of one session, by number.
final class UpstreamTable {
    private var readers: [Int: any UpstreamReader] = [:]
    private let port: ModelPort

    init(_ port: ModelPort) { self.port = port }

    /// Subscribes for a reader.
    func open(
        _ reader: any UpstreamReader, path: String, track: String, maximumAge: Duration = .zero, priority: UInt8 = 0
    ) -> Int {
        let id = port.newSubscription()
        readers[id] = reader
        port.ask(.subscribe(id: id, path: path, track: track, maximumAge: maximumAge, priority: priority))
        return id
    }

    /// Leaves a subscription: its reader hears nothing more.
    func close(_ id: Int) {
        guard readers.removeValue(forKey: id) != nil else { return }
        port.ask(.unsubscribe(id: id))
    }

    func reader(_ id: Int) -> (any UpstreamReader)? { readers[id] }

    /// The end of a subscription.
    func end(_ id: Int, _ end: UpstreamEnd) { readers.removeValue(forKey: id)?.ended(end) }

    /// The end of all of them.
    func endAll(_ end: UpstreamEnd) {
        for id in readers.keys.sorted() { self.end(id, end) }
    }
}
