import MoqBase
import MoqWire

@testable import MoqMonitor
@testable import MoqTransport

extension RuleCase {
    /// What the transport gave up for, with the code that it closed with.
    private static func close(
        _ rule: MonitorRule, _ kind: TransportKind, _ code: UInt64, _ reason: String = "a rule was broken"
    ) -> RuleCase {
        RuleCase(rule, .lite06, kind: kind) {
            $0.relay(.closed(SessionClose(initiator: .local, cause: .transport(code: code), reason: reason)))
        } legal: {
            $0.relay(.closed(SessionClose(initiator: .local, cause: .idleTimeout, reason: "")))
        }
    }

    private static func promise(
        _ rule: MonitorRule, _ kind: TransportKind = .quic,
        illegal: @escaping @Sendable (inout TransportPromises) -> Void,
        legal: @escaping @Sendable (inout TransportPromises) -> Void
    ) -> RuleCase {
        RuleCase(rule, .lite06, kind: kind) {
            illegal(&$0.promises)
        } legal: {
            legal(&$0.promises)
        }
    }

    /// Beneath sessions.
    static let transport: [RuleCase] = [
        promise(.quicDatagrams) {
            $0.datagrams = 0
        } legal: {
            $0.datagrams = 1200
        },
        promise(.quicStreams) {
            ($0.bidirectionalStreams, $0.unidirectionalStreams) = (100, 99)
        } legal: {
            ($0.bidirectionalStreams, $0.unidirectionalStreams) = (100, 100)
        },
        promise(.quicIdle) {
            $0.idleTimeout = .seconds(9)
        } legal: {
            $0.idleTimeout = .seconds(10)
        },
        promise(.settings, .webtransport) {
            $0.settings = [0x08: 1, 0x33: 0, 0x2B60_3742: 1]
        } legal: {
            $0.settings = [0x08: 1, 0x33: 1, 0x2B60_3742: 1]
        },
        RuleCase(.connectAnswer, .lite06, kind: .webtransport) {
            let refusal = SessionClose.Cause.refused(.notOffered("x"))
            $0.relay(.closed(SessionClose(initiator: .local, cause: refusal, reason: "")))
        } legal: { _ in
        },
        close(.streamHeads, .webtransport, 0x103),
        close(.datagramHeads, .webtransport, 0x33),
        close(.qmuxBegin, .tcp, 0x8),
        close(.qmuxRecords, .websocket, 0x7),
        close(.qmuxRecordLimit, .tcp, 0x7, QmuxViolation.largeRecord(70_000).reason),
        close(.qmuxCredit, .tcp, 0x3),
        close(.qmuxStreams, .websocket, 0x4),
        close(.qmuxStreamIDs, .tcp, 0x5),
        close(.webSocketFrames, .websocket, 1003),
        RuleCase(.qmuxCodes, .lite06, kind: .tcp) {
            $0.relay(.reset(ByteScript.group(), .code(StreamCodeMapping.wire(.code(1)))))
        } legal: {
            $0.relay(.reset(ByteScript.group(), .code(1)))
        },
    ]
}
