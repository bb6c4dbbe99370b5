import MoqBase
import MoqTransport
import MoqWire

/// Codes and reasons of the relay.
extension SessionMonitor {
    /// A reset or a stop of the relay.
    func judge(_ code: StreamCode, of record: StreamRecord?, isStop: Bool) {
        let name = isStop ? "stop" : "reset"
        switch code {
        case .unmapped(raw: 0): break
        case .unmapped(let raw):
            note(
                .mapping, on: record?.id, "the code of a \(name) is 0x\(String(raw, radix: 16)), outside of the mapping"
            )
        case .code(let number):
            // What a relay passes on keeps its number; what it raises itself is known by where it stands.
            guard isStop || isRelaysOwn(record), !isKnown(number, onStreams: true) else { return }
            note(.knownCodes, on: record?.id, "the code of a \(name) is \(number), which is none of its generation")
        }
    }

    /// Whether nobody but the relay can be the cause of a reset there.
    private func isRelaysOwn(_ record: StreamRecord?) -> Bool {
        switch record?.purpose {
        case .watch, .probe, .clientGoaway, .refused, .relayWatch, .relayProbe: true
        default: false
        }
    }

    private func isKnown(_ number: UInt64, onStreams: Bool) -> Bool {
        guard let generation = configuration.generation, number < ErrorCondition.appOffset else { return true }
        return CodeTable.entries(of: generation).contains { row in
            row.number == number && (row.isSessionCode.map { $0 != onStreams } ?? true)
        }
    }

    func end(_ close: SessionClose) {
        isOver = true
        streams.removeAll()
        guard close.initiator == .peer else { return }
        judgeSecrets(in: close.reason, "the reason of the close", nil)
        // A relay closes with the number with which a client reset its announcements.
        guard case .application(let code) = close.cause, !didClientResetAnnouncements else { return }
        guard !isKnown(code, onStreams: false) else { return }
        note(.knownCodes, on: nil, "the session is closed with \(code), which is no session code of its generation")
    }

    func judgeSecrets(in text: String, _ place: String, _ stream: StreamID?) {
        guard configuration.secrets.contains(where: { !$0.isEmpty && text.contains($0) }) else { return }
        note(.noSecrets, on: stream, "\(place) holds the token of the session")
    }
}
