import CShim
import Glibc
import MoqBase

extension SocketDriver {
    /// How many byte streams are open at once; more are closed as soon as they are accepted.
    static let connectionLimit = 1024
    /// How many connections one listener accepts in one turn.
    private static let acceptsPerTurn = 64
    /// How long a listener rests when the process has no descriptor left.
    private static let acceptPause: Duration = .milliseconds(100)

    public func listen(
        on address: NetworkAddress, accept: @escaping (NetworkAddress) -> (any ByteStreamMachine)?
    ) throws(DriverError) -> NetworkAddress {
        let listener = try StreamListener(address, token: newToken(), accept: accept)
        try epoll.add(listener.descriptor, token: listener.token)
        watched[listener.token] = .listener(listener)
        listeners.append(listener)
        return listener.address
    }

    public func stopListening(at address: NetworkAddress) {
        for listener in listeners where listener.address == address {
            epoll.remove(listener.descriptor)
            watched[listener.token] = nil
        }
        listeners.removeAll { $0.address == address }
    }

    public func connect(_ machine: any ByteStreamMachine, to address: NetworkAddress) throws(DriverError) {
        try add(StreamConnection(connecting: machine, to: address, token: newToken()))
    }

    /// Sends what the machines of streams have. Gives whether one may have more right now.
    func sendOnStreams() -> Bool {
        var hasMore = false
        for connection in connections {
            if connection.send(at: now) { hasMore = true }
            let room = connection.wantsRoom
            let bytes = connection.wantsBytes
            if room != connection.watchedForRoom || bytes != connection.watchedForBytes {
                connection.watchedForRoom = room
                connection.watchedForBytes = bytes
                epoll.change(
                    connection.descriptor, token: connection.token, wantsRead: bytes, wantsWrite: room)
            }
        }
        forgetFinishedConnections()
        return hasMore
    }

    /// When something of a stream is due.
    func nextStreamDeadline() -> Instant? {
        var next: Instant?
        for connection in connections { next = .earlier(next, connection.deadline) }
        for listener in listeners { next = .earlier(next, listener.pausedUntil) }
        return next
    }

    /// Lets time-driven work of streams happen. Gives whether a machine was told something.
    func advanceStreams() -> Bool {
        var told = false
        for connection in connections {
            guard let deadline = connection.deadline, deadline <= now else { continue }
            told = connection.advance(to: now) || told
        }
        for listener in listeners {
            guard let until = listener.pausedUntil, until <= now else { continue }
            listener.pausedUntil = nil
            epoll.change(listener.descriptor, token: listener.token, wantsWrite: false)
        }
        forgetFinishedConnections()
        return told
    }

    /// Accepts what waits. Gives whether a machine was made.
    func accept(from listener: StreamListener) -> Bool {
        var made = false
        for _ in 0..<Self.acceptsPerTurn {
            var from = shim_address()
            let descriptor = shim_accept(listener.descriptor, &from)
            if descriptor == -EMFILE || descriptor == -ENFILE {
                listener.pausedUntil = now.advanced(by: Self.acceptPause)
                epoll.change(listener.descriptor, token: listener.token, wantsRead: false, wantsWrite: false)
                return made
            }
            if descriptor == -EAGAIN { return made }
            // Anything else concerns a connection that is gone already.
            guard descriptor >= 0 else { continue }
            let remote = NetworkAddress(from)
            guard connections.count < Self.connectionLimit, let machine = listener.accept(remote) else {
                close(descriptor)
                continue
            }
            let connection = StreamConnection(
                accepted: descriptor, machine: machine, remote: remote, token: newToken())
            do {
                try add(connection)
                made = true
            } catch {
                machine.receiveEnd(failure: "\(error)", at: now)
            }
        }
        return made
    }

    private func add(_ connection: StreamConnection) throws(DriverError) {
        connection.watchedForRoom = connection.wantsRoom
        try epoll.add(connection.descriptor, token: connection.token, wantsWrite: connection.wantsRoom)
        watched[connection.token] = .connection(connection)
        connections.append(connection)
    }

    private func forgetFinishedConnections() {
        guard connections.contains(where: \.isOver) else { return }
        for connection in connections where connection.isOver {
            epoll.remove(connection.descriptor)
            watched[connection.token] = nil
        }
        connections.removeAll(where: \.isOver)
    }
}
