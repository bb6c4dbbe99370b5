import CShim
import Glibc
import MoqBase

/// The memory that datagrams are received into, used again for every call.
final class ReceiveBuffer {
    /// How many batches are taken in one call. Each can hold 64 KiB.
    private static let slots = 8
    private static let slotSize = 65_536
    /// How many bytes of a stream are taken in one call at most.
    static let streamPiece = slotSize

    private let memory: UnsafeMutablePointer<UInt8>
    private var arrivals = [shim_arrival](repeating: shim_arrival(), count: ReceiveBuffer.slots)

    init() {
        memory = .allocate(capacity: Self.slots * Self.slotSize)
    }

    deinit {
        memory.deallocate()
    }

    /// What one call gave.
    enum Outcome {
        /// Batches, and whether more may wait.
        case batches([DatagramBatch], mayHaveMore: Bool)
        /// An error of the network about an earlier datagram.
        case refused
        /// Nothing waits.
        case nothing
    }

    /// Receives what waits on a socket, up to the size of this buffer.
    func receive(from socket: DatagramSocket) -> Outcome {
        let count = Int(
            shim_udp_receive(socket.descriptor, memory, Self.slotSize, &arrivals, Int32(Self.slots)))
        guard count >= 0 else {
            switch Int32(truncatingIfNeeded: -count) {
            case EAGAIN: return .nothing
            case EINTR: return .batches([], mayHaveMore: true)
            default: return .refused
            }
        }
        var batches: [DatagramBatch] = []
        batches.reserveCapacity(count)
        for index in 0..<count where arrivals[index].length > 0 {
            let arrival = arrivals[index]
            let start = memory + index * Self.slotSize
            let bytes = [UInt8](UnsafeBufferPointer(start: start, count: Int(arrival.length)))
            let segment = arrival.segment > 0 ? Int(arrival.segment) : bytes.count
            batches.append(DatagramBatch(remote: NetworkAddress(arrival.from), bytes: bytes, segmentSize: segment))
        }
        return .batches(batches, mayHaveMore: count == Self.slots)
    }

    /// Reads bytes of a stream into the same memory; gives the count, or an error number negated.
    func receive(fromStream descriptor: Int32) -> (count: Int64, bytes: [UInt8]) {
        let count = shim_stream_receive(descriptor, memory, Self.slotSize)
        return (count, count > 0 ? [UInt8](UnsafeBufferPointer(start: memory, count: Int(count))) : [])
    }
}
