import MoqBase
import MoqTransport
import MoqWire

/// What arrives on streams, and how they end.
extension SessionMonitor {
    func read(_ bytes: [UInt8], on record: StreamRecord?, from side: MonitorSide) {
        guard let record, !bytes.isEmpty else { return }
        if side == .relay { expectations.answered(record.id) }
        switch record.purpose {
        case .ignored: return
        case .group(let group) where side == .relay: return scan(bytes, group, record)
        case .fetch(let group) where side == .relay: return scan(bytes, group, record)
        default: break
        }
        if side == .relay {
            guard !record.relay.isUnreadable else { return }
            record.relay.tap.feed(bytes)
        } else {
            guard !record.client.isUnreadable else { return }
            record.client.tap.feed(bytes)
        }
        side == .relay ? readRelay(record) : readClient(record)
    }

    /// The next message of one side of a stream; nil when none is complete. A stream with one that is too long is
    /// passed over.
    func nextMessage(_ record: StreamRecord, from side: MonitorSide, _ framing: MessageFraming) -> TappedMessage? {
        do throws(WireError) {
            return try side == .relay ? record.relay.tap.message(framing) : record.client.tap.message(framing)
        } catch {
            record.purpose = .ignored
            return nil
        }
    }

    /// Decodes a message of the relay, and writes down what is wrong with it.
    func decode<M: WireMessage>(
        _: M.Type, _ message: TappedMessage, on record: StreamRecord, judgesWidth: Bool = true
    ) -> M? {
        guard let version else { return nil }
        do throws(WireError) {
            let decoded = try M.decode(message.raw, version: version)
            if judgesWidth, let canonical = try? decoded.encode(version: version), canonical.count < message.width {
                note(
                    .shortest, on: record, message,
                    "\(M.messageName) takes \(message.width) bytes where \(canonical.count) say the same")
            }
            return decoded
        } catch {
            record.relay.isUnreadable = true
            note(rule(for: error), on: record, message, error.description)
            return nil
        }
    }

    private func rule(for error: WireError) -> MonitorRule {
        switch error {
        case .spareBytes, .truncated: .lengths
        case .tooMany(let field, _, _) where field.name == "hops" || field.message == "HOPS": .longestSent
        case .repeated(let field, _) where field.name == "hops": .noRepeat
        case .illegal(let field, _, _) where field.name == "timescale": .timescale
        case .illegal(let field, _, _) where field.name.hasSuffix("keep") || field.name.hasSuffix("base"): .compressed
        case .illegal(let field, _, _) where field.name == "status": .statuses
        case .unknownType("SUBSCRIBE answer", _): .answerTypes
        default: .grammar
        }
    }

    // MARK: Ends

    func finish(_ record: StreamRecord?, from side: MonitorSide) {
        guard let record else { return }
        if side == .relay {
            expectations.answered(record.id)
            guard record.relay.end == nil else { return }
            judgeEnd(of: record)
            record.relay.end = .finished
        } else {
            guard record.client.end == nil else { return }
            record.client.end = .finished
            clientEnded(record)
        }
        dropIfOver(record)
    }

    func reset(_ record: StreamRecord?, _ code: StreamCode, from side: MonitorSide) {
        if side == .relay { judge(code, of: record, isStop: false) }
        guard let record else { return }
        if side == .relay {
            expectations.answered(record.id)
            if record.relay.end == nil { record.relay.end = .reset }
        } else {
            if case .relayWatch = record.purpose { didClientResetAnnouncements = true }
            if record.client.end == nil {
                record.client.end = .reset
                clientEnded(record)
            }
        }
        dropIfOver(record)
    }

    func stop(_ record: StreamRecord?, _ code: StreamCode, from side: MonitorSide) {
        if side == .relay { judge(code, of: record, isStop: true) }
        guard let record else { return }
        if side == .relay {
            expectations.answered(record.id)
            if record.client.end == nil { record.client.end = .unwatched }
        } else {
            // Nothing of that half is seen any more.
            expectations.answered(record.id)
            if case .subscription(let subscription) = record.purpose {
                subscription.clientEndedAt = subscription.clientEndedAt ?? now
            }
            if record.relay.end == nil { record.relay.end = .unwatched }
        }
        dropIfOver(record)
    }

    /// The relay ended its half in good order: whether it may, here.
    private func judgeEnd(of record: StreamRecord) {
        guard !record.relay.isUnreadable else { return }
        if !record.relay.tap.isEmpty {
            let offset = record.relay.tap.offset
            let bytes = record.relay.tap.takeRest()
            note(.grammar, on: record.id, at: offset, bytes, "the stream was ended inside a message")
            return
        }
        switch record.purpose {
        case .group(let group), .fetch(let group): judgeEnd(of: group, record)
        case .groupHeader:
            note(.grammar, on: record.id, "a group stream was ended before its header")
        case .setup(isRead: false):
            note(.setupOnce, on: record.id, "the stream of SETUP was ended without the message")
        case .setup: expectations.fulfil(.setupOnce, on: record.id)
        case .watch(let view): judgeEnd(of: view, record)
        case .subscription(let subscription): judgeEnd(of: subscription, record)
        case .properties(isAnswered: false) where record.client.end == nil:
            note(.infoOnce, on: record.id, "the request for properties was ended without TRACK_INFO")
        default: break
        }
    }

    /// The client ended its half: what the relay owes then.
    private func clientEnded(_ record: StreamRecord) {
        guard record.relay.end == nil, isReady else { return }
        switch record.purpose {
        case .subscription(let subscription):
            subscription.clientEndedAt = now
            expect(
                .cancelAnswered, on: record.id, "the client ended its subscription and the relay did not end its half")
        case .watch, .probe:
            expect(.bothHalves, on: record.id, "the client ended its half and the relay did not end its own")
        default: break
        }
    }

    /// Whether the relay has been told all that it waits for before it answers requests.
    var isReady: Bool {
        guard let version else { return false }
        return version.hasSetup ? clientSetup != nil : true
    }
}
