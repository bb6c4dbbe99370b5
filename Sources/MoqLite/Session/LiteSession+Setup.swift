import MoqTransport
import MoqWire

// SETUP (05 and later) and GOAWAY (04 and later): what the two sides tell each other about the session.

extension LiteSession {
    /// Sends SETUP if that is owed and the peer has a stream for it. First of all, since servers say nothing before
    /// it, and without waiting for the peer's.
    func sendSetup() {
        guard isSetupOwed, let version, !isClosed, !waitsForSetup else { return }
        guard let bytes = try? ownSetup.encodeStream(version: version) else {
            isSetupOwed = false
            close(code: closeCode(.unencodable), reason: "the request path is too long for SETUP")
            return
        }
        guard let id = transport.openStream(.unidirectional) else { return }
        isSetupOwed = false
        let stream = LiteStream(id: id, purpose: .setup, role: transport.role)
        streams[id] = stream
        transport.setPriority(.control, of: id)
        transport.write(bytes, to: id)
        finishOwnHalf(stream)
    }

    /// Whether a server has yet to hear the client's SETUP.
    var waitsForSetup: Bool {
        configuration.doesAsDeployed && transport.role == .server && peerSetup == nil && version?.hasSetup == true
    }

    private var ownSetup: Setup {
        let isClient = transport.role == .client
        return Setup(
            probe: configuration.probeLevel == .none ? nil : configuration.probeLevel,
            path: isClient && transport.requestPath == nil ? configuration.requestPath : nil,
            role: isClient ? configuration.setupRole : nil,
            cost: configuration.linkCost,
            hop: configuration.hopID == 0 ? nil : configuration.hopID)
    }

    func understandSetup(_ stream: LiteStream, version: Version) throws(StreamFault) {
        guard peerSetup == nil else { throw StreamFault("a second SETUP", .protocolViolation) }
        guard let setup = try stream.message(Setup.self, version: version) else { return }
        noteMessage(on: stream)
        guard stream.decoder.isBetweenMessages else { throw StreamFault("bytes follow SETUP", .malformed) }
        try check(setup)
        stream.isDiscarding = true
        peerSetup = setup
        sendSetup()
        emit(.peerSetup(setup))
    }

    /// What the draft forbids to say; the original stack lets it pass (observed on 0.3.12), and never says it.
    private func check(_ setup: Setup) throws(StreamFault) {
        let saysPath = setup.parameters.contains { $0.id == SetupParameter.path("").id }
        if transport.role == .client {
            if saysPath { throw StreamFault("the server's SETUP has a path", .protocolViolation) }
            if setup.parameters.contains(where: { $0.id == SetupParameter.role(0).id }) {
                throw StreamFault("the server's SETUP has a role", .protocolViolation)
            }
        } else if saysPath, transport.requestPath != nil {
            if configuration.doesAsDeployed { return }
            throw StreamFault("SETUP has a path, and the request had one before", .protocolViolation)
        } else if let path = setup.path, !path.hasPrefix("/") {
            throw StreamFault("SETUP has a path that does not begin with a slash", .protocolViolation)
        }
    }

    /// Tells the peer to go on elsewhere (04 and later); an empty URI stands for the same place. The session goes on
    /// until somebody closes it.
    public func goaway(uri: String) {
        place(.goaway(uri: uri))
    }

    func understandGoaway(_ stream: LiteStream, version: Version) throws(StreamFault) {
        guard let message = try stream.message(Goaway.self, version: version) else { return }
        noteMessage(on: stream)
        guard !hasPeerGoneAway else { throw StreamFault("a second GOAWAY", .protocolViolation) }
        hasPeerGoneAway = true
        stream.isDiscarding = true
        emit(.goaway(uri: message.uri))
        // There is nothing to answer: known peers drop their half (0.3.19 and 0.4.18, observed).
        resetOwnHalf(stream, .cancelled)
    }
}
