import CShim
import Glibc
import MoqBase

/// One UDP socket: sends whole batches (GSO), receives whole batches (GRO).
final class DatagramSocket {
    /// Room for what a fast peer sends while this thread does something else (about 30 ms at 1 Gbit/s), each way. The
    /// system may allow less.
    static let bufferSize = 4 << 20
    /// How many datagrams the kernel takes in one call (UDP_MAX_SEGMENTS before Linux 6.9).
    var segmentsPerCall = 64
    /// How many bytes the kernel takes in one call: less than the largest IP packet by its headers.
    static let bytesPerCall = 65_000

    let descriptor: Int32
    let address: NetworkAddress
    let token: UInt64
    let isV6: Bool
    unowned let binding: SocketBinding
    /// Whether the driver waits for room.
    var isWatchedForRoom = false
    /// Whether the kernel takes several datagrams in one call.
    private var segmentsInKernel = true
    /// What the kernel had no room for, from which byte on.
    private var waiting: (batch: DatagramBatch, from: Int)? {
        didSet { binding.noteRoom() }
    }

    /// Whether the kernel has no room: nothing more should be sent until it has.
    var isBlocked: Bool { waiting != nil }

    /// Opens a socket at an address, whose port may be 0.
    init(_ wanted: NetworkAddress, token: UInt64, binding: SocketBinding) throws(DriverError) {
        isV6 = wanted.isV6
        self.token = token
        self.binding = binding
        descriptor = shim_udp_open(
            wanted.isV6 ? 1 : 0, wanted.isV6 && wanted.isWildcard ? 1 : 0, Int32(Self.bufferSize))
        guard descriptor >= 0 else { throw SystemError.binding(wanted, Int(descriptor)) }
        var given = wanted.forShim
        var code = shim_bind(descriptor, &given, isV6 ? 1 : 0)
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

    /// Whether datagrams to `remote` can leave here.
    func reaches(_ remote: NetworkAddress) -> Bool {
        isV6 == remote.isV6 || isV6 && address.isWildcard
    }

    /// Sends a batch. What the kernel has no room for is kept, and `isBlocked` is true.
    func send(_ batch: DatagramBatch) {
        send(batch, from: 0)
    }

    /// Goes on with what was kept.
    func resume() {
        guard let (batch, from) = waiting else { return }
        waiting = nil
        send(batch, from: from)
    }

    private func send(_ batch: DatagramBatch, from start: Int) {
        var remote = batch.remote.forShim
        var position = start
        var hasRetried = false
        batch.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            while position < bytes.count {
                let left = bytes.count - position
                let most = segmentsInKernel ? self.mostBytes(batch.segmentSize) : batch.segmentSize
                let count = min(left, most)
                let segment = count > batch.segmentSize ? UInt16(batch.segmentSize) : 0
                let code = shim_udp_send(descriptor, &remote, isV6 ? 1 : 0, base + position, count, segment)
                switch refusal(code, wasSegmented: segment > 0) {
                case .none:
                    position += count
                    hasRetried = false
                case .noRoom:
                    waiting = (batch, position)
                    return
                case .again where !hasRetried:
                    hasRetried = true
                case .again, .lost:
                    // Lost, as on any network.
                    position += count
                    hasRetried = false
                case .segmentation:
                    segmentsInKernel = false
                }
            }
        }
    }

    private enum Refusal {
        case none, noRoom, again, lost, segmentation
    }

    private func refusal(_ code: Int64, wasSegmented: Bool) -> Refusal {
        guard code < 0 else { return .none }
        switch Int32(truncatingIfNeeded: -code) {
        case EAGAIN: return .noRoom
        case EINTR: return .again
        case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN:
            // Told about an earlier datagram; this one was not sent.
            binding.isUnreachable = true
            return .again
        default:
            // EIO, EINVAL, EMSGSIZE and others say that the kernel or the interface cannot cut this batch up.
            return wasSegmented ? .segmentation : .lost
        }
    }

    private func mostBytes(_ segment: Int) -> Int {
        guard segment < Self.bytesPerCall else { return segment }
        return min(segmentsPerCall, Self.bytesPerCall / segment) * segment
    }

    /// Takes the errors that the network reported. Gives whether one says that nobody listens.
    func takeErrors() -> Bool {
        var refused = false
        while true {
            let number = shim_udp_next_error(descriptor)
            if number < 0 { return refused }
            if [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(number) { refused = true }
        }
    }
}
