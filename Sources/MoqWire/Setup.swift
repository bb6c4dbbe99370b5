/// How much a side can tell about the path (SETUP parameter 1).
public enum ProbeLevel: UInt64, Sendable, CaseIterable {
    case none = 0
    /// Answers Probe streams with measurements.
    case report = 1
    /// Would also send more to find out; nobody announces it.
    case increase = 2
}

/// What a client means to do (SETUP parameter 3); absent, or another number, means both.
public enum SetupRole: UInt64, Sendable, CaseIterable {
    case publisher = 1
    case subscriber = 2
}

/// One parameter of SETUP.
public enum SetupParameter: Hashable, Sendable {
    /// Id 1. Larger numbers than 2 read as 2.
    case probe(UInt64)
    /// Id 2: path and query of the URL; client only, where the binding has no request of its own.
    case path(String)
    /// Id 3: a `SetupRole`; client only.
    case role(UInt64)
    /// Id 4: what pulling from the sender costs.
    case cost(UInt64)
    /// Id 5: the sender's hop id; 0 reads as absent.
    case hop(UInt64)
    /// Any other id: kept, and passed over.
    case unknown(id: UInt64, bytes: [UInt8])

    /// The id on the wire.
    public var id: UInt64 {
        switch self {
        case .probe: 1
        case .path: 2
        case .role: 3
        case .cost: 4
        case .hop: 5
        case .unknown(let id, _): id
        }
    }
}

/// SETUP (05 and later): sent once by each side on a unidirectional stream of its own, before everything else.
public struct Setup: StreamOpeningMessage {
    public static let messageName = "SETUP"
    public static var streamType: UInt64 { UnidirectionalStreamType.setup.rawValue }
    public static var bodyLimit: Int { WireLimits.setupBytes }

    /// The parameters in the order of the wire, which means nothing; no id occurs twice.
    public var parameters: [SetupParameter]

    /// A SETUP with these parameters.
    public init(parameters: [SetupParameter]) {
        self.parameters = parameters
    }

    /// A SETUP with those parameters that are given.
    public init(
        probe: ProbeLevel? = nil, path: String? = nil, role: SetupRole? = nil, cost: UInt64? = nil, hop: UInt64? = nil
    ) {
        parameters = []
        if let probe { parameters.append(.probe(probe.rawValue)) }
        if let path { parameters.append(.path(path)) }
        if let role { parameters.append(.role(role.rawValue)) }
        if let cost { parameters.append(.cost(cost)) }
        if let hop { parameters.append(.hop(hop)) }
    }

    /// What the sender can measure; absent means nothing.
    public var probe: ProbeLevel {
        for case .probe(let level) in parameters { return ProbeLevel(rawValue: level) ?? .increase }
        return .none
    }

    /// The request path with its query, if there is one that is not empty.
    public var path: String? {
        for case .path(let path) in parameters where !path.isEmpty { return path }
        return nil
    }

    /// What the client means to do; nil for both.
    public var role: SetupRole? {
        for case .role(let role) in parameters { return SetupRole(rawValue: role) }
        return nil
    }

    /// What pulling from the sender costs; 1 when it says nothing.
    public var cost: UInt64 {
        for case .cost(let cost) in parameters { return cost }
        return 1
    }

    /// The sender's hop id, if it says one.
    public var hop: UInt64? {
        for case .hop(let hop) in parameters where hop != 0 { return hop }
        return nil
    }

    public static func isDefined(in version: Version) -> Bool { version.hasSetup }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Setup {
        var body = BodyReader(raw.body, message: messageName)
        let count = try body.varint("parameter count")
        guard count <= UInt64(WireLimits.setupParameters) else {
            throw .tooMany(body.field("parameters"), count: count, limit: WireLimits.setupParameters)
        }
        var setup = Setup(parameters: [])
        for _ in 0..<count {
            let id = try body.varint("parameter id")
            if setup.parameters.contains(where: { $0.id == id }) {
                throw .repeated(body.field("parameter id"), value: id)
            }
            setup.parameters.append(try parameter(id: id, bytes: try body.counted("parameter")))
        }
        try body.finish()
        return setup
    }

    private static func parameter(id: UInt64, bytes: [UInt8]) throws(WireError) -> SetupParameter {
        func number(_ name: String) throws(WireError) -> UInt64 {
            var reader = BodyReader(bytes, message: "SETUP \(name) parameter")
            let value = try reader.varint("value")
            try reader.finish()
            return value
        }
        switch id {
        case 1: return .probe(try number("probe"))
        case 2:
            guard let path = String(validating: bytes, as: UTF8.self) else {
                throw .invalidUTF8(WireField(messageName, "path"))
            }
            return .path(path)
        case 3: return .role(try number("role"))
        case 4: return .cost(try number("cost"))
        case 5: return .hop(try number("hop"))
        default: return .unknown(id: id, bytes: bytes)
        }
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        guard parameters.count <= WireLimits.setupParameters else {
            throw .tooMany(
                body.field("parameters"), count: UInt64(parameters.count), limit: WireLimits.setupParameters)
        }
        try body.varint(UInt64(parameters.count), "parameter count")
        for parameter in parameters {
            try body.varint(parameter.id, "parameter id")
            var value = BodyWriter(message: Self.messageName)
            switch parameter {
            case .probe(let number), .role(let number), .cost(let number), .hop(let number):
                try value.varint(number, "parameter")
            case .path(let path): value.append(Array(path.utf8))
            case .unknown(_, let bytes): value.append(bytes)
            }
            body.counted(value.bytes)
        }
        return RawMessage(body: body.bytes)
    }
}
