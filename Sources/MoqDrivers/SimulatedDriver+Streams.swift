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
        let stream = SimulatedStream(machine: machine, address: source)
        streams.append(stream)
        wire.insert(.dial(stream, destination: address), due: arrivalTime)
    }

    /// Takes what the machines of streams have to send, up to the window.
    func collectFromStreams() {
        guard !streams.isEmpty else { return }
        for stream in streams {
            machineDeadline = .earlier(machineDeadline, stream.machine.deadline)
            guard stream.isOpen, !stream.hasSentEnd, let peer = stream.peer else { continue }
            while stream.onTheWire < SimulatedStream.window, let bytes = stream.machine.transmit(at: now) {
                stream.onTheWire += bytes.count
                wire.insert(.bytes(bytes, peer), due: arrivalTime)
            }
            if stream.onTheWire < SimulatedStream.window, stream.machine.isFinished {
                stream.hasSentEnd = true
                wire.insert(.end(peer), due: arrivalTime)
            }
        }
        forgetFinishedStreams()
    }

    /// Lets something of a stream arrive. Gives whether a machine was told something.
    func deliverToStream(_ arrival: SimulatedArrival) -> Bool {
        switch arrival {
        case .datagrams: return false
        case .dial(let stream, let destination): return answer(stream, at: destination)
        case .dialled(let stream, let failure):
            guard let failure else {
                stream.isOpen = true
                // A machine that was waiting to speak gets its turn.
                return true
            }
            stream.hasSentEnd = true
            stream.hasHeardEnd = true
            stream.machine.receiveEnd(failure: failure, at: now)
        case .bytes(let bytes, let stream):
            stream.peer?.onTheWire -= bytes.count
            stream.machine.receive(bytes, at: now)
        case .end(let stream):
            stream.hasHeardEnd = true
            stream.machine.receiveEnd(failure: nil, at: now)
        }
        return true
    }

    /// Forgets ends at which nothing more can happen.
    func forgetFinishedStreams() {
        guard streams.contains(where: \.isOver) else { return }
        for stream in streams where stream.isOver { stream.peer = nil }
        streams.removeAll(where: \.isOver)
    }

    private func answer(_ dialling: SimulatedStream, at destination: NetworkAddress) -> Bool {
        let due = arrivalTime
        guard let listener = listeners.first(where: { $0.address.takes(destination) }) else {
            let failure = "cannot connect to \(destination): nobody listens there"
            wire.insert(.dialled(dialling, failure: failure), due: due)
            return false
        }
        guard let machine = listener.accept(dialling.address) else {
            let failure = "cannot connect to \(destination): the connection was refused"
            wire.insert(.dialled(dialling, failure: failure), due: due)
            return true
        }
        let accepted = SimulatedStream(machine: machine, address: destination)
        accepted.isOpen = true
        accepted.peer = dialling
        dialling.peer = accepted
        streams.append(accepted)
        wire.insert(.dialled(dialling, failure: nil), due: due)
        return true
    }
}
