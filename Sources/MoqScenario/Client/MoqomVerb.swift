/// A verb of an actor that is a MoqomKit session: its name, and how its arguments are read.
struct MoqomVerb: Sendable {
    let name: String
    /// Reads the arguments; nil after reporting what is wrong.
    let read: @Sendable (MappingReader) -> ClientAction?

    /// The verbs in the order in which the documentation tells them.
    static let all: [MoqomVerb] = sessionVerbs + roomVerbs + moderatorVerbs + stageVerbs

    /// The call that a step makes.
    static func call(_ verb: MoqomVerb, _ reader: MappingReader) -> ClientCall? {
        let action = verb.read(reader)
        let fault = reader.word("error", as: MoqomFault.self)
        let within = reader.duration("within") ?? reader.context.within
        reader.finish()
        return action.map {
            ClientCall(action: $0, fault: fault.flatMap { ClientFault(rawValue: $0.rawValue) }, within: within)
        }
    }

    /// A call in a room.
    private static func inRoom(
        _ name: String, _ deed: @escaping @Sendable (MappingReader) -> MoqomDeed?
    ) -> MoqomVerb {
        MoqomVerb(name: name) { reader in
            let room = reader.text("room")
            return deed(reader).map { .moqom(MoqomCall(room: room, deed: $0)) }
        }
    }

    private static let sessionVerbs: [MoqomVerb] = [
        MoqomVerb(name: "connect") { .connect(path: $0.text("path")) },
        MoqomVerb(name: "close") { _ in .disconnect },
        MoqomVerb(name: "new_session") { _ in .newSession },
        MoqomVerb(name: "vanish") { _ in .vanish },
        MoqomVerb(name: "token_service") { reader in
            reader.need("answers").flatMap { reader.context.word($0.value, "answers", as: MoqomTokenService.self) }
                .map { .moqom(MoqomCall(room: nil, deed: .tokenService($0))) }
        },
        MoqomVerb(name: "join") { reader in
            reader.neededText("room").map { .moqom(MoqomCall(room: $0, deed: .join)) }
        },
        MoqomVerb(name: "open_channel") { _ in .moqom(MoqomCall(room: nil, deed: .openChannel)) },
        MoqomVerb(name: "watch") { reader in
            reader.neededText("who").map { .moqom(MoqomCall(room: nil, deed: .watch(who: $0))) }
        },
        inRoom("leave") { _ in .leave },
        MoqomVerb(name: "statistics") { reader in
            .moqom(MoqomCall(room: nil, deed: .statistics(every: reader.duration("every"))))
        },
    ]

    private static let roomVerbs: [MoqomVerb] = [
        inRoom("start_broadcast") { _ in .prepare(.video) },
        inRoom("start_audio") { _ in .prepare(.audio) },
        inRoom("start") { .start(kind($0, otherwise: .video), backstage: $0.truth("backstage") ?? false) },
        inRoom("go_live") { .goLive(kind($0, otherwise: .video)) },
        inRoom("stop_broadcast") { _ in .stop(.video) },
        inRoom("stop_audio") { _ in .stop(.audio) },
        inRoom("mute_self") { .muteSelf(kind($0, otherwise: .audio), true) },
        inRoom("unmute_self") { .muteSelf(kind($0, otherwise: .audio), false) },
        inRoom("local_mute") { reader in
            let kind = kind(reader, otherwise: .audio)
            return reader.neededText("who").map { .muteLocally(who: $0, kind, true) }
        },
        inRoom("local_unmute") { reader in
            let kind = kind(reader, otherwise: .audio)
            return reader.neededText("who").map { .muteLocally(who: $0, kind, false) }
        },
        inRoom("resume_after_force_mute") { _ in .resume },
        inRoom("update_layout") { reader in
            reader.need("tiles").map { entry in
                .layout(tiles(entry.value, reader.context))
            }
        },
        inRoom("tap") { .tap($0.word("source", as: MoqomTapWord.self) ?? .video, who: $0.text("who"), true) },
        inRoom("untap") { .tap($0.word("source", as: MoqomTapWord.self) ?? .video, who: $0.text("who"), false) },
    ]

    private static let moderatorVerbs: [MoqomVerb] = [
        inRoom("force_mute") { .forceMute($0.word("whom", as: MoqomAudienceWord.self) ?? .everyone) },
        inRoom("lift_mute") { _ in .forceMute(nil) },
        inRoom("kick") { reader in
            let code = reader.text("code") ?? "kicked"
            return reader.neededText("who").map { .kick(who: $0, code: code) }
        },
        inRoom("ban") { reader in
            let (code, time) = (reader.text("code") ?? "banned", reader.duration("until") ?? usualBan)
            return reader.neededText("who").map { .ban(who: $0, time: time, code: code) }
        },
        inRoom("grant") { reader in
            let grants = grants(reader, "grants")
            return reader.neededText("who").map { .grant(who: $0, grants) }
        },
        inRoom("revoke") { reader in
            let grants = grants(reader, "grants")
            return reader.neededText("who").map { .revoke(who: $0, grants) }
        },
        inRoom("spotlight") { .spotlight(who: $0.text("who")) },
        inRoom("lock_stage") { _ in .lockStage(true) },
        inRoom("unlock_stage") { _ in .lockStage(false) },
        inRoom("end_room") { _ in .endRoom },
    ]

    private static let stageVerbs: [MoqomVerb] = [
        inRoom("invite") { reader in
            let (grants, expiry) = (grants(reader, "offered"), reader.duration("expires_after") ?? usualExpiry)
            return reader.neededText("who").map { .invite(who: $0, grants, expiresAfter: expiry) }
        },
        inRoom("request_stage") { reader in
            let (grants, expiry) = (grants(reader, "offered"), reader.duration("expires_after") ?? usualExpiry)
            return .requestStage(grants, expiresAfter: expiry)
        },
        inRoom("accept") { _ in .accept },
        inRoom("decline") { _ in .decline },
        inRoom("cancel") { _ in .cancel },
    ]

    /// How long a ban is unless it says otherwise.
    private static let usualBan = Duration.seconds(60)

    /// Who is on the screen; nobody for `[]`.
    private static func tiles(_ node: YAMLNode, _ context: ReadingContext) -> [String] {
        if case .sequence(let items) = node.content, items.isEmpty { return [] }
        return context.list(node).compactMap { context.text($0, "tiles") }
    }

    /// How long an invitation is open unless it says otherwise.
    private static let usualExpiry = Duration.seconds(30)

    private static func kind(_ reader: MappingReader, otherwise usual: MoqomMediumWord) -> MoqomMediumWord {
        reader.word("kind", as: MoqomMediumWord.self) ?? usual
    }

    /// Rights: a list, or one; the right to publish where nothing is said.
    private static func grants(_ reader: MappingReader, _ key: String) -> [MoqomGrantWord] {
        guard let entry = reader.take(key) else { return [.publish] }
        return reader.context.list(entry.value).compactMap { reader.context.word($0, key, as: MoqomGrantWord.self) }
    }
}

/// Why a call on a MoqomKit session is turned down.
public enum MoqomFault: String, CaseIterable, Equatable, Sendable {
    /// Any error.
    case any
    case alreadyConnected = "already_connected"
    case alreadyClosed = "already_closed"
    case connectionFailed = "connection_failed"
    case notConnected = "not_connected"
    case alreadyJoined = "already_joined"
    case notInRoom = "not_in_room"
    case unknownParticipant = "unknown_participant"
    case notGranted = "not_granted"
    case notOpen = "not_open"
    case notPrepared = "not_prepared"
    case alreadyStarted = "already_started"
    case stageLocked = "stage_locked"
}
