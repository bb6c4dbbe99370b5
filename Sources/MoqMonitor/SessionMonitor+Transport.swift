import MoqBase
import MoqTransport
import MoqWire

/// What the relay does beneath its session, as far as a session can tell, and what it has never done.
extension SessionMonitor {
    /// Numbers of the HTTP/3 settings that WebTransport needs (RFC 9220, RFC 9297, draft-ietf-webtrans-http3).
    private enum Setting {
        static let connect: UInt64 = 0x08
        static let datagrams: [UInt64] = [0x33, 0xFFD277]
        static let webTransport: [UInt64] = [0x2B60_3742, 0x2B60_3743, 0xC671_706A, 0x14E9_CD29, 0x2C7C_F000]
    }

    func judge(_ promises: TransportPromises) {
        guard let version else { return }
        if kind == .quic {
            if let size = promises.datagrams, version.hasDatagrams {
                check(.quicDatagrams, size > 0, on: nil, "the transport parameters allow no datagrams")
            }
            if let two = promises.bidirectionalStreams, let one = promises.unidirectionalStreams {
                check(
                    .quicStreams, min(one, two) >= 100, on: nil,
                    "\(two) two-way and \(one) one-way streams may be opened")
            }
            if let idle = promises.idleTimeout {
                check(
                    .quicIdle, idle >= .seconds(10) && idle <= .seconds(30), on: nil,
                    "the idle timeout is \(idle.milliseconds) ms")
            }
        }
        guard kind == .webtransport else { return }
        held(.connectAnswer)
        guard let settings = promises.settings else { return }
        func isSet(_ numbers: [UInt64]) -> Bool { numbers.contains { settings[$0, default: 0] > 0 } }
        let names = settings.keys.sorted().map { "0x\(String($0, radix: 16)) is \(settings[$0] ?? 0)" }
        check(
            .settings, isSet([Setting.connect]) && isSet(Setting.datagrams) && isSet(Setting.webTransport), on: nil,
            "of the settings \(names.joined(separator: ", "))")
    }

    /// The transport gave up because of what the relay did.
    func judgeTransport(_ close: SessionClose) {
        guard close.initiator == .local else { return }
        switch close.cause {
        case .refused(.notOffered) where kind == .webtransport:
            note(.connectAnswer, on: nil, close.description)
        case .transport(let code):
            guard let rule = rule(ofTransport: code, close.reason) else { return }
            note(rule, on: nil, close.description)
        default: break
        }
    }

    /// The rule that the transport saw broken. The codes of Qmux are those of QUIC (RFC 9000 section 20.1), those of
    /// WebSocket begin with 1000 (RFC 6455 section 7.4), those of HTTP/3 with 0x100 (RFC 9114 section 8.1).
    private func rule(ofTransport code: UInt64, _ reason: String) -> MonitorRule? {
        switch kind {
        case .quic: return nil
        case .webtransport:
            switch code {
            case 0x33: return .datagramHeads
            case 0x103, 0x105, 0x106, 0x108: return .streamHeads
            case 0x109, 0x10A: return .settings
            case 0x10E: return .connectAnswer
            default: return nil
            }
        case .websocket, .tcp:
            switch code {
            case 0x3: return .qmuxCredit
            case 0x4: return .qmuxStreams
            case 0x5, 0x6: return .qmuxStreamIDs
            case 0x7: return QmuxViolation.isLargeRecord(reason) ? .qmuxRecordLimit : .qmuxRecords
            case 0x8: return .qmuxBegin
            case 0xA: return .qmuxRecords
            case 1000...: return .webSocketFrames
            default: return nil
            }
        }
    }

    /// The session is not observed any more: what a relay has never done in it.
    func judgeWhole() {
        guard let version else { return }
        var never: [MonitorRule] = []
        if version <= .lite03 { never.append(.goawayFrom) } else { never.append(.goawayOnce) }
        if version <= .lite02 { never.append(.probeFrom) }
        if version <= .lite04 {
            never.append(.setupNone)
            if kind.usesDatagrams { never.append(.datagramVersion) }
        } else if didRelayOpenSetup {
            never.append(.setupOnce)
        }
        never.append(.answersFit)
        switch kind {
        case .quic: break
        case .webtransport:
            never += [.streamHeads]
            if version.hasDatagrams { never.append(.datagramHeads) }
        case .websocket, .tcp:
            never += [
                .datagramTransport, .qmuxBegin, .qmuxRecords, .qmuxRecordLimit, .qmuxCredit, .qmuxStreams,
                .qmuxStreamIDs,
            ]
            if kind == .websocket { never.append(.webSocketFrames) }
        }
        for rule in never where checks[rule].broken == 0 && checks[rule].held == 0 { held(rule) }
    }
}
