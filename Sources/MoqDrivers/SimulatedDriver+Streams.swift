import MoqBase

/// Someone who accepts virtual byte streams.
struct SimulatedListener {
    let address: NetworkAddress
    let accept: (NetworkAddress) -> (any ByteStreamMachine)?
}

extension SimulatedDriver {
    public func listen(
        on address: NetworkAddress, accept: @escaping (NetworkAddress) -> (any ByteStreamMachine)?
    ) throws(DriverError) -> NetworkAddress {
        let taken = { [listeners] (candidate: NetworkAddress) in
            listeners.contains { $0.address.takes(candidate) || candidate.takes($0.address) }
        }
        let address = try choosePort(address, isTaken: taken)
        listeners.append(SimulatedListener(address: address, accept: accept))
        return address
    }

    public func stopListening(at address: NetworkAddress) {
        listeners.removeAll { $0.address == address }
    }

    public func connect(_ machine: any ByteStreamMachine, to address: NetworkAddress) throws(DriverError) {
        let host = address.isV6 ? NetworkAddress.Host.v6(high: 0, low: 1) : .v4(0x7F00_0001)
        let used = Set(streams.map(\.address))
        let source = try choosePort(NetworkAddress(host: host, port: 0)) { used.contains($0) }
        streams.append(
            SimulatedStream(
                machine: machine, address: source, remote: address, phase: .new, links: nextStreamLinks()))
    }

    public func unbind(_ machine: any ByteStreamMachine) {
        guard let stream = find(machine) else { return }
        if stream.phase == .open, !stream.hasSentEnd {
            for _ in 0..<Self.batchesPerTurn {
                guard let bytes = stream.machine.transmit(at: now) else { break }
                stream.onTheWire += bytes.count
                admit(.bytes(bytes), to: stream)
            }
            let isOrderly = stream.machine.isFinished
            admit(isOrderly ? .end : .failure("the connection was reset by \(stream.address)"), to: stream)
        }
        pastStreams.keep(stream.links, of: stream.machine)
        stream.isBound = false
        stream.hasSentEnd = true
        stream.hasHeardEnd = true
    }

    public func setLink(_ conditions: LinkConditions, of machine: any ByteStreamMachine) {
        find(machine)?.links.change(to: conditions, at: now)
    }

    public func linkStatistics(of machine: any ByteStreamMachine) -> LinkStatistics {
        find(machine)?.links.statistics ?? pastStreams.statistics(of: machine) ?? LinkStatistics()
    }

    private func find(_ machine: any ByteStreamMachine) -> SimulatedStream? {
        streams.first { $0.machine === machine && $0.isBound }
    }

    private func nextStreamLinks() -> StreamLinkPair {
        defer { streamCount += 1 }
        return StreamLinkPair(random: random.forked("stream \(streamCount)"))
    }
}

extension SimulatedDriver {
    /// Takes what the machines of streams have to send, as long as there is room for it on the way.
    func collectFromStreams() {
        guard !streams.isEmpty else { return }
        for stream in streams where stream.isBound {
            switch stream.phase {
            case .opening: continue
            case .new:
                stream.phase = .opening
                admit(.opening, to: stream)
            case .open where !stream.hasSentEnd:
                while stream.hasRoom, let bytes = stream.machine.transmit(at: now) {
                    stream.onTheWire += bytes.count
                    admit(.bytes(bytes), to: stream)
                }
                if stream.hasRoom, stream.machine.isFinished {
                    stream.hasSentEnd = true
                    admit(.end, to: stream)
                }
            case .open: continue
            }
        }
        forgetFinishedStreams()
        // Last: sending may move the deadline of a machine, and one that is gone has none.
        for stream in streams where stream.isBound {
            machineDeadline = .earlier(machineDeadline, stream.machine.deadline)
        }
    }

    /// Lets something of a stream arrive. Gives whether a machine was told something.
    func deliverToStream(_ arrival: SimulatedArrival) -> Bool {
        switch arrival {
        case .datagrams: return false
        case .dial(let stream): return answer(stream)
        case .piece(let piece, let stream):
            guard stream.links.inbound.isTransparent else {
                stream.links.inbound.admit(piece, at: now)
                return false
            }
            stream.links.inbound.notePassed(piece)
            return give(piece, to: stream)
        }
    }

    /// When a link of a stream lets something out.
    func nextStreamDue() -> Instant? {
        var next: Instant?
        for stream in streams { next = .earlier(next, stream.links.nextDue) }
        return next
    }

    /// Puts what left the links of streams on the wire.
    func releaseOutboundOfStreams() {
        for stream in streams {
            while let piece = stream.links.outbound.release(at: now) { send(piece, from: stream) }
        }
    }

    /// Hands over what came in through links of streams. Gives whether a machine was told something.
    func releaseInboundOfStreams() -> Bool {
        var gave = false
        for stream in streams {
            while let piece = stream.links.inbound.release(at: now) { gave = give(piece, to: stream) || gave }
        }
        return gave
    }

    /// Forgets ends at which nothing more can happen.
    func forgetFinishedStreams() {
        guard streams.contains(where: \.isOver) else { return }
        for stream in streams where stream.isOver && stream.isBound {
            pastStreams.keep(stream.links, of: stream.machine)
        }
        streams.removeAll(where: \.isOver)
    }

    private func admit(_ piece: StreamPiece, to stream: SimulatedStream) {
        guard stream.links.outbound.isTransparent else { return stream.links.outbound.admit(piece, at: now) }
        stream.links.outbound.notePassed(piece)
        send(piece, from: stream)
    }

    private func send(_ piece: StreamPiece, from stream: SimulatedStream) {
        if case .opening = piece {
            wire.insert(.dial(stream), due: arrivalTime)
        } else if let peer = stream.peer {
            wire.insert(.piece(piece, peer), due: arrivalTime)
        } else if stream.isBound, case .bytes = piece {
            // The far end is gone: its system says so.
            wire.insert(.piece(.failure("the connection to \(stream.remote) broke"), stream), due: arrivalTime)
        }
    }

    /// Gives a piece that arrived to an end. Gives whether its machine was told something.
    private func give(_ piece: StreamPiece, to stream: SimulatedStream) -> Bool {
        stream.peer?.onTheWire -= piece.byteCount
        guard stream.isBound else {
            refuse(piece, at: stream)
            return false
        }
        switch piece {
        case .opening: return false
        case .accepted:
            stream.phase = .open
            admit(.acknowledged, to: stream)
        case .acknowledged:
            stream.phase = .open
        case .bytes(let bytes):
            guard !stream.hasHeardEnd else { return false }
            stream.machine.receive(bytes, at: now)
        case .end:
            guard !stream.hasHeardEnd else { return false }
            stream.hasHeardEnd = true
            stream.machine.receiveEnd(failure: nil, at: now)
        case .failure(let words):
            let isNews = !stream.hasHeardEnd
            stream.hasSentEnd = true
            stream.hasHeardEnd = true
            if isNews { stream.machine.receiveEnd(failure: words, at: now) }
        }
        return true
    }

    /// Whoever speaks to an end that nobody holds any more is told so.
    private func refuse(_ piece: StreamPiece, at stream: SimulatedStream) {
        switch piece {
        case .accepted, .bytes:
            guard !stream.links.isCut else { return }
            // It may have been forgotten, and the answer takes its time.
            if !streams.contains(where: { $0 === stream }) { streams.append(stream) }
            admit(.failure("the connection was reset by \(stream.address)"), to: stream)
        default: break
        }
    }

    private func answer(_ dialling: SimulatedStream) -> Bool {
        let destination = dialling.remote
        guard let listener = listeners.first(where: { $0.address.takes(destination) }) else {
            let failure = "cannot connect to \(destination): nobody listens there"
            wire.insert(.piece(.failure(failure), dialling), due: arrivalTime)
            return false
        }
        guard let machine = listener.accept(dialling.address) else {
            let failure = "cannot connect to \(destination): the connection was refused"
            wire.insert(.piece(.failure(failure), dialling), due: arrivalTime)
            return true
        }
        let accepted = SimulatedStream(
            machine: machine, address: destination, remote: dialling.address, phase: .opening,
            links: nextStreamLinks())
        accepted.peer = dialling
        dialling.peer = accepted
        streams.append(accepted)
        admit(.accepted, to: accepted)
        return true
    }
}
