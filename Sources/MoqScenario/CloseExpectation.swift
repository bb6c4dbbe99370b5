/// A way in which a session is refused or closed.
public enum CloseWay: Hashable, Sendable, CustomStringConvertible {
    /// A close with a code of the session. `unauthorized` is also an HTTP status of 401 or 403.
    case code(Code)
    /// An HTTP status in answer to the CONNECT or the upgrade.
    case status(Int)
    /// No protocol name in common, however the transport says that.
    case noProtocol
    /// A close with a code of the transport's own: QUIC's, Qmux's, or WebSocket's close codes.
    case transport(UInt64)
    /// A TLS alert.
    case alert(UInt64)

    /// The way as it is written in a scenario.
    public var description: String {
        switch self {
        case .code(let code): code.description
        case .status(let status): "HTTP status \(status)"
        case .noProtocol: "no protocol in common"
        case .transport(let code): "the transport's code 0x\(String(code, radix: 16))"
        case .alert(let number): "TLS alert \(number)"
        }
    }
}

/// The ways of being refused or closed that are right at one place.
public enum CloseExpectation: Hashable, Sendable, CustomStringConvertible {
    /// Whatever it is.
    case any
    /// One of these.
    case oneOf([CloseWay])

    /// The ways as they are written in a scenario.
    public var description: String {
        switch self {
        case .any: "any"
        case .oneOf(let ways): ways.map(\.description).joined(separator: " or ")
        }
    }
}

/// What a session that came up agreed on. What is nil may be anything.
public struct AgreementExpectation: Equatable, Sendable {
    /// The version, by its whole name.
    public var version: String?
    /// The protocol name; `none` for a binding that agreed on no name.
    public var protocolName: String?
    /// The transport.
    public var transport: String?

    /// An expectation of its parts.
    public init(version: String? = nil, protocolName: String? = nil, transport: String? = nil) {
        self.version = version
        self.protocolName = protocolName
        self.transport = transport
    }

    /// What stands for a protocol that was not named.
    public static let noProtocolName = "none"
}

extension ReadingContext {
    /// A way of being closed, `any`, or `{ any_of: [...] }`.
    func closes(_ node: YAMLNode, _ name: String) -> CloseExpectation? {
        _ = notes(.words(["any", "no_protocol"]), node.span)
        if case .scalar("any", _) = node.content { return .any }
        guard case .mapping(let entries) = node.content, entries.first?.key == "any_of" else {
            return closeWay(node, name).map { .oneOf([$0]) }
        }
        guard let reader = MappingReader(node, of: name, context: self) else { return nil }
        let set = reader.need("any_of")
        reader.finish()
        guard let set, case .sequence(let items) = set.value.content, !items.isEmpty else {
            return wrong(node, "any_of", expected: "a list of codes and other ways to be closed")
        }
        let ways = items.compactMap { closeWay($0, "any_of") }
        return ways.isEmpty ? nil : .oneOf(ways)
    }

    private func closeWay(_ node: YAMLNode, _ name: String) -> CloseWay? {
        switch node.content {
        case .scalar("no_protocol", _): return .noProtocol
        case .scalar: return code(node, name).map(CloseWay.code)
        case .sequence: return wrong(node, name, expected: "a set is written `{ any_of: [...] }`")
        case .mapping:
            guard let reader = MappingReader(node, of: name, context: self) else { return nil }
            let status = reader.integer("status", in: 100...599).map { CloseWay.status(Int($0)) }
            let alert = reader.integer("alert", in: 0...255).map(CloseWay.alert)
            let transport = reader.integer("transport").map(CloseWay.transport)
            for (first, second) in [("status", "alert"), ("status", "transport"), ("alert", "transport")] {
                reader.exclude(first, second, because: "a session ends once")
            }
            if !reader.keys.contains("any_of") { _ = reader.take("any_of") }
            reader.finish()
            if reader.keys.isEmpty {
                error(node.span, "`\(name)` says no way", expected: "one of `status`, `alert`, `transport`, `any_of`")
            }
            return status ?? alert ?? transport
        }
    }
}
