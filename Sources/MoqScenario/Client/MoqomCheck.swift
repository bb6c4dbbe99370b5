/// Walks through the calls of MoqomKit sessions of a case: rooms were joined, handles made, somebody has invited.
struct MoqomCheck {
    let context: ReadingContext
    private var rooms: [String: [String]] = [:]
    private var handles: [String: [MoqomMediumWord]] = [:]
    private var hasInvitation = false

    init(context: ReadingContext) {
        self.context = context
    }

    mutating func check(_ call: MoqomCall, fault: ClientFault?, of actor: String, at step: Step) {
        let settings = context.actors.first { $0.name == actor }
        defer { note(call, of: actor) }
        // A call that must be turned down may be wrong in whatever way.
        guard fault == nil, !context.unclearActors.contains(actor) else { return }
        if case .watch(let who) = call.deed { check(person: who, at: step) }
        switch call.deed {
        case .join, .openChannel, .watch, .statistics: return
        case .tokenService:
            guard case .minted(let token)? = settings?.token, case .after? = token.expires else {
                context.error(
                    context.span(ofStep: step), "`\(actor)` has no token that lapses",
                    expected: "`token: { expires: 5s }` where it is declared")
                return
            }
            return
        default: break
        }
        let joined = rooms[actor] ?? []
        guard !joined.isEmpty else {
            context.error(
                context.span(ofStep: step), "`\(actor)` is in no room at this point",
                expected: "`\(actor).join` before it")
            return
        }
        if let room = call.room, !joined.contains(room) {
            context.unknownWord(
                room, at: context.span(of: room, from: step.location), "\(actor) has not joined `\(room)` before this",
                among: joined)
        }
        if call.room == nil, joined.count > 1 {
            context.error(
                context.span(ofStep: step),
                "this may be in \(joined.map { "`\($0)`" }.joined(separator: " or "))", expected: "`room`")
        }
        checkHandle(call.deed, of: actor, at: step)
        if let who = call.deed.who { check(person: who, at: step) }
        switch call.deed {
        case .accept where !hasInvitation, .decline where !hasInvitation:
            context.error(
                context.span(ofStep: step), "nobody has invited `\(actor)` or asked for the stage before this",
                expected: "`invite` or `request_stage` of another actor before it")
        default: break
        }
    }

    private mutating func note(_ call: MoqomCall, of actor: String) {
        if let room = call.entered(by: context.actors.first { $0.name == actor }?.moqom?.user ?? actor) {
            rooms[actor, default: []].removeAll { $0 == room }
            rooms[actor, default: []].append(room)
        }
        switch call.deed {
        case .leave:
            let left = call.room ?? rooms[actor]?.last
            rooms[actor]?.removeAll { $0 == left }
        case .prepare(let kind): handles[actor, default: []].append(kind)
        case .invite, .requestStage: hasInvitation = true
        default: break
        }
    }

    private func checkHandle(_ deed: MoqomDeed, of actor: String, at step: Step) {
        let kind: MoqomMediumWord
        switch deed {
        case .start(let medium, _), .goLive(let medium), .stop(let medium): kind = medium
        default: return
        }
        guard handles[actor]?.contains(kind) != true else { return }
        let verb = kind == .video ? "start_broadcast" : "start_audio"
        context.error(
            context.span(ofStep: step), "`\(actor)` has no handle of \(kind.rawValue) at this point",
            expected: "`\(actor).\(verb)` before it, which makes one")
    }

    /// Somebody who is no actor may be one that a session plays by hand.
    private func check(person who: String, at step: Step) {
        let users = context.actors.compactMap { $0.moqom?.user }
        guard !users.contains(who), !context.actors.contains(where: { $0.kind == .session }) else { return }
        context.unknownWord(
            who, at: context.span(of: who, from: step.location), "nobody of this scenario is called `\(who)`",
            among: users)
    }

    func check(_ expectation: MoqomExpectation, of actor: String, at place: SourceLocation) {
        let room: String?
        switch expectation {
        case .event, .events: return
        case .states(_, _, let named), .roster(_, let named), .participant(_, let named), .me(_, let named),
            .broadcasters(_, let named), .backstage(_, let named), .media(_, let named):
            room = named
        }
        guard let room, rooms[actor]?.contains(room) != true else { return }
        context.unknownWord(
            room, at: context.span(of: room, from: place), "\(actor) has not joined `\(room)` before this",
            among: rooms[actor] ?? [])
    }
}

extension MoqomDeed {
    /// Whom it is about.
    fileprivate var who: String? {
        switch self {
        case .muteLocally(let who, _, _), .kick(let who, _), .ban(let who, _, _), .grant(let who, _),
            .revoke(let who, _),
            .invite(let who, _, _):
            who
        case .spotlight(let who): who
        default: nil
        }
    }
}
