/// A verb of the actors that are client kits: its name, and how its arguments are read.
struct ClientVerb: Sendable {
    let name: String
    /// Reads the arguments; nil after reporting what is wrong. The caller finishes the mapping.
    let read: @Sendable (MappingReader) -> ClientAction?

    /// The verbs of a kind of actor, in the order in which the documentation tells them.
    static func verbs(of kind: ActorKind) -> [ClientVerb] {
        sessionVerbs + (kind == .publisher ? publisherVerbs + discoveryVerbs : discoveryVerbs + playerVerbs)
    }

    /// The call that a step makes.
    static func call(_ verb: ClientVerb, _ reader: MappingReader) -> ClientCall? {
        let action = verb.read(reader)
        let error = reader.take("error")
        let within = reader.duration("within") ?? reader.context.within
        reader.finish()
        return action.map { action in
            let (fault, outcome) = error.map { ClientErrorReader(reader.context).read($0, of: action) } ?? (nil, nil)
            return ClientCall(action: action, fault: fault, within: within, outcome: outcome)
        }
    }

    private static let sessionVerbs: [ClientVerb] = [
        ClientVerb(name: "connect") { .connect(path: $0.text("path")) },
        ClientVerb(name: "disconnect") { _ in .disconnect },
        ClientVerb(name: "new_session") { _ in .newSession },
        ClientVerb(name: "vanish") { _ in .vanish },
    ]

    private static let publisherVerbs: [ClientVerb] = [
        ClientVerb(name: "start_capture") { capture($0).map(ClientAction.startCapture) },
        ClientVerb(name: "stop_capture") { _ in .stopCapture },
        ClientVerb(name: "move_clock") { moveClock($0).map(ClientAction.moveClock) },
        ClientVerb(name: "damage") { damage($0).map(ClientAction.damage) },
        ClientVerb(name: "add_video_track") { track($0, .video) },
        ClientVerb(name: "add_audio_track") { track($0, .audio) },
        ClientVerb(name: "add_data_track") { track($0, .data) },
        ClientVerb(name: "publish") { $0.neededText("path").map { .publish(path: $0) } },
        ClientVerb(name: "start") { _ in .start },
        ClientVerb(name: "stop") { _ in .stop },
        ClientVerb(name: "unpublish") { $0.neededText("path").map { .unpublish(path: $0) } },
        ClientVerb(name: "stop_track") { $0.neededText("name").map { .stopTrack(name: $0) } },
        ClientVerb(name: "send") { send($0).map(ClientAction.send) },
        ClientVerb(name: "new_publisher") { _ in .newPublisher },
        ClientVerb(name: "catalog") { reader in
            CatalogReader.action(reader).map { .catalog($0.changes) }
        },
    ]

    private static let discoveryVerbs: [ClientVerb] = [
        ClientVerb(name: "subscribe") { reader in
            .subscribe(
                prefix: reader.text("prefix") ?? "",
                catalog: reader.word("catalog", as: ClientCatalogForm.self) ?? .json)
        },
        ClientVerb(name: "unsubscribe") { .unsubscribe(prefix: $0.text("prefix") ?? "") },
    ]

    private static let playerVerbs: [ClientVerb] = [
        ClientVerb(name: "subscribe_track") { reader in
            let (broadcast, delivery) = (
                reader.text("broadcast"), reader.word("delivery", as: ClientDelivery.self) ?? .monotonic
            )
            return reader.neededText("track").map {
                .subscribeTrack(SubscribeTrackAction(broadcast: broadcast, track: $0, delivery: delivery))
            }
        },
        ClientVerb(name: "close_track") { $0.neededText("track").map { .closeTrack(name: $0) } },
        ClientVerb(name: "close_broadcast") { .closeBroadcast(path: $0.text("broadcast")) },
        ClientVerb(name: "play") { reader in
            .play(
                PlayAction(
                    broadcast: reader.text("broadcast"), video: reader.text("video"), audio: reader.text("audio"),
                    isNew: reader.truth("new") ?? false))
        },
        ClientVerb(name: "pause") { _ in .pause },
        ClientVerb(name: "stop") { .stopAll(reason: $0.text("reason") ?? "stopAll()") },
        ClientVerb(name: "close") { _ in .closePlayer },
        ClientVerb(name: "switch") { reader in
            let action = SwitchAction(video: reader.text("video"), audio: reader.text("audio"))
            if action.video == nil, action.audio == nil {
                reader.context.error(
                    reader.span, "`\(reader.what)` names no rendition", expected: "`video`, `audio` or both")
            }
            return .switch(action)
        },
        ClientVerb(name: "set_target_buffering") { reader in
            reader.need("to").flatMap { reader.context.duration($0.value, "to") }.map { .setTargetBuffering($0) }
        },
        ClientVerb(name: "read_audio") { reader in
            .readAudio(
                ReadAudioAction(
                    broadcast: reader.text("broadcast"), track: reader.text("track"),
                    isUnread: reader.truth("unread") ?? false,
                    format: reader.word("format", as: ClientSampleFormat.self),
                    sampleRate: reader.integer("sample_rate", in: 8000...192_000).map { Int($0) },
                    channels: reader.integer("channels", in: 1...8).map { Int($0) }))
        },
        ClientVerb(name: "close_audio") { _ in .closeAudio },
    ]
}

extension ClientVerb {
    /// Encoder defaults of the kits: 30 frames a second, a keyframe every 2 s, 1.5 Mbit/s.
    private static let usualFrameRate: UInt64 = 30
    private static let usualKeyInterval = Duration.seconds(2)
    private static let usualRate: UInt64 = 187_500

    private static func capture(_ reader: MappingReader) -> CaptureAction? {
        let (video, audio) = (source(reader, "video"), source(reader, "audio"))
        let action = CaptureAction(
            video: video, audio: audio, loops: reader.truth("loop") ?? false,
            framesPerSecond: reader.integer("fps", in: 1...240) ?? usualFrameRate,
            keyInterval: reader.duration("key_interval") ?? usualKeyInterval,
            rate: reader.take("rate").flatMap { reader.context.rate($0.value, "rate") } ?? usualRate,
            videoStart: reader.duration("video_start"), audioStart: reader.duration("audio_start"))
        if !reader.has("video"), !reader.has("audio") {
            reader.context.error(
                reader.span, "`\(reader.what)` captures nothing", expected: "`video`, `audio` or both",
                suggestion: "video: synthetic")
        }
        return action
    }

    private static func send(_ reader: MappingReader) -> SendAction? {
        let (count, every) = (
            reader.integer("count", in: 1...StepReader.mostRounds) ?? 1, reader.duration("every") ?? .zero
        )
        let (size, content) = (reader.size("size") ?? 64, reader.text("content"))
        reader.exclude("size", "content", because: "the content has its own size")
        return reader.neededText("track").map {
            SendAction(track: $0, count: Int(count), every: every, size: size, content: content)
        }
    }
}
