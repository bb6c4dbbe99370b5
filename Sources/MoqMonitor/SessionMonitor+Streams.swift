import MoqBase
import MoqTransport
import MoqWire

/// What arrives on streams, and how they end.
extension SessionMonitor {
    func read(_ bytes: [UInt8], on record: StreamRecord?, from side: MonitorSide) {
        guard let record, !bytes.isEmpty else { return }
        if side == .relay { record.hasUnread = false }
        if side == .relay { answered(record.id) }
        switch record.purpose {
        case .ignored: return
        case .group(let group) where side == .relay: return scan(bytes, group, record)
        case .fetch(let group) where side == .relay: return scan(bytes, group, record)
        case .clientGroup(let group) where side == .client: return publish(bytes, group, record)
        case .relayFetch(let group?) where side == .client: return publish(bytes, group, record)
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

    /// Decodes a message of the relay, and writes down what is wrong with it: as a breach of `form`, where that is given
    /// and the fields of the message are not those that they should be.
    func decode<M: WireMessage>(
        _: M.Type, _ message: TappedMessage, on record: StreamRecord, judgesWidth: Bool = true,
        form: MonitorRule? = nil
    ) -> M? {
        guard let version else { return nil }
        do throws(WireError) {
            let decoded = try M.decode(message.raw, version: version)
            if judgesWidth, let canonical = try? decoded.encode(version: version) {
                check(
                    .shortest, canonical.count >= message.width, on: record, message,
                    "\(M.messageName) takes \(message.width) bytes where \(canonical.count) say the same")
            }
            held(.grammar)
            held(.lengths)
            if let form { held(form) }
            return decoded
        } catch {
            record.relay.isUnreadable = true
            note(rule(for: error, form), on: record, message, error.description)
            return nil
        }
    }

    private func rule(for error: WireError, _ form: MonitorRule?) -> MonitorRule {
        switch error {
        case .illegal(let field, _, _) where field.name == "status" && form == .noHeader: .noHeader
        case .spareBytes, .truncated: form ?? .lengths
        case .unknownType(SubscribeAnswer.messageName, _) where version?.subscribeAnswerIsOK == true: .okFirstAnswer
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
            answered(record.id)
            guard record.relay.end == nil else { return }
            judgeEnd(of: record)
            record.relay.end = .finished
            relayEnded(record)
        } else {
            guard record.client.end == nil else { return }
            record.client.end = .finished
            noteClientEnd(of: record, isFinished: true)
            clientEnded(record)
        }
        dropIfOver(record)
    }

    func reset(_ record: StreamRecord?, _ code: StreamCode, from side: MonitorSide) {
        if side == .relay { judge(code, of: record, isStop: false) }
        guard let record else { return }
        if side == .relay {
            answered(record.id)
            judgePassedOn(code, record)
            if record.relay.end == nil {
                record.relay.end = .reset
                relayEnded(record)
            }
        } else {
            shared?.note(clientCode: code)
            if case .relayWatch = record.purpose { didClientResetAnnouncements = true }
            if record.client.end == nil {
                record.client.end = .reset
                noteClientEnd(of: record, isFinished: false)
                clientEnded(record)
            }
        }
        dropIfOver(record)
    }

    func stop(_ record: StreamRecord?, _ code: StreamCode, from side: MonitorSide) {
        if side == .relay { judge(code, of: record, isStop: true) }
        guard let record else { return }
        if side == .relay {
            answered(record.id)
            if record.client.end == nil {
                record.client.end = .unwatched
                noteClientEnd(of: record, isFinished: false)
            }
        } else {
            // Nothing of that half is seen any more.
            expectations.drop(record.id)
            shared?.note(clientCode: code)
            if case .subscription(let subscription) = record.purpose {
                subscription.clientEndedAt = subscription.clientEndedAt ?? now
            }
            if record.relay.end == nil {
                record.relay.end = .unwatched
                relayEnded(record)
            }
        }
        dropIfOver(record)
    }

    /// The relay's half is over, however.
    private func relayEnded(_ record: StreamRecord) {
        switch record.purpose {
        case .relaySubscription(let track): relaySubscriptions[track, default: 1] -= 1
        case .subscription(let subscription): subscription.relayEndedAt = now
        case .relayWatch(let routes): withdrawAll(routes, on: record.id, nil)
        default: break
        }
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
        held(.grammar)
        switch record.purpose {
        case .group(let group):
            held(.groupStream)
            judgeEnd(of: group, record)
        case .fetch(let group): judgeEnd(of: group, record)
        case .groupHeader:
            note(.groupStream, on: record.id, "a group stream was ended before its header")
        case .setup(isRead: false):
            note(.setupOnce, on: record.id, "the stream of SETUP was ended without the message")
        case .setup: fulfil(.setupOnce, on: record.id)
        case .watch(let view): judgeEnd(of: view, record)
        case .subscription(let subscription): judgeEnd(of: subscription, record)
        case .properties(_, let isAnswered) where record.client.end == nil:
            check(.infoOnce, isAnswered, on: record.id, "the request for properties was ended without TRACK_INFO")
        case .relayProperties: fulfil(.trackRequestEnded, on: record.id)
        case .relayFetch: fulfil(.fetchRequestEnded, on: record.id)
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
            for other in openGroups(of: subscription) {
                expect(
                    .nothingLeftOpen, on: other,
                    "the client ended its subscription and a group that was under way neither came nor was ended")
            }
        case .watch, .probe:
            expect(.bothHalves, on: record.id, "the client ended its half and the relay did not end its own")
        default: break
        }
    }

    /// The streams of groups of a subscription that are under way, in order; a few, as a flood costs too much.
    private func openGroups(of subscription: SubscriptionRecord) -> [StreamID] {
        guard streams.count <= MonitorLimits.openGroups else { return [] }
        let open = streams.values.filter { record in
            guard case .group(let group) = record.purpose, record.relay.end == nil else { return false }
            return group.key?.subscription == subscription.id
        }
        return open.map(\.id).sorted()
    }

    /// Whether the relay has been told all that it waits for before it answers requests.
    var isReady: Bool {
        guard let version else { return false }
        return version.hasSetup ? clientSetup != nil : true
    }
}
