import MoqBase
import MoqHTTP3
import MoqQUIC

/// SETTINGS, the CONNECT and its answer.
extension WebTransportSession {
    /// QUIC is ready: sends our SETTINGS.
    func begin() {
        guard !hasBegun, phase == .opening else { return }
        hasBegun = true
        attempt { () throws(HTTP3Error) in
            encoder = try QPACKEncoder()
            decoder = try QPACKDecoder()
            try goOn()
        }
    }

    /// How the control stream begins: its type and our SETTINGS (RFC 9114 section 6.2.1).
    ///
    /// A server does well to send it with its first flight (`QUICServerConfiguration.earlyStreams`, for the protocol
    /// `h3`): clients wait for SETTINGS before they ask for a session (RFC 9220 section 3), and would lose a round trip.
    public static var controlStreamBeginning: [UInt8] {
        var writer = ByteWriter()
        writer.varint(HTTP3StreamType.control)
        writer.append(HTTP3Frame.encode(HTTP3FrameType.settings, HTTP3Settings.webTransport.payload))
        return writer.bytes
    }

    /// Does what the peer's limit on streams may have held back.
    func goOn() throws(HTTP3Error) {
        if ownControl == nil {
            // A server's SETTINGS may have gone out with its handshake.
            ownControl = role == .server ? connection.earlyStream : nil
        }
        if ownControl == nil, let id = connection.openStream(.unidirectional) {
            ownControl = id
            connection.setPriority(.control, of: id)
            connection.write(Self.controlStreamBeginning, to: id)
        }
        if role == .client, ownControl != nil, settings != nil { try sendConnect() }
    }

    func take(_ event: ControlStreamReader.Event) throws(HTTP3Error) {
        switch event {
        case .settings(let settings):
            self.settings = settings
            peerSettings = settings.values
            guard role == .client else { return }
            guard settings.allowsExtendedConnect else {
                return refuse(
                    .notSpoken("the server speaks HTTP/3, but its SETTINGS allow no extended CONNECT: it is no relay"),
                    by: .local)
            }
            guard settings.allowsWebTransport else {
                return refuse(
                    .notSpoken("the server speaks HTTP/3, but its SETTINGS allow no WebTransport: it is no relay"),
                    by: .local)
            }
            try goOn()
        case .goaway(let first):
            isDraining = true
            if flaw == .http3GoawayEnds { throw HTTP3Error(.noError, "the client is going away") }
            guard role == .client, phase == .opening, first <= connectStream?.rawValue ?? .max else { return }
            refuse(.notSpoken("the server is going away and takes no new session"), by: .peer)
        }
    }

    // MARK: Client

    private func sendConnect() throws(HTTP3Error) {
        guard phase == .opening, connectStream == nil, let encoder else { return }
        guard let id = connection.openStream(.bidirectional) else { return }
        connectStream = id
        arriving[id.rawValue] = ArrivingStream(.connect)
        let request = HTTP3Request.webTransport(authority: authority, path: requestPath ?? "/", protocols: protocols)
        let section = try encoder.encode(request.section, stream: id.rawValue)
        connection.write(HTTP3Frame.encode(HTTP3FrameType.headers, section), to: id)
    }

    /// Reads the CONNECT stream: at the client the answer, at both ends the capsules behind the heads.
    func readConnect(_ id: QUICStreamID, _ bytes: [UInt8], isFinished: Bool) throws(HTTP3Error) {
        response.append(bytes)
        try readOn(id)
        guard isFinished, phase != .over else { return }
        guard response.isBetweenFrames else { throw HTTP3Error(.frameError, "the CONNECT ends within a frame") }
        guard phase == .open else {
            return refuse(.notSpoken("the server ended the CONNECT without an answer"), by: .peer)
        }
        guard capsules.isBetweenCapsules else { throw HTTP3Error(.messageError, "the CONNECT ends within a capsule") }
        // An end without a close is a close with 0 and no words (draft-ietf-webtrans-http3 section 6).
        let close = SessionClose(initiator: .peer, cause: .application(code: 0), reason: "")
        endSoon(close, code: .noError, reason: "")
    }

    func readOn(_ id: QUICStreamID) throws(HTTP3Error) {
        while phase != .over, let event = try response.next() {
            switch event {
            case .head(let section):
                guard let decoder else { return }
                try take(HTTP3Response(section: decoder.decode(section, stream: id.rawValue)))
            case .data(let bytes) where phase == .open:
                let known = try capsules.receive(bytes)
                if flaw == .webTransportUnknownCapsulesFatal, known.isEmpty, capsules.isBetweenCapsules {
                    throw HTTP3Error(.messageError, "a capsule that nobody knows")
                }
                for capsule in known { take(capsule) }
            case .data:
                // What follows a head that is no answer yet, or the body of a refusal.
                break
            }
        }
    }

    private func take(_ response: HTTP3Response) throws(HTTP3Error) {
        switch response.status {
        case 100...199:
            self.response.expectAnotherHead()
        case 200...299:
            guard let name = response.protocolName else {
                // A relay that knows nothing of names, or none of ours, and the setup exchange of `moql` instead.
                if protocols.isEmpty || protocols.contains(Self.setupExchange) { return try open(choosing: nil) }
                return refuse(.noProtocol, by: .peer)
            }
            guard protocols.contains(name) else { return refuse(.notOffered(name), by: .peer) }
            try open(choosing: name)
        default:
            refuse(.status(response.status), by: .peer)
        }
    }

    /// The name of the versions that agree by the setup exchange.
    private static let setupExchange = "moql"

    // MARK: Server

    /// Reads a request until its head is whole, and answers it.
    func readRequest(
        _ stream: ArrivingStream, _ id: QUICStreamID, _ reader: inout RequestStreamReader, isFinished: Bool
    ) throws(HTTP3Error) {
        guard case .head(let section) = try reader.next() else {
            stream.purpose = .request(reader)
            guard isFinished else { return }
            guard reader.isBetweenFrames else { throw HTTP3Error(.frameError, "a request ends within a frame") }
            forget(id)
            return connection.reset(id, code: HTTP3Code.requestIncomplete.rawValue)
        }
        guard let decoder else { return }
        let fields = try decoder.decode(section, stream: id.rawValue)
        let request: HTTP3Request
        do {
            request = try HTTP3Request(section: fields)
        } catch {
            if flaw == .http3MessageErrorsClose { throw error }
            return drop(stream, id, error.code, isFinished: isFinished)
        }
        if refuses(authority: request.authority ?? "") {
            return drop(stream, id, .requestRejected, isFinished: isFinished)
        }
        guard request.isWebTransport else {
            let status = flaw == .webTransportStatusOK ? 200 : Self.status(for: request)
            let allow = status == 405 ? [HTTPField("allow", "CONNECT")] : []
            try answer(HTTP3Response(status: status, fields: allow), id)
            connection.finish(id)
            connection.stop(id, code: HTTP3Code.noError.rawValue)
            stream.purpose = .dropped
            if isFinished { forget(id) }
            return
        }
        // One session a connection, as the settings say.
        guard connectStream == nil else {
            if flaw == .webTransportSecondSession {
                stream.purpose = .dropped
                return try answer(.webTransport(choosing: negotiatedProtocol), id)
            }
            return drop(stream, id, .requestRejected, isFinished: isFinished)
        }
        connectStream = id
        stream.purpose = .connect
        requestPath = request.path
        response = reader
        let known = request.offeredProtocols.filter { protocols.contains($0) }
        let name = flaw == .webTransportLastName ? known.last : known.first
        try answer(.webTransport(choosing: name), id)
        try open(choosing: name)
        try readConnect(id, [], isFinished: isFinished)
    }

    private func answer(_ response: HTTP3Response, _ id: QUICStreamID) throws(HTTP3Error) {
        guard let encoder else { return }
        let section = try encoder.encode(response.section, stream: id.rawValue)
        connection.write(HTTP3Frame.encode(HTTP3FrameType.headers, section), to: id)
    }

    private func drop(_ stream: ArrivingStream, _ id: QUICStreamID, _ code: HTTP3Code, isFinished: Bool) {
        connection.reset(id, code: code.rawValue)
        connection.stop(id, code: code.rawValue)
        stream.purpose = .dropped
        if isFinished { forget(id) }
    }

    /// Whether a server at fault takes offence at what it is called.
    private func refuses(authority: String) -> Bool {
        switch flaw {
        case .webTransportAuthorityChecked: !authority.hasPrefix("localhost:") || authority.hasSuffix(":1")
        case .webTransportAddressRefused: authority.first?.isNumber == true || authority.hasPrefix("[")
        default: false
        }
    }

    /// There is nothing here but WebTransport.
    private static func status(for request: HTTP3Request) -> Int {
        switch request.method {
        case "GET", "HEAD": 404
        case "CONNECT" where request.connectProtocol != nil: 501
        default: 405
        }
    }
}
