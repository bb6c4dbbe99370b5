/// An error code, as a scenario names it. Which number a condition has on the wire depends on the relay's generation.
public enum Code: Hashable, Sendable, CustomStringConvertible {
    /// A condition by name: `not_found`.
    case condition(String)
    /// A code of the application's own: `app(7)`.
    case application(UInt64)
    /// A number as it is on the wire, before the mapping of the transport.
    case number(UInt64)
    /// A number as the streams of QUIC carry it, mapped or not; only to be sent.
    case wire(UInt64)

    /// The code as it is written in a scenario.
    public var description: String {
        switch self {
        case .condition(let name): name
        case .application(let value): "app(\(value))"
        case .number(let value): "\(value)"
        case .wire(let value): "wire(\(value))"
        }
    }
}

/// The codes that are right at one place.
public enum CodeExpectation: Hashable, Sendable, CustomStringConvertible {
    /// Whatever it is.
    case any
    /// One of these.
    case oneOf([Code])

    /// The codes as they are written in a scenario.
    public var description: String {
        switch self {
        case .any: "any"
        case .oneOf(let codes): codes.map(\.description).joined(separator: " or ")
        }
    }
}
