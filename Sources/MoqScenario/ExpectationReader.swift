import MoqBase

/// Reads what an actor expects: a mapping in which every key names one thing, and all must hold.
struct ExpectationReader: ExpectationTreeReader {
    let context: ReadingContext
    let kind = ActorKind.session

    /// The things that can be seen, but for `track` and its properties, in the order of the documentation.
    static let names = [
        "announced", "unannounced", "reannounced", "subscribe_request", "subscribe_updated", "unsubscribed",
        "fetch_request", "track_info_request", "track_info", "fetched", "datagrams", "session", "catalog", "goaway",
        "probe", "stream",
    ]

    /// The keys that may stand beside `track` and its properties.
    static let otherKeys =
        names + ["track", "broadcast", "within", "for", "count", "at_least", "at_most", "any_of", "in_order", "all_of"]

    /// Things that are states or have counts of their own, so that "how often" means nothing for them.
    private static let statesWithoutCount = ["track_info", "datagrams", "session", "catalog", "stream"]

    static func kind(of seen: ExpectationKind) -> ExpectationKind { seen }

    /// What a relay actor can be expected to do.
    func relayTree(_ reader: MappingReader) -> ExpectationTree? {
        guard let entry = reader.need("serves") else { return nil }
        guard context.truth(entry.value, "serves") == true else {
            context.error(entry.value.span, "`serves` can only be expected to be true", suggestion: "true")
            return nil
        }
        return one(.relayServes, entry)
    }

    /// Takes the keys that say what is expected. The caller takes the others (`within`, `for`) and finishes.
    func tree(_ reader: MappingReader) -> ExpectationTree? {
        var parts: [ExpectationTree] = []
        let track = trackPart(reader)
        if let track { parts.append(track) }
        let occurrences = reader.occurrences()
        var isCounted = false
        for name in Self.names {
            guard let entry = reader.take(name) else { continue }
            isCounted = true
            if occurrences != nil, Self.statesWithoutCount.contains(name) {
                context.error(entry.keySpan, "`count` says nothing about `\(name)`, which is a state")
            }
            parts += read(entry, broadcast: broadcast(reader), occurrences: occurrences)
        }
        for (key, make) in [
            ("any_of", ExpectationTree.any), ("in_order", ExpectationTree.inOrder), ("all_of", ExpectationTree.all),
        ] {
            let expected = "a list of expectations, such as `- { announced: game }`"
            if let branches = branches(reader, key, expected: expected) { parts.append(make(branches)) }
        }
        if occurrences != nil, !isCounted {
            countsNothing(
                reader,
                expected: track == nil
                    ? "the number beside what is counted, such as `announced: game`"
                    : "`frames: { at_least: 3 }` or `groups: 3`")
        }
        return parts.count > 1 ? .all(parts) : parts.first
    }

    private func broadcast(_ reader: MappingReader) -> String? {
        reader.text("broadcast")
    }

    private func trackPart(_ reader: MappingReader) -> ExpectationTree? {
        guard let track = TrackExpectationReader.read(reader, context: context), let entry = reader.take("track")
        else { return nil }
        return one(.track(track), entry)
    }

    private func read(
        _ entry: YAMLNode.Entry, broadcast: String?, occurrences: CountExpectation?
    ) -> [ExpectationTree] {
        if case .sequence(let items) = entry.value.content, entry.key.hasSuffix("announced") {
            return items.flatMap { item in
                var single = entry
                single.value = item
                return read(single, broadcast: broadcast, occurrences: occurrences)
            }
        }
        guard let kind = kind(entry, broadcast: broadcast) else { return [] }
        return [one(kind, entry, occurrences)]
    }

    private func kind(_ entry: YAMLNode.Entry, broadcast: String?) -> ExpectationKind? {
        let node = entry.value
        switch entry.key {
        case "announced": return announcement(entry).map(ExpectationKind.announced)
        case "unannounced": return announcement(entry).map(ExpectationKind.unannounced)
        case "reannounced": return announcement(entry).map(ExpectationKind.reannounced)
        case "subscribe_request": return request(entry, broadcast).map(ExpectationKind.subscribeRequest)
        case "subscribe_updated": return request(entry, broadcast).map(ExpectationKind.subscribeUpdated)
        case "fetch_request": return request(entry, broadcast, isFetch: true).map(ExpectationKind.fetchRequest)
        case "track_info_request":
            return nested(entry) { $0.neededTrack() }.map {
                .trackInfoRequest(RequestExpectation(target: $0.within(broadcast), options: SubscriptionOptions()))
            }
        case "unsubscribed":
            return nested(entry) { reader in
                let code = reader.codes("code")
                return reader.neededTrack().map { .unsubscribed($0.within(broadcast), code: code) }
            }
        case "track_info": return trackInfo(entry, broadcast).map(ExpectationKind.trackInfo)
        case "fetched": return fetched(entry, broadcast).map(ExpectationKind.fetched)
        case "datagrams":
            return nested(entry) { reader in
                let count = reader.count("count") ?? CountExpectation(minimum: 1, maximum: nil)
                return reader.neededTrack().map {
                    .datagrams(DatagramExpectation(target: $0.within(broadcast), count: count))
                }
            }
        case "session": return session(node).map(ExpectationKind.session)
        case "catalog":
            return CatalogReader.expectation(node, broadcast: broadcast, context: context)
                .map(ExpectationKind.catalog)
        case "goaway": return nested(entry) { .goaway(uri: $0.text("uri")) }
        case "probe": return nested(entry) { _ in .probe }
        default: return stream(entry).map(ExpectationKind.stream)
        }
    }

    private func announcement(_ entry: YAMLNode.Entry) -> AnnouncementExpectation? {
        if case .scalar(let text, let isPlain) = entry.value.content {
            guard !isPlain || !["true", "false"].contains(text) else {
                return context.wrong(
                    entry.value, entry.key, expected: "the name of a broadcast, or `\"*\"` for any", suggestion: "\"*\""
                )
            }
            return context.text(entry.value, entry.key).map {
                AnnouncementExpectation(broadcast: $0 == "*" ? nil : $0)
            }
        }
        return nested(entry) { reader in
            let hops = reader.hopsExpectation("hops")
            let cost = reader.take("cost").flatMap { context.count($0.value, "cost", to: VarInt.maximum) }
            return reader.neededText("broadcast").map {
                AnnouncementExpectation(broadcast: $0 == "*" ? nil : $0, hops: hops, cost: cost)
            }
        }
    }

    private func request(
        _ entry: YAMLNode.Entry, _ broadcast: String?, isFetch: Bool = false
    ) -> RequestExpectation? {
        nested(entry) { reader in
            let target = reader.neededTrack()
            var options = SubscriptionOptions()
            var group: UInt64?
            if isFetch {
                group = reader.integer("group")
                options.priority = reader.byte("priority")
                options.frameStart = reader.integer("frame_start")
                options.frameEnd = reader.integer("frame_end")
            } else {
                options = reader.subscriptionOptions()
            }
            return target.map { RequestExpectation(target: $0.within(broadcast), options: options, group: group) }
        }
    }

    private func trackInfo(_ entry: YAMLNode.Entry, _ broadcast: String?) -> TrackInfoExpectation? {
        nested(entry) { reader in
            let target = reader.neededTrack()
            let (priority, age) = (reader.byte("priority"), reader.duration("max_age"))
            let (timescale, ordered) = (reader.integer("timescale"), reader.truth("ordered"))
            let reset = reader.codes("reset")
            return target.map {
                TrackInfoExpectation(
                    target: $0.within(broadcast), priority: priority, maxAge: age, timescale: timescale,
                    ordered: ordered, reset: reset)
            }
        }
    }

    private func fetched(_ entry: YAMLNode.Entry, _ broadcast: String?) -> FetchExpectation? {
        nested(entry) { reader in
            FetchExpectation(
                target: reader.track()?.within(broadcast), group: reader.integer("group"),
                frames: reader.count("frames"), sizes: reader.sizes("sizes"), size: reader.size("size"),
                content: reader.text("content"), finished: reader.truth("finished"), reset: reader.codes("reset"))
        }
    }

    private func session(_ node: YAMLNode) -> SessionExpectation? {
        let words = ["connected", "closed", "refused"]
        switch node.content {
        case .scalar("connected", _): return .connected(AgreementExpectation())
        case .scalar("closed", _): return .closed(.any)
        case .scalar("refused", _): return .refused(.any)
        case .scalar(let text, _):
            context.unknownWord(text, at: node.span, "`session` is `\(text)`", among: words)
            return nil
        case .sequence: return context.wrong(node, "session", expected: "`connected`, `closed` or `refused`")
        case .mapping:
            guard let reader = MappingReader(node, of: "session", context: context) else { return nil }
            let (closed, refused) = (reader.closes("closed"), reader.closes("refused"))
            let connected = reader.take("connected").flatMap(agreement)
            reader.exclude("closed", "refused", because: "a session that was closed had been accepted")
            reader.exclude("connected", "refused", because: "it is one or the other")
            reader.exclude("connected", "closed", because: "it is one or the other")
            reader.finish()
            if reader.keys.isEmpty { context.error(node.span, "`session` expects nothing") }
            return connected.map(SessionExpectation.connected) ?? closed.map(SessionExpectation.closed)
                ?? refused.map(SessionExpectation.refused)
        }
    }

    private func agreement(_ entry: YAMLNode.Entry) -> AgreementExpectation? {
        nested(entry) { reader in
            AgreementExpectation(
                version: reader.version("version"), protocolName: reader.text("protocol"),
                transport: reader.transport("transport"))
        }
    }

    private func stream(_ entry: YAMLNode.Entry) -> StreamExpectation? {
        nested(entry) { reader in
            let label = reader.neededText("label")
            let (reset, stopped) = (reader.codes("reset"), reader.codes("stopped"))
            let finished = reader.truth("finished")
            let hex = reader.take("hex").flatMap { context.hexadecimal($0.value, "hex") }
            let text = reader.text("text").map { Array($0.utf8) }
            reader.exclude("hex", "text", because: "both say how it begins")
            let contained = reader.take("contains").flatMap { context.hexadecimal($0.value, "contains") }
            let mentioned = reader.text("mentions").map { Array($0.utf8) }
            reader.exclude("contains", "mentions", because: "both say what is in it")
            let certificate = reader.truth("certificate") ?? false
            let headers = reader.take("headers").map { context.headers($0) }
            return label.map {
                StreamExpectation(
                    label: $0, reset: reset, stopped: stopped, finished: finished, bytes: hex ?? text,
                    contained: contained ?? mentioned, headers: headers, namesCertificate: certificate)
            }
        }
    }
}

extension TrackReference {
    /// The reference, in a broadcast that is named outside of it.
    func within(_ outer: String?) -> TrackReference {
        TrackReference(broadcast: broadcast ?? outer, track: track)
    }
}
