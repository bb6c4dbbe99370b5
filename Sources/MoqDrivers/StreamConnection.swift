import CShim
import Glibc
import MoqBase

/// One TCP connection and the machine that speaks on it.
///
/// What the machine says passes `links.outbound` and then waits in `outgoing` for room in the kernel; what the kernel
/// gives passes `links.inbound`. The handshake passes both, so that over a link with delay it takes a round trip.
final class StreamConnection {
    /// How long a finished machine's connection stays open without anything going out on it: a peer that neither reads
    /// nor ends is not waited for any longer, whatever it still says.
    static let closingLimit: Duration = .seconds(5)
    /// How many pieces are sent or received in one turn before others get theirs.
    static let piecesPerTurn = 64
    /// The kernel's receive buffer under a rate limit, in bytes, or the far end could send far ahead of it.
    private static let limitedReceiveBuffer: Int32 = 32 * 1024

    /// What the epoll set is to watch.
    struct Interest: Hashable {
        var bytes: Bool
        var room: Bool
    }

    private enum Phase {
        /// The kernel knocks.
        case dialling
        /// The kernel has an answer, nil for an open stream, and the link delays it.
        case answered(failure: String?)
        case open
    }

    let machine: any ByteStreamMachine
    let remote: NetworkAddress
    let descriptor: Int32
    let token: UInt64
    var links: StreamLinkPair
    private var phase: Phase
    /// Whether nothing can happen here any more.
    private(set) var isOver = false
    /// Whether the machine was not taken away.
    private(set) var isBound = true
    /// When the connection is given up, once the machine is finished.
    private(set) var closingDeadline: Instant?
    /// Whether the answer of the kernel came before anybody could be told.
    private var hasUntoldAnswer = false
    private var outgoing: [UInt8] = []
    private var sent = 0
    /// Whether the machine's end was put on the link, has come out of it, breaks the connection, and was told to the
    /// kernel.
    private var end = (isSaid: false, isDue: false, isBreak: false, isSent: false)
    /// Whether the kernel gives nothing more, and whether the machine knows.
    private var peerEnd = (isRead: false, isTold: false)
    /// Whether the kernel told of a reset behind the peer's end.
    private var isBroken = false
    /// What the epoll set watches; nil when it does not know the connection.
    var watched: Interest?

    /// Takes over a descriptor that was accepted.
    init(
        accepted descriptor: Int32, machine: any ByteStreamMachine, remote: NetworkAddress, token: UInt64,
        links: StreamLinkPair
    ) {
        self.descriptor = descriptor
        self.machine = machine
        self.remote = remote
        self.token = token
        self.links = links
        phase = .open
    }

    /// Starts to connect.
    init(
        connecting machine: any ByteStreamMachine, to remote: NetworkAddress, token: UInt64, links: StreamLinkPair
    ) throws(DriverError) {
        self.machine = machine
        self.remote = remote
        self.token = token
        self.links = links
        phase = .dialling
        descriptor = shim_tcp_open(remote.isV6 ? 1 : 0, 0)
        if descriptor < 0 { throw .system("cannot connect to \(remote): \(SystemError.text(Int(descriptor)))") }
        var address = remote.forShim
        let code = shim_connect(descriptor, &address)
        if code != 0, code != -EINPROGRESS {
            phase = .answered(failure: Self.connectFailure(remote, Int(code)))
            hasUntoldAnswer = true
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the stream is not open yet.
    var isConnecting: Bool {
        if case .open = phase { false } else { true }
    }

    /// Whether the epoll set was asked to tell of room.
    var watchedForRoom: Bool { watched?.room == true }

    /// What the epoll set has to watch; nil for nothing, not even failures: a cut connection sees and shows nothing,
    /// and one that takes no bytes would be told of failures over and over.
    var interest: Interest? {
        guard !isOver, !isBroken, !links.isCut else { return nil }
        switch phase {
        case .dialling: return Interest(bytes: true, room: true)
        case .answered: return nil
        case .open: break
        }
        let bytes = !peerEnd.isRead && hasRoomInbound
        let room = sent < outgoing.count
        return bytes || room || peerEnd.isRead ? Interest(bytes: bytes, room: room) : nil
    }

    /// When something must happen here without an arrival.
    var deadline: Instant? {
        if hasUntoldAnswer { return .origin }
        var next = isBound ? machine.deadline : nil
        guard !links.isCut else { return next }
        next = .earlier(next, .earlier(closingDeadline, links.inbound.nextDue))
        return sent < outgoing.count ? next : .earlier(next, links.outbound.nextDue)
    }

    /// Changes the link. Once cut, the connection shows nothing to the far end: no bytes, no end, no reset.
    func setLink(_ conditions: LinkConditions, at now: Instant) {
        if conditions.rate != nil { shim_limit_receive_buffer(descriptor, Self.limitedReceiveBuffer) }
        links.change(to: conditions, at: now)
        if !isBound || machine.isFinished { noteProgress(at: now) }
    }

    /// Takes the connection from its machine, which is asked for the last time what it has to say.
    func unbind(at now: Instant) {
        guard isBound else { return }
        if !isConnecting, !end.isSaid {
            // As much as the machine may have, bounded in case that it never stops.
            for _ in 0..<SocketDriver.batchesPerTurn * Self.piecesPerTurn {
                guard let bytes = machine.transmit(at: now) else { break }
                say(.bytes(bytes), at: now)
            }
            say(machine.isFinished ? .end : .failure(""), at: now)
        }
        isBound = false
        isOver = isOver || isConnecting
        closingDeadline = now.advanced(by: SocketDriver.departureLimit)
    }

    /// Sends what the machine has. Gives whether it may have more right now.
    func send(at now: Instant) -> Bool {
        guard !isOver, !links.isCut, !hasUntoldAnswer else { return false }
        if isBound, machine.isFinished, closingDeadline == nil { noteProgress(at: now) }
        for _ in 0..<Self.piecesPerTurn {
            guard push(at: now) else { return false }
            if let piece = links.outbound.release(at: now) {
                depart(piece, at: now)
                continue
            }
            guard isBound, !isOver else { return false }
            if isConnecting {
                // A machine that has nothing to say to anybody need not be connected.
                if machine.isFinished { isOver = true }
                return false
            }
            guard !end.isSaid, links.outbound.heldBytes < links.outbound.allowance() else { return false }
            if let next = machine.transmit(at: now) {
                say(.bytes(next), at: now)
            } else {
                guard machine.isFinished else { return false }
                say(.end, at: now)
            }
        }
        return true
    }

    /// Does what the epoll set reports. Gives whether the machine was told something.
    func handle(_ ready: EpollSet.Ready, buffer: ReceiveBuffer, at now: Instant) -> Bool {
        guard !isOver, !links.isCut, !hasUntoldAnswer else { return false }
        if case .dialling = phase {
            let error = shim_pending_error(descriptor)
            phase = .answered(failure: error == 0 ? nil : Self.connectFailure(remote, Int(error)))
            say(.opening, at: now)
            return true
        }
        guard !isConnecting, ready.isReadable || ready.hasFailed else { return false }
        guard !peerEnd.isRead else {
            // Only a reset is told after the peer's end.
            isBroken = isBroken || ready.hasFailed
            isOver = isOver || isBroken && peerEnd.isTold
            return false
        }
        return receive(buffer, at: now)
    }

    /// Lets time pass. Gives whether the machine was told something.
    func advance(to now: Instant) -> Bool {
        if hasUntoldAnswer {
            hasUntoldAnswer = false
            say(.opening, at: now)
            return isOver
        }
        if !links.isCut, let closingDeadline, closingDeadline <= now {
            isOver = true
            return false
        }
        var told = false
        while !isOver, let piece = links.inbound.release(at: now) { told = give(piece, at: now) || told }
        guard isBound, !isOver, let deadline = machine.deadline, deadline <= now else { return told }
        machine.advance(to: now)
        return true
    }

    /// Ends what cannot go on, and says why.
    func fail(_ words: String, at now: Instant) {
        isOver = true
        let isNews = !peerEnd.isTold && isBound
        peerEnd = (true, true)
        if isNews { machine.receiveEnd(failure: words, at: now) }
    }
}

extension StreamConnection {
    /// Puts something on the way out.
    private func say(_ piece: StreamPiece, at now: Instant) {
        if case .end = piece { end.isSaid = true }
        if case .failure = piece { end.isSaid = true }
        guard links.outbound.isTransparent else { return links.outbound.admit(piece, at: now) }
        links.outbound.notePassed(piece)
        depart(piece, at: now)
    }

    /// Does with the kernel what came out of the link.
    private func depart(_ piece: StreamPiece, at now: Instant) {
        switch piece {
        case .opening:
            guard case .answered(let failure) = phase else { return }
            arrive(failure.map { .failure($0) } ?? .accepted, at: now)
        case .accepted, .acknowledged: return
        case .bytes(let bytes):
            if sent == outgoing.count {
                outgoing = bytes
                sent = 0
            } else {
                outgoing += bytes
            }
            _ = push(at: now)
        case .end:
            end.isDue = true
            _ = push(at: now)
        case .failure:
            end.isDue = true
            end.isBreak = true
            _ = push(at: now)
        }
    }

    /// Gives the kernel what it has room for, and the end behind it. Gives whether all is out.
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
                fail("the connection to \(remote) broke: \(SystemError.text(Int(code)))", at: now)
                return false
            }
        }
        if end.isDue, end.isBreak {
            shim_reset_on_close(descriptor)
            isOver = true
        } else if end.isDue, !end.isSent {
            _ = shim_end_sending(descriptor)
            end.isSent = true
            isOver = peerEnd.isTold || peerEnd.isRead && !isBound
            noteProgress(at: now)
        }
        return true
    }

    private var hasRoomInbound: Bool { links.inbound.heldBytes < links.inbound.allowance() }

    private func receive(_ buffer: ReceiveBuffer, at now: Instant) -> Bool {
        var told = false
        for _ in 0..<Self.piecesPerTurn where !isOver && !peerEnd.isRead && hasRoomInbound {
            let (count, bytes) = buffer.receive(fromStream: descriptor)
            if count > 0 {
                // What a peer goes on saying to a finished machine wins it no time.
                if isBound, !machine.isFinished { closingDeadline = nil }
                told = arrive(.bytes(bytes), at: now) || told
                if bytes.count < ReceiveBuffer.streamPiece { return told }
            } else if count == 0 {
                peerEnd.isRead = true
                return arrive(.end, at: now) || told
            } else if count == Int64(-EAGAIN) {
                return told
            } else if count != Int64(-EINTR) {
                peerEnd.isRead = true
                let words = "the connection to \(remote) broke: \(SystemError.text(Int(count)))"
                return arrive(.failure(words), at: now) || told
            }
        }
        return told
    }

    /// Puts something on the way in. Gives whether the machine was told something.
    @discardableResult
    private func arrive(_ piece: StreamPiece, at now: Instant) -> Bool {
        guard links.inbound.isTransparent else {
            links.inbound.admit(piece, at: now)
            return false
        }
        links.inbound.notePassed(piece)
        return give(piece, at: now)
    }

    private func give(_ piece: StreamPiece, at now: Instant) -> Bool {
        switch piece {
        case .opening, .acknowledged: return false
        case .accepted: phase = .open
        case .bytes(let bytes):
            guard isBound else { return false }
            machine.receive(bytes, at: now)
        case .end:
            isOver = end.isSent || isBroken
            peerEnd.isTold = true
            guard isBound else { return false }
            machine.receiveEnd(failure: nil, at: now)
        case .failure(let words): fail(words, at: now)
        }
        return true
    }

    private func noteProgress(at now: Instant) {
        guard isBound else { return }
        closingDeadline =
            machine.isFinished ? now.advanced(by: Self.closingLimit + links.outbound.conditions.delay) : nil
    }

    private static func connectFailure(_ remote: NetworkAddress, _ number: Int) -> String {
        let words = SystemError.text(number)
        let advice =
            abs(number) == Int(ECONNREFUSED) ? "; nobody listens there, start the server or check the port" : ""
        return "cannot connect to \(remote): \(words)\(advice)"
    }
}
