/// A verb of session actors: its name, and how its arguments are read.
struct SessionVerb: Sendable {
    let name: String
    /// Reads the arguments; nil after reporting what is wrong. The caller finishes the mapping.
    let read: @Sendable (MappingReader) -> SessionAction?

    /// All verbs, in the order in which the documentation tells them.
    static let all: [SessionVerb] = sessionVerbs + publisherVerbs + subscriberVerbs + rawVerbs

    private static let sessionVerbs: [SessionVerb] = [
        SessionVerb(name: "connect") { connect($0).map(SessionAction.connect) },
        SessionVerb(name: "close") { reader in
            .close(code: reader.code("code"), reason: reader.text("reason") ?? "")
        },
        SessionVerb(name: "vanish") { _ in .vanish },
        SessionVerb(name: "probe") { _ in .probe },
        SessionVerb(name: "goaway") { .goaway(uri: $0.text("uri") ?? "") },
    ]

    private static let publisherVerbs: [SessionVerb] = [
        SessionVerb(name: "publish") { publish($0).map(SessionAction.publish) },
        SessionVerb(name: "reannounce") { reader in
            let (broadcast, hops, cost) = (
                reader.neededText("broadcast"), reader.hopWords("hops"), reader.integer("cost")
            )
            return broadcast.map { .reannounce(ReannounceAction(broadcast: $0, hops: hops, cost: cost)) }
        },
        SessionVerb(name: "unpublish") { $0.neededText("broadcast").map { .unpublish(broadcast: $0) } },
        SessionVerb(name: "accept") { reader in
            let start = reader.integer("start_group")
            return reader.neededTrack().map { .accept($0, startGroup: start) }
        },
        SessionVerb(name: "refuse") { reader in
            let code = reader.need("code").flatMap { reader.context.code($0.value, "code") }
            let request = reader.word("request", as: RequestKind.self) ?? .any
            guard let target = reader.neededTrack(), let code else { return nil }
            return .refuse(RefuseAction(target: target, code: code, request: request))
        },
        SessionVerb(name: "hold") { reader in
            let request = reader.word("request", as: RequestKind.self) ?? .any
            return reader.neededTrack().map { .hold($0, request: request) }
        },
        SessionVerb(name: "write") { WriteReader.write($0).map(SessionAction.write) },
        SessionVerb(name: "datagram") { WriteReader.datagram($0).map(SessionAction.datagram) },
        SessionVerb(name: "catalog") { CatalogReader.action($0).map(SessionAction.catalog) },
        SessionVerb(name: "finish") { reader in
            let group = reader.integer("group")
            return reader.neededTrack().map { .finish($0, group: group) }
        },
        SessionVerb(name: "drop") { reader in
            let group = reader.integer("group")
            return reader.neededTrack().map { .drop($0, group: group) }
        },
        SessionVerb(name: "abort") { reader in
            let group = reader.integer("group")
            let code = reader.need("code").flatMap { reader.context.code($0.value, "code") }
            guard let target = reader.neededTrack(), let code else { return nil }
            return .abort(target, group: group, code: code)
        },
    ]

    private static let subscriberVerbs: [SessionVerb] = [
        SessionVerb(name: "announcements") { reader in
            let exclude = reader.integer("exclude")
            return reader.neededText("prefix").map { .announcements(prefix: $0, exclude: exclude) }
        },
        SessionVerb(name: "subscribe") { subscribe($0).map(SessionAction.subscribe) },
        SessionVerb(name: "update") { reader in
            let options = reader.subscriptionOptions()
            return reader.neededTrack().map { .update(UpdateAction(target: $0, options: options)) }
        },
        SessionVerb(name: "unsubscribe") { reader in
            let code = reader.code("code")
            return reader.neededTrack().map { .unsubscribe($0, code: code) }
        },
        SessionVerb(name: "fetch") { fetch($0).map(SessionAction.fetch) },
        SessionVerb(name: "track_info") { reader in
            guard let broadcast = reader.neededText("broadcast"), let track = reader.neededText("track") else {
                return nil
            }
            return .trackInfo(TrackReference(broadcast: broadcast, track: track))
        },
        SessionVerb(name: "stop_group") { reader in
            let (group, code) = (
                reader.neededInteger("group"), reader.need("code").flatMap { reader.context.code($0.value, "code") }
            )
            guard let target = reader.neededTrack(), let group, let code else { return nil }
            return .stopGroup(target, group: group, code: code)
        },
        SessionVerb(name: "pause_reading") { .pauseReading($0.track()) },
        SessionVerb(name: "resume_reading") { .resumeReading($0.track()) },
    ]

    /// The verbs of raw actors, which have no session of their own.
    static let ofRawActors =
        all.filter { ["connect", "close", "vanish", "send_raw"].contains($0.name) }
        + [SessionVerb(name: "get") { get($0).map(SessionAction.get) }]

    private static let rawVerbs: [SessionVerb] = [
        SessionVerb(name: "send_raw") { sendRaw($0).map(SessionAction.sendRaw) }
    ]
}

extension SessionVerb {
    private static func connect(_ reader: MappingReader) -> ConnectAction? {
        let context = reader.context
        var action = ConnectAction(
            path: reader.text("path"), version: reader.version("version"),
            transport: reader.transport("transport"), protocols: reader.texts("protocols"), expect: .connected,
            within: reader.duration("within") ?? context.within)
        guard let expect = reader.take("expect") else { return action }
        switch expect.value.content {
        case .scalar("any", _): action.expect = .any
        case .scalar("connected", _): action.expect = .connected
        case .scalar("refused", _): action.expect = .refused(.any)
        case .scalar(let text, _):
            context.unknownWord(
                text, at: expect.value.span, "`expect` is `\(text)`", among: ["any", "connected", "refused"])
        case .mapping:
            guard let inner = MappingReader(expect.value, of: "expect", context: context) else { return nil }
            let codes = inner.need("refused").flatMap { context.closes($0.value, "refused") }
            inner.finish()
            action.expect = .refused(codes ?? .any)
        case .sequence:
            context.error(
                expect.value.span, "`expect` is a list",
                expected: "`any`, `connected`, `refused` or `{ refused: CODE }`")
        }
        return action
    }

    private static func publish(_ reader: MappingReader) -> PublishAction? {
        let broadcast = reader.neededText("broadcast")
        let tracks = reader.take("tracks").map { self.tracks($0.value, context: reader.context) } ?? []
        let (hops, cost) = (reader.hopWords("hops"), reader.integer("cost"))
        return broadcast.map { PublishAction(broadcast: $0, tracks: tracks, hops: hops, cost: cost) }
    }

    private static func tracks(_ node: YAMLNode, context: ReadingContext) -> [TrackDefinition] {
        var tracks: [TrackDefinition] = []
        guard case .mapping(let entries) = node.content else {
            for item in context.list(node) {
                guard let name = context.text(item, "tracks") else { continue }
                if tracks.contains(where: { $0.name == name }) {
                    context.error(item.span, "the track `\(name)` is here twice")
                }
                tracks.append(TrackDefinition(name: name))
            }
            return tracks
        }
        for entry in entries {
            guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
                continue
            }
            tracks.append(
                TrackDefinition(
                    name: entry.key, priority: reader.byte("priority"), maxAge: reader.duration("max_age"),
                    timescale: reader.integer("timescale"), ordered: reader.truth("ordered")))
            reader.finish()
        }
        return tracks
    }

    private static func subscribe(_ reader: MappingReader) -> SubscribeAction? {
        let (broadcast, track) = (reader.neededText("broadcast"), reader.neededText("track"))
        let options = reader.subscriptionOptions()
        let label = reader.text("as")
        if let start = options.start, let end = options.end, end < start {
            reader.context.warning(reader.span, "`\(reader.what)` ends before it starts: `end` is inclusive")
        }
        guard let broadcast, let track else { return nil }
        return SubscribeAction(broadcast: broadcast, track: track, options: options, label: label)
    }

    private static func fetch(_ reader: MappingReader) -> FetchAction? {
        let (broadcast, track) = (reader.neededText("broadcast"), reader.neededText("track"))
        let group = reader.neededInteger("group")
        let (priority, first, last) = (
            reader.byte("priority"), reader.integer("frame_start"), reader.integer("frame_end")
        )
        let label = reader.text("as")
        guard let broadcast, let track, let group else { return nil }
        return FetchAction(
            broadcast: broadcast, track: track, group: group, priority: priority, frameStart: first, frameEnd: last,
            label: label)
    }

    private static func get(_ reader: MappingReader) -> GetAction? {
        let entry = reader.need("path")
        let (below, query) = (reader.text("below"), reader.text("query"))
        guard let entry, let path = reader.context.text(entry.value, "path") else { return nil }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            reader.context.error(
                entry.value.span, "`path` is `\(path)`", expected: "a slash, then visible characters of ASCII")
            return nil
        }
        return GetAction(path: path, below: below, query: query)
    }

    private static func sendRaw(_ reader: MappingReader) -> SendRawAction? {
        let stream = rawStream(reader)
        let label = reader.text("as")
        let headers = reader.take("headers").map { reader.context.headers($0) }
        let text = reader.text("text").map { [RawBytes.bytes(Array($0.utf8))] } ?? []
        let hex = reader.take("hex").flatMap { reader.context.rawBytes($0.value, "hex") } ?? []
        let zeros = reader.rawSize("zeros").map { [RawBytes.bytes(Array(repeating: 0, count: $0))] } ?? []
        let finish = reader.truth("finish") ?? false
        let reset = reader.take("reset").flatMap { reader.context.sentCode($0.value, "reset") }
        let stop = reader.take("stop").flatMap { reader.context.sentCode($0.value, "stop") }
        let isByteByByte = reader.truth("byte_by_byte") ?? false
        reader.exclude("finish", "reset", because: "a stream ends once")
        return stream.map {
            SendRawAction(
                stream: $0, label: label, bytes: text + hex + zeros, headers: headers, isByteByByte: isByteByByte,
                finish: finish, reset: reset, stop: stop)
        }
    }

    /// Where raw bytes go: a stream, the stream of a request, or the streams of an open group.
    private static func rawStream(_ reader: MappingReader) -> SendRawAction.Stream? {
        reader.exclude("group", "stream", because: "an open group has its own streams")
        if let group = reader.integer("group") {
            _ = reader.take("stream")
            return reader.neededTrack().map { .group($0, group) }
        }
        guard let entry = reader.need("stream") else { return nil }
        if case .mapping = entry.value.content {
            guard let inner = MappingReader(entry.value, of: "stream", context: reader.context) else { return nil }
            let request = inner.need("request").flatMap {
                reader.context.word($0.value, "request", as: RequestKind.self)
            }
            let target = inner.neededTrack()
            inner.finish()
            guard let request, let target else { return nil }
            return .request(request, target)
        }
        return reader.context.text(entry.value, "stream").map { text in
            switch text {
            case "uni": .newUnidirectional
            case "bidi": .newBidirectional
            case "datagram": .datagram
            case SendRawAction.connectionLabel: .connection
            default: .named(text)
            }
        }
    }
}
