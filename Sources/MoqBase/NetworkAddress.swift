/// An IP address and a port, as numbers: comparable, hashable, and the same in both worlds.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host part.
    public enum Host: Hashable, Sendable {
        /// Four bytes, network order.
        case v4(UInt32)
        /// Sixteen bytes, network order, as two words.
        case v6(high: UInt64, low: UInt64)
    }

    /// The host.
    public var host: Host
    /// The port, 0 to let the driver choose.
    public var port: UInt16

    /// Makes an address of its parts.
    public init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// 127.0.0.1 with the given port.
    public static func loopback(port: UInt16) -> NetworkAddress {
        NetworkAddress(host: .v4(0x7F00_0001), port: port)
    }

    /// Whether the host is in 127.0.0.0/8 or is ::1.
    public var isLoopback: Bool {
        switch host {
        case .v4(let word): word >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }

    public var description: String {
        switch host {
        case .v4(let word):
            return "\(word >> 24).\(word >> 16 & 255).\(word >> 8 & 255).\(word & 255):\(port)"
        case .v6(let high, let low):
            let groups = [high, low].flatMap { word in
                stride(from: 48, through: 0, by: -16).map { String(word >> UInt64($0) & 0xFFFF, radix: 16) }
            }
            return high == 0 && low == 1 ? "[::1]:\(port)" : "[\(groups.joined(separator: ":"))]:\(port)"
        }
    }
}
