import MoqBase
import MoqTransport
import MoqWire

/// Codes and reasons of the relay.
extension SessionMonitor {
    /// A reset or a stop of the relay.
    func judge(_ code: StreamCode, of record: StreamRecord?, isStop: Bool) {
        let name = isStop ? "stop" : "reset"
        if case .unmapped(let raw) = code, raw != 0 {
            return note(
                .mapping, on: record?.id, "the code of a \(name) is 0x\(String(raw, radix: 16)), outside of the mapping"
            )
        }
        if case .code(let number) = code, !kind.usesDatagrams, Self.isMapped(number) {
            let digits = String(number, radix: 16)
            return note(.qmuxCodes, on: record?.id, "the code of a \(name) is 0x\(digits), a mapped one")
        }
        held(kind.usesDatagrams ? .mapping : .qmuxCodes)
        // What a relay passes on keeps its number; what it raises itself is known by where it stands.
        guard case .code(let number) = code, isStop || isRelaysOwn(record) else { return }
        judgeOwn(number, onStreams: true, on: record?.id, "the code of a \(name) is \(number)")
    }

    /// Whether a number is one of those to which WebTransport maps codes.
    private static func isMapped(_ number: UInt64) -> Bool {
        (StreamCodeMapping.first...StreamCodeMapping.last).contains(number)
    }

    /// A code that the relay raised by itself.
    private func judgeOwn(_ number: UInt64, onStreams: Bool, on stream: StreamID?, _ words: String) {
        guard let generation = configuration.generation, number < ErrorCondition.appOffset else { return }
        let rows = CodeTable.entries(of: generation).filter { $0.number == number }
        let other = CodeTable.entries(of: generation == .first ? .second : .first).contains { $0.number == number }
        if rows.contains(where: { $0.isSessionCode.map { $0 != onStreams } ?? true }) {
            held(.oneGeneration)
            held(.ownSpace)
            held(.knownCodes)
        } else if !rows.isEmpty {
            note(.ownSpace, on: stream, "\(words), a code of \(onStreams ? "sessions" : "streams")")
        } else if other {
            note(.oneGeneration, on: stream, "\(words), a code of the other generation")
        } else {
            note(.knownCodes, on: stream, "\(words), which is none of its generation")
        }
    }

    /// A reset where codes are passed on: one of applications comes from an application.
    func judgePassedOn(_ code: StreamCode, _ record: StreamRecord) {
        guard case .code(let number) = code, number >= ErrorCondition.appOffset, let shared, !shared.isPartial else {
            return
        }
        switch record.purpose {
        case .subscription, .group, .fetch, .properties:
            check(
                .passedOn, shared.hasClientSent(code: number), on: record.id,
                "the code of a reset is \(number), which no client has sent")
        default: break
        }
    }

    /// Whether nobody but the relay can be the cause of a reset there.
    private func isRelaysOwn(_ record: StreamRecord?) -> Bool {
        switch record?.purpose {
        case .watch, .probe, .clientGoaway, .refused, .relayWatch, .relayProbe: true
        default: false
        }
    }

    func end(_ close: SessionClose) {
        withdrawAll(.endOnDisconnect)
        judgeTransport(close)
        isOver = true
        streams.removeAll()
        routes.removeAll()
        watches = []
        announcing = []
        if close.initiator == .local, case .application(let code) = close.cause {
            shared?.note(clientCode: .code(code))
        }
        guard close.initiator == .peer else { return }
        judgeSecrets(in: close.reason, "the reason of the close", nil)
        check(
            .readableReason, !close.reason.contains("\u{FFFD}"), on: nil,
            "the reason of the close is no UTF-8: '\(close.reason)'")
        guard case .application(let code) = close.cause else { return }
        if kind == .quic {
            check(
                .plainCode, !Self.isMapped(code), on: nil,
                "the close carries 0x\(String(code, radix: 16)), a mapped number")
        }
        // A relay closes with the number with which a client reset its announcements.
        guard !didClientResetAnnouncements else { return }
        judgeOwn(code, onStreams: false, on: nil, "the session is closed with \(code)")
    }

    func judgeSecrets(in text: String, _ place: String, _ stream: StreamID?) {
        let secrets = configuration.secrets.filter { !$0.isEmpty }
        guard !secrets.isEmpty else { return }
        check(
            .noSecrets, !secrets.contains { text.contains($0) }, on: stream, "\(place) holds the token of the session")
    }
}
