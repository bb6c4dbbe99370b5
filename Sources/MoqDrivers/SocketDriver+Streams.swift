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
    /// How many connections that were taken from their machines over a cut link are kept open, so that their far ends
    /// see nothing; of more the oldest are closed.
    private static let silencedLimit = 256

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
        try add(StreamConnection(connecting: machine, to: address, token: newToken(), links: nextStreamLinks()))
    }

    public func unbind(_ machine: any ByteStreamMachine) {
        guard let connection = find(machine) else { return }
        connection.unbind(at: now)
        pastStreams.keep(connection.links, of: machine)
        guard connection.links.isCut, !connection.isOver else { return }
        // The far end is to see nothing, so the descriptor stays open.
        connections.removeAll { $0 === connection }
        ignore(connection)
        silenced.append(connection)
        if silenced.count > Self.silencedLimit { silenced.removeFirst() }
    }

    public func setLink(_ conditions: LinkConditions, of machine: any ByteStreamMachine) {
        find(machine)?.setLink(conditions, at: now)
    }

    public func linkStatistics(of machine: any ByteStreamMachine) -> LinkStatistics {
        find(machine)?.links.statistics ?? pastStreams.statistics(of: machine) ?? LinkStatistics()
    }

    /// Sends what the machines of streams have. Gives whether one may have more right now.
    func sendOnStreams() -> Bool {
        var hasMore = false
        for connection in connections {
            if connection.send(at: now) { hasMore = true }
            watch(connection)
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
                accepted: descriptor, machine: machine, remote: remote, token: newToken(),
                links: nextStreamLinks())
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
        if let interest = connection.interest {
            try epoll.add(
                connection.descriptor, token: connection.token, wantsRead: interest.bytes, wantsWrite: interest.room)
            connection.watched = interest
        }
        watched[connection.token] = .connection(connection)
        connections.append(connection)
    }

    /// Tells the epoll set what a connection is waiting for.
    private func watch(_ connection: StreamConnection) {
        let interest = connection.interest
        guard interest != connection.watched else { return }
        guard let interest else {
            epoll.remove(connection.descriptor)
            connection.watched = nil
            return
        }
        if connection.watched != nil {
            epoll.change(
                connection.descriptor, token: connection.token, wantsRead: interest.bytes, wantsWrite: interest.room)
        } else {
            do {
                try epoll.add(
                    connection.descriptor, token: connection.token, wantsRead: interest.bytes,
                    wantsWrite: interest.room)
            } catch {
                return connection.fail("\(error)", at: now)
            }
        }
        connection.watched = interest
    }

    private func ignore(_ connection: StreamConnection) {
        if connection.watched != nil { epoll.remove(connection.descriptor) }
        connection.watched = nil
        watched[connection.token] = nil
    }

    private func find(_ machine: any ByteStreamMachine) -> StreamConnection? {
        connections.first { $0.machine === machine && $0.isBound }
    }

    private func nextStreamLinks() -> StreamLinkPair {
        defer { connectionCount += 1 }
        return StreamLinkPair(random: random.forked("stream \(connectionCount)"))
    }

    private func forgetFinishedConnections() {
        guard connections.contains(where: \.isOver) else { return }
        for connection in connections where connection.isOver {
            if connection.isBound { pastStreams.keep(connection.links, of: connection.machine) }
            ignore(connection)
        }
        connections.removeAll(where: \.isOver)
    }
}
