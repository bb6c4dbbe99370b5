import MoqBase

/// One parameter of the setup exchange of 01 and 02, in the form of IETF draft 14: an even id has a number, an odd one
/// bytes. Servers that choose a lite version look at none of them (observed on 0.3.12).
public enum ExchangeParameter: Hashable, Sendable {
    /// A number, for an even id.
    case number(id: UInt64, UInt64)
    /// Bytes, for an odd id.
    case bytes(id: UInt64, [UInt8])

    /// The request path: what the original client sends where the binding carries none.
    public static let pathID: UInt64 = 1
    /// How many requests the peer may make; the original client allows 2^32 - 1.
    public static let maximumRequestID: UInt64 = 2
    /// The name of the implementation.
    public static let nameID: UInt64 = 7

    /// The id on the wire.
    public var id: UInt64 {
        switch self {
        case .number(let id, _), .bytes(let id, _): id
        }
    }
}

extension BodyReader {
    mutating func exchangeParameters() throws(WireError) -> [ExchangeParameter] {
        let count = try varint("parameter count")
        guard count <= UInt64(WireLimits.setupParameters) else {
            throw .tooMany(field("parameters"), count: count, limit: WireLimits.setupParameters)
        }
        var parameters: [ExchangeParameter] = []
        for _ in 0..<count {
            let id = try varint("parameter id")
            if parameters.contains(where: { $0.id == id }) { throw .repeated(field("parameter id"), value: id) }
            if id % 2 == 0 {
                parameters.append(.number(id: id, try varint("parameter")))
            } else {
                parameters.append(.bytes(id: id, try counted("parameter")))
            }
        }
        return parameters
    }
}

extension BodyWriter {
    mutating func exchangeParameters(_ parameters: [ExchangeParameter]) throws(WireError) {
        guard parameters.count <= WireLimits.setupParameters else {
            throw .tooMany(field("parameters"), count: UInt64(parameters.count), limit: WireLimits.setupParameters)
        }
        try varint(UInt64(parameters.count), "parameter count")
        for parameter in parameters {
            try varint(parameter.id, "parameter id")
            switch parameter {
            case .number(let id, let value):
                guard id % 2 == 0 else { throw .illegal(field("parameter id"), value: id, rule: "even for a number") }
                try varint(value, "parameter")
            case .bytes(let id, let bytes):
                guard id % 2 == 1 else { throw .illegal(field("parameter id"), value: id, rule: "odd for bytes") }
                counted(bytes)
            }
        }
    }
}
