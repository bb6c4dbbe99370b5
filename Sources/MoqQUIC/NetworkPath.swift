import CNgtcp2
import Glibc
import MoqBase

/// The addresses of a connection as ngtcp2 wants them, at an address that does not move.
///
/// The local end is made up: a machine does not know its socket, and ngtcp2 only compares.
final class NetworkPath {
    let pointer: UnsafeMutablePointer<ngtcp2_path>
    private let addresses: UnsafeMutablePointer<sockaddr_in6>

    init(remote: NetworkAddress) {
        addresses = .allocate(capacity: 2)
        addresses.initialize(repeating: sockaddr_in6(), count: 2)
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        switch remote.host {
        case .v4(let word):
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            addresses.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { local in
                local.pointee.sin_family = sa_family_t(AF_INET)
                local.pointee.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            }
            (addresses + 1).withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                address.pointee.sin_family = sa_family_t(AF_INET)
                address.pointee.sin_port = remote.port.bigEndian
                address.pointee.sin_addr.s_addr = word.bigEndian
            }
        case .v6(let high, let low):
            addresses[0].sin6_family = sa_family_t(AF_INET6)
            addresses[1].sin6_family = sa_family_t(AF_INET6)
            addresses[1].sin6_port = remote.port.bigEndian
            withUnsafeMutableBytes(of: &addresses[1].sin6_addr) { bytes in
                bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
        }
        pointer = .allocate(capacity: 1)
        let local = UnsafeMutableRawPointer(addresses).assumingMemoryBound(to: sockaddr.self)
        let far = UnsafeMutableRawPointer(addresses + 1).assumingMemoryBound(to: sockaddr.self)
        pointer.initialize(
            to: ngtcp2_path(
                local: ngtcp2_addr(addr: local, addrlen: length), remote: ngtcp2_addr(addr: far, addrlen: length),
                user_data: nil))
    }

    deinit {
        pointer.deallocate()
        addresses.deallocate()
    }
}
