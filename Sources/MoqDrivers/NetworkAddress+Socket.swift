import CShim
import Glibc
import MoqBase

extension NetworkAddress {
    /// The address as the shim takes it.
    var forShim: shim_address {
        switch host {
        case .v4(let word): shim_address(high: 0, low: UInt64(word), port: port, is_v6: 0)
        case .v6(let high, let low): shim_address(high: high, low: low, port: port, is_v6: 1)
        }
    }

    /// The address that the shim gave.
    init(_ address: shim_address) {
        self.init(
            host: address.is_v6 != 0
                ? .v6(high: address.high, low: address.low) : .v4(UInt32(truncatingIfNeeded: address.low)),
            port: address.port)
    }

    /// How many addresses of one host are looked at; more only make a failing connect longer.
    private static let resolvedLimit = 16

    /// The addresses of a host name or a literal address (brackets of IPv6 may stay), in the system's order of
    /// preference and without repetition.
    ///
    /// Asks the system's resolver, so it may take as long as the resolver's own timeout (10 s by default).
    public static func resolve(host: String, port: UInt16) throws(DriverError) -> [NetworkAddress] {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isBracketed ? String(host.dropFirst().dropLast()) : host
        var found = [shim_address](repeating: shim_address(), count: resolvedLimit)
        let count = shim_resolve(name, &found, Int32(resolvedLimit))
        guard count > 0 else {
            let why = count == 0 ? "it has no IP address" : String(cString: gai_strerror(count))
            throw .cannotResolve(host, "\(why); check the spelling, or give an IP address")
        }
        var addresses: [NetworkAddress] = []
        for entry in found.prefix(Int(count)) {
            var address = NetworkAddress(entry)
            address.port = port
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }
}

/// Numbers of the operating system's errors, as the shim gives them (negated).
enum SystemError {
    /// The system's words for an error number, negated or not.
    static func text(_ number: Int) -> String {
        String(cString: strerror(Int32(truncatingIfNeeded: abs(number))))
    }

    /// What stopped a socket from getting its address, and what to try.
    static func binding(_ address: NetworkAddress, _ number: Int) -> DriverError {
        let words = text(number)
        switch Int32(truncatingIfNeeded: abs(number)) {
        case EADDRINUSE:
            return .cannotBind(
                address, "\(words); stop the process that has the port, or take another (0 picks a free one)")
        case EACCES, EPERM:
            return .cannotBind(address, "\(words); ports below 1024 need privileges, take one from 1024 on")
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            return .addressUnavailable(
                address, "\(words); no interface of this machine has it, try 127.0.0.1")
        case EMFILE, ENFILE:
            return .cannotBind(address, "\(words); raise the limit with 'ulimit -n', or run fewer jobs at once")
        default:
            return .cannotBind(address, words)
        }
    }
}
