import CShim
import Glibc
import MoqBase

/// One TCP connection and the machine that speaks on it.
final class StreamConnection {
    /// How long a finished machine's connection stays open without anything moving on it: a peer that neither reads
    /// nor ends is not waited for any longer.
    static let closingLimit: Duration = .seconds(5)
    /// How many pieces are sent or received in one turn before others get theirs.
    static let piecesPerTurn = 64

    let machine: any ByteStreamMachine
    let remote: NetworkAddress
    let descriptor: Int32
    let token: UInt64
    /// Whether the handshake of TCP is still under way.
    private(set) var isConnecting: Bool
    /// Whether nothing can happen here any more.
    private(set) var isOver = false
    /// When the connection is given up, once the machine is finished.
    private(set) var closingDeadline: Instant?
    /// What broke before the machine could be told.
    private var untoldFailure: String?
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var hasSentEnd = false
    private var hasHeardEnd = false
    /// What the epoll set was last asked for.
    var watchedForRoom = false
    var watchedForBytes = true

    /// Takes over a descriptor that was accepted.
    init(accepted descriptor: Int32, machine: any ByteStreamMachine, remote: NetworkAddress, token: UInt64) {
        self.descriptor = descriptor
        self.machine = machine
        self.remote = remote
        self.token = token
        isConnecting = false
    }

    /// Starts to connect.
    init(connecting machine: any ByteStreamMachine, to remote: NetworkAddress, token: UInt64) throws(DriverError) {
        self.machine = machine
        self.remote = remote
        self.token = token
        isConnecting = true
        descriptor = shim_tcp_open(remote.isV6 ? 1 : 0, 0)
        if descriptor < 0 { throw .system("cannot connect to \(remote): \(SystemError.text(Int(descriptor)))") }
        var address = remote.forShim
        let code = shim_connect(descriptor, &address)
        if code != 0, code != -EINPROGRESS { untoldFailure = Self.connectFailure(remote, Int(code)) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether bytes wait for room in the kernel, or the handshake for its end.
    var wantsRoom: Bool { !isOver && (isConnecting || sent < outgoing.count) }

    /// Whether the peer may still say something.
    var wantsBytes: Bool { !isOver && !hasHeardEnd }

    /// When something must happen here without an arrival.
    var deadline: Instant? {
        untoldFailure != nil ? .origin : .earlier(machine.deadline, closingDeadline)
    }

    /// Sends what the machine has. Gives whether it may have more right now.
    func send(at now: Instant) -> Bool {
        guard !isOver, untoldFailure == nil else { return false }
        if machine.isFinished, closingDeadline == nil { noteProgress(at: now) }
        if isConnecting {
            // A machine that has nothing to say to anybody need not be connected.
            if machine.isFinished { isOver = true }
            return false
        }
        guard !hasSentEnd else { return false }
        for _ in 0..<Self.piecesPerTurn {
            if sent == outgoing.count {
                guard let next = machine.transmit(at: now) else {
                    endIfFinished(at: now)
                    return false
                }
                outgoing = next
                sent = 0
            }
            guard push(at: now) else { return false }
        }
        return true
    }

    /// Does what the epoll set reports. Gives whether the machine was told something.
    func handle(_ ready: EpollSet.Ready, buffer: ReceiveBuffer, at now: Instant) -> Bool {
        guard !isOver, untoldFailure == nil else { return false }
        if isConnecting {
            let error = shim_pending_error(descriptor)
            isConnecting = false
            if error != 0 { end(failure: Self.connectFailure(remote, Int(error)), at: now) }
            return true
        }
        guard ready.isReadable || ready.hasFailed else { return false }
        guard !hasHeardEnd else {
            // Only a reset is told after the peer's end.
            isOver = true
            return false
        }
        return receive(buffer, at: now)
    }

    /// Lets time pass. Gives whether the machine was told something.
    func advance(to now: Instant) -> Bool {
        if let failure = untoldFailure {
            untoldFailure = nil
            end(failure: failure, at: now)
            return true
        }
        if let closingDeadline, closingDeadline <= now {
            isOver = true
            return false
        }
        guard !isOver, let deadline = machine.deadline, deadline <= now else { return false }
        machine.advance(to: now)
        return true
    }

    /// Gives the kernel what it has room for. Gives whether all is out.
    private func push(at now: Instant) -> Bool {
        while sent < outgoing.count {
            let code = outgoing.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { shim_stream_send(descriptor, $0 + sent, bytes.count - sent) } ?? 0
            }
            if code >= 0 {
                sent += Int(code)
                noteProgress(at: now)
            } else if code == Int64(-EAGAIN) {
                return false
            } else if code != Int64(-EINTR) {
                end(failure: "the connection to \(remote) broke: \(SystemError.text(Int(code)))", at: now)
                return false
            }
        }
        return true
    }

    private func receive(_ buffer: ReceiveBuffer, at now: Instant) -> Bool {
        var told = false
        for _ in 0..<Self.piecesPerTurn where !isOver {
            let (count, bytes) = buffer.receive(fromStream: descriptor)
            if count > 0 {
                noteProgress(at: now)
                machine.receive(bytes, at: now)
                told = true
                if bytes.count < ReceiveBuffer.streamPiece { return true }
            } else if count == 0 {
                hasHeardEnd = true
                isOver = hasSentEnd
                machine.receiveEnd(failure: nil, at: now)
                return true
            } else if count == Int64(-EAGAIN) {
                return told
            } else if count != Int64(-EINTR) {
                end(failure: "the connection to \(remote) broke: \(SystemError.text(Int(count)))", at: now)
                return true
            }
        }
        return told
    }

    private func endIfFinished(at now: Instant) {
        guard machine.isFinished else { return }
        _ = shim_end_sending(descriptor)
        hasSentEnd = true
        isOver = hasHeardEnd
        noteProgress(at: now)
    }

    private func noteProgress(at now: Instant) {
        closingDeadline = machine.isFinished ? now.advanced(by: Self.closingLimit) : nil
    }

    private func end(failure: String, at now: Instant) {
        isOver = true
        if !hasHeardEnd { machine.receiveEnd(failure: failure, at: now) }
        hasHeardEnd = true
    }

    private static func connectFailure(_ remote: NetworkAddress, _ number: Int) -> String {
        let words = SystemError.text(number)
        let advice =
            abs(number) == Int(ECONNREFUSED) ? "; nobody listens there, start the server or check the port" : ""
        return "cannot connect to \(remote): \(words)\(advice)"
    }
}
