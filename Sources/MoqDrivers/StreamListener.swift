import CShim
import Glibc
import MoqBase

/// A TCP socket that accepts connections.
final class StreamListener {
    /// How many connections may wait to be accepted: all that may be open. The kernel drops what comes beyond that, and
    /// its clients wait a second until they try again.
    private static let backlog = Int32(SocketDriver.connectionLimit)

    let descriptor: Int32
    let address: NetworkAddress
    let token: UInt64
    let accept: (NetworkAddress) -> (any ByteStreamMachine)?
    /// Until when no connection is accepted, because the process has no descriptor left for one.
    var pausedUntil: Instant?

    /// Listens at an address, whose port may be 0.
    init(
        _ wanted: NetworkAddress, token: UInt64, accept: @escaping (NetworkAddress) -> (any ByteStreamMachine)?
    ) throws(DriverError) {
        self.token = token
        self.accept = accept
        descriptor = shim_tcp_open(wanted.isV6 ? 1 : 0, wanted.isV6 && wanted.isWildcard ? 1 : 0)
        guard descriptor >= 0 else { throw SystemError.binding(wanted, Int(descriptor)) }
        var given = wanted.forShim
        var code = shim_bind(descriptor, &given, wanted.isV6 ? 1 : 0)
        if code == 0 { code = shim_listen(descriptor, Self.backlog) }
        if code == 0 { code = shim_local_address(descriptor, &given) }
        var address = wanted
        address.port = given.port
        self.address = address
        // The descriptor is closed by deinit, which runs also when this throws.
        if code < 0 { throw SystemError.binding(wanted, Int(code)) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
