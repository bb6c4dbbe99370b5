import MoqBase
import MoqHTTP3
import MoqQUIC

/// How sessions end.
extension WebTransportSession {
    /// The code goes plain into a close capsule and mapped into QUIC's close right behind it, as moq-ffi 0.2 to 0.4.18
    /// do. A peer that misses the capsule has the code all the same.
    public func close(code: UInt64, reason: String) {
        guard phase != .over else { return }
        let code = min(code, UInt64(UInt32.max))
        let words = reason.prefixOfBytes(WebTransportLimits.closeReason)
        if phase == .open, let connectStream, flaw != .webTransportCloseWithoutCapsule {
            let capsule = Capsule.closeSession(code: UInt32(code), reason: words)
            connection.write(HTTP3Frame.encode(HTTP3FrameType.data, capsule.encoded), to: connectStream)
            connection.finish(connectStream)
            connection.close(
                code: StreamCodeMapping.wire(.code(code)), reason: words, afterSending: connectStream)
        } else {
            connection.close(code: HTTP3Code.noError.rawValue, reason: words)
        }
        end(SessionClose(initiator: .local, cause: .application(code: code), reason: reason))
    }

    func take(_ capsule: Capsule) {
        switch capsule {
        case .drainSession: isDraining = true
        case .closeSession(let code, let reason): peerClosed(code: UInt64(code), reason: reason)
        }
    }

    /// The peer closed the session: nothing is left to do with the connection.
    func peerClosed(code: UInt64, reason: String) {
        guard phase != .over else { return }
        if let connectStream { connection.finish(connectStream) }
        connection.close(code: StreamCodeMapping.wire(.code(code)), afterSending: connectStream)
        end(SessionClose(initiator: .peer, cause: .application(code: code), reason: reason))
    }

    /// The peer let go of what the session needs: its own close most likely follows, and says more.
    func endSoon(_ close: SessionClose, code: HTTP3Code, reason: String) {
        guard phase != .over, pendingEnd == nil else { return }
        pendingEnd = close
        connection.close(code: code.rawValue, reason: reason, after: WebTransportLimits.closeGrace)
    }

    /// The peer broke a rule.
    func fail(_ error: HTTP3Error) {
        guard phase != .over, flaw?.forgivenCode(error.code) != true else { return }
        var error = error
        if flaw == .http3CodesLost { error = HTTP3Error(.internalError, error.reason) }
        let phrase = error.reason.prefixOfBytes(WebTransportLimits.closeReason)
        if phase == .open, error.code == .closedCriticalStream {
            let close = SessionClose(
                initiator: .local, cause: .transport(code: error.code.rawValue), reason: error.description)
            return endSoon(close, code: error.code, reason: phrase)
        }
        if phase == .opening && role == .client {
            let words = "the server does not speak HTTP/3 as a relay does (\(error))"
            refuse(.notSpoken(words), by: .local, code: error.code, phrase: phrase)
        } else {
            connection.close(code: error.code.rawValue, reason: phrase)
            end(
                SessionClose(
                    initiator: .local, cause: .transport(code: error.code.rawValue), reason: error.description))
        }
    }

    /// There will be no session.
    func refuse(
        _ refusal: HandshakeRefusal, by initiator: SessionClose.Initiator, code: HTTP3Code = .noError,
        phrase: String = ""
    ) {
        guard phase != .over else { return }
        connection.close(code: code.rawValue, reason: phrase)
        end(SessionClose(initiator: initiator, cause: .refused(refusal), reason: Self.advice(refusal)))
    }

    /// What may help.
    private static func advice(_ refusal: HandshakeRefusal) -> String {
        switch refusal {
        case .status(401), .status(403):
            "the server wants another token; see --token and ?jwt= in the URL"
        case .status(404):
            "the server knows no WebTransport at this path; see whether the URL's path is right"
        case .status(405), .status(501):
            "the server takes no WebTransport sessions; see whether the URL names a relay"
        case .status(429), .status(500...599):
            "the server has trouble; try again later, and see its log"
        case .status:
            "the server did not accept the session; see its log"
        case .noProtocol:
            "the server accepted the session, but knows none of the versions offered; offer others"
        case .notOffered, .extensionNotOffered:
            "the server's choice is against the rules; offer that version, or see whether the URL names a relay"
        case .notSpoken:
            "see whether the URL names a relay, or try moqt://"
        }
    }

    /// QUIC's connection is over.
    func connectionClosed(_ close: QUICClose) {
        guard phase != .over else { return }
        guard close.initiator == .peer, case .application(let number) = close.cause else {
            if let pendingEnd, close.initiator == .local, case .application = close.cause { return end(pendingEnd) }
            return end(SessionClose(quic: close))
        }
        if case .code(let code) = StreamCodeMapping.code(number) {
            return end(SessionClose(initiator: .peer, cause: .application(code: code), reason: close.reason))
        }
        let code = HTTP3Code(rawValue: number)
        guard code.name != nil else { return end(SessionClose(quic: close)) }
        let words = close.reason.isEmpty ? "\(code)" : "\(code): \(close.reason)"
        if phase == .open {
            let cause: SessionClose.Cause = code == .noError ? .application(code: 0) : .transport(code: number)
            end(SessionClose(initiator: .peer, cause: cause, reason: words))
        } else if role == .client {
            let refusal = HandshakeRefusal.notSpoken(
                "the server closed the HTTP/3 connection before it answered the CONNECT (\(words))")
            end(SessionClose(initiator: .peer, cause: .refused(refusal), reason: Self.advice(refusal)))
        } else {
            end(SessionClose(initiator: .peer, cause: .lost, reason: "the client asked for no session (\(words))"))
        }
    }

    /// Tells the owner, once.
    func end(_ close: SessionClose) {
        phase = .over
        arriving = [:]
        heldOrder = []
        heldDatagrams = []
        report(.closed(close))
    }
}

extension BindingFlaw {
    /// Whether what has this code is passed over.
    fileprivate func forgivenCode(_ code: HTTP3Code) -> Bool {
        switch self {
        case .http3SettingsForgiven: code == .settingsError || code == .missingSettings
        case .http3FramesAnywhere: code == .frameUnexpected
        case .http3QPACKForgiven:
            [.qpackDecompressionFailed, .qpackEncoderStreamError, .qpackDecoderStreamError].contains(code)
        case .http3PushTaken: code == .idError
        case .http3CriticalStreamsEnd: code == .closedCriticalStream
        case .http3DatagramsUnread: code == .datagramError
        default: false
        }
    }
}
