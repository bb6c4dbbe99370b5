import MoqBase
import MoqDrivers
import MoqQUIC
import MoqTransport
import Testing

@testable import MoqDial

@Suite struct ConnectionTests {
    @Test func rawQUICAgreesByALPN() throws {
        let scene = try DialScene()
        try scene.serveDatagrams()
        let connection = try Connection(scene.plan(.quic))
        try scene.dial(connection)
        #expect(scene.isEstablished)
        #expect(connection.facts.kind == .quic)
        #expect(connection.facts.alpn == "moq-lite-06")
        #expect(connection.facts.tlsVersion == "TLS1.3")
        #expect(connection.facts.certificateFingerprint == scene.identity.fingerprint)
        #expect(connection.facts.peerParameters != nil)
    }

    @Test func webTransportAgreesInTheRequestOnTheSamePort() throws {
        let scene = try DialScene()
        try scene.serveDatagrams()
        let connection = try Connection(scene.plan(.webtransport))
        try scene.dial(connection)
        #expect(scene.isEstablished, "\(scene.close.map(\.description) ?? "nothing happened")")
        #expect(connection.facts.alpn == "h3")
        #expect(connection.facts.negotiatedProtocol == "moq-lite-06")
        #expect(connection.facts.peerSettings?.isEmpty == false)
        #expect(connection.transport.requestPath == "/anon?jwt=x")
    }

    @Test func webSocketAgreesBySubprotocol() throws {
        let scene = try DialScene()
        try scene.serveStreams { WebSocketDoor($0, protocols: ["moq-lite-05"]) }
        let connection = try Connection(scene.plan(.websocket))
        try scene.dial(connection)
        #expect(scene.isEstablished, "\(scene.close.map(\.description) ?? "nothing happened")")
        #expect(connection.facts.negotiatedProtocol == "moq-lite-05")
        #expect(connection.facts.tlsVersion == nil)
    }

    @Test func tcpAgreesInItsParameters() throws {
        let scene = try DialScene()
        try scene.serveStreams {
            QmuxTCPSession(server: $0, protocols: ["moq-lite-05", "moq-lite-06"], settings: QmuxSettings())
        }
        let connection = try Connection(scene.plan(.tcp))
        try scene.dial(connection)
        #expect(scene.isEstablished, "\(scene.close.map(\.description) ?? "nothing happened")")
        // The server's order decides.
        #expect(connection.facts.negotiatedProtocol == "moq-lite-05")
        #expect(connection.facts.qmuxVersion != nil)
        #expect(connection.facts.qmuxParameters != nil)
    }

    @Test func tlsProtectsWebSocketAndTCP() throws {
        let scene = try DialScene()
        try scene.serveStreams { remote in
            scene.protected(["http/1.1"]) { _, _ in WebSocketDoor(remote, protocols: ["moq-lite-05"]) }
        }
        let connection = try Connection(scene.plan(.websocket, isSecure: true))
        try scene.dial(connection)
        #expect(scene.isEstablished, "\(scene.close.map(\.description) ?? "nothing happened")")
        #expect(connection.facts.tlsVersion == "TLS1.3")
        #expect(connection.facts.certificateFingerprint == scene.identity.fingerprint)
        #expect(connection.facts.peerCertificate?.fingerprint == scene.identity.fingerprint)
        var terms = connection.facts
        terms.certificateFingerprint = nil
        terms.peerCertificate = nil
        #expect(connection.terms == terms)

        let other = try DialScene()
        try other.serveStreams { remote in
            other.protected(["qmux-02.moq-lite-06"]) { alpn, now in
                let session = QmuxTCPSession(role: .server, overTLSTo: remote, settings: QmuxSettings())
                session.begin(alpn: alpn, at: now)
                return session
            }
        }
        let tls = try Connection(other.plan(.tcp, isSecure: true))
        try other.dial(tls)
        #expect(other.isEstablished, "\(other.close.map(\.description) ?? "nothing happened")")
        #expect(tls.facts.alpn == "qmux-02.moq-lite-06")
        #expect(tls.facts.negotiatedProtocol == "moq-lite-06")
    }

    @Test func aCertificateThatIsNotThePinnedOneIsRefusedOnEveryTransport() throws {
        let others = try DialCredentials(trust: .pinned([String(repeating: "ab", count: 32)]))
        for kind in TransportKind.allCases {
            let scene = try DialScene()
            try scene.serveDatagrams()
            try scene.serveStreams { _ in scene.protected([]) { _, _ in Parrot("") } }
            let connection = try Connection(scene.plan(kind, isSecure: true, credentials: others))
            try scene.dial(connection)
            let close = try #require(scene.close, "\(kind)").explained(by: connection)
            #expect(close.cause == .certificateRefused, "\(kind): \(close)")
            #expect(close.reason.contains(scene.identity.fingerprint), "\(kind): \(close)")
        }
    }

    @Test func whatIsCutSaysAndHearsNothingMore() throws {
        for kind in [TransportKind.quic, .tcp] {
            let scene = try DialScene()
            try scene.serveDatagrams()
            try scene.serveStreams { QmuxTCPSession(server: $0, protocols: ["moq-lite-06"], settings: QmuxSettings()) }
            let connection = try Connection(scene.plan(kind))
            try scene.dial(connection)
            #expect(scene.isEstablished)
            connection.cut()
            #expect(!connection.isAttached)
            let before = connection.linkStatistics.passed
            connection.transport.close(code: 0, reason: "nobody hears this")
            try scene.turn(connection, for: .seconds(2)) { _ in false }
            #expect(connection.linkStatistics.passed == before, "\(kind)")
        }
    }

    // MARK: What is no relay

    @Test func aPortWhereNobodyListensIsTold() throws {
        for kind in [TransportKind.tcp, .websocket] {
            let scene = try DialScene()
            let connection = try Connection(scene.plan(kind))
            try scene.dial(connection)
            #expect(scene.close?.cause == .lost, "\(kind)")
            #expect(
                scene.close?.reason.contains("127.0.0.1:4443") == true, "\(kind): \(scene.close.map(\.reason) ?? "")")
        }
    }

    @Test func anHTTPServerThatKnowsNoWebSocketIsTold() throws {
        let scene = try DialScene()
        try scene.serveStreams { _ in Parrot("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") }
        try scene.dial(Connection(scene.plan(.websocket)))
        #expect(scene.close?.cause == .refused(.status(404)))
    }

    @Test func aServerThatSpeaksSomethingElseOverTCPIsTold() throws {
        let scene = try DialScene()
        try scene.serveStreams { _ in Parrot("220 mail.example ESMTP ready for you\r\n") }
        try scene.dial(Connection(scene.plan(.tcp)))
        guard case .refused(.notSpoken) = scene.close?.cause else {
            Issue.record("\(scene.close.map(\.description) ?? "nothing")")
            return
        }
    }

    @Test func aPlainServerWhereTLSIsExpectedIsTold() throws {
        let scene = try DialScene()
        try scene.serveStreams { _ in Parrot("HTTP/1.1 400 Bad Request\r\n\r\n") }
        let connection = try Connection(scene.plan(.websocket, isSecure: true))
        try scene.dial(connection)
        let close = try #require(scene.close).explained(by: connection)
        guard case .refused(.notSpoken(let words)) = close.cause else {
            Issue.record("\(close)")
            return
        }
        #expect(words.contains("TLS"))
    }

    @Test func aServerThatNeverAnswersIsGivenUpInTime() throws {
        for kind in TransportKind.allCases {
            let scene = try DialScene()
            try scene.serveStreams { _ in Parrot("", ends: false) }
            let connection = try Connection(scene.plan(kind))
            let begin = scene.driver.now
            try scene.dial(connection, for: .seconds(30))
            #expect(scene.close != nil || connection.isUnreachable, "\(kind)")
            #expect(begin.duration(to: scene.driver.now) <= .seconds(4) || connection.isUnreachable, "\(kind)")
        }
    }
}

extension SessionClose {
    fileprivate func explained(by connection: Connection) -> SessionClose { connection.explained(self) }
}
