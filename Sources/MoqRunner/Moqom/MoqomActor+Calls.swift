import MoqKit
import MoqScenario

// The calls that steps make. What takes time is the step's.
extension MoqomActor {
    /// Makes a call; throws why it is turned down.
    func call(_ action: ClientAction) throws(MoqomError) {
        port.now = scene.driver.now
        defer { settle() }
        switch action {
        case .connect(let path):
            dialledPath = path
            try session.connect()
        case .disconnect: session.close()
        case .newSession: makeSession()
        case .vanish: vanish()
        case .moqom(let call): try make(call)
        default: break  // Of the other kits.
        }
    }

    private func make(_ call: MoqomCall) throws(MoqomError) {
        switch call.deed {
        case .join: return try session.join(call.room ?? "")
        case .openChannel: return try session.goLive()
        case .watch(let who): return try session.watch(who)
        case .statistics(let interval): return try session.statistics(every: interval)
        case .leave: return try session.leave(call.room)
        case .tokenService(let service):
            session.service = MoqomToken.Service(rawValue: service.rawValue) ?? .none
            return
        default: break
        }
        let room = try session.joined(call.room)
        switch call.deed {
        case .prepare(let kind): try room.prepare(MoqomMedium(kind))
        case .start(let kind, let backstage): try room.start(MoqomMedium(kind), backstage: backstage)
        case .goLive(let kind): try room.goLive(MoqomMedium(kind))
        case .stop(let kind): room.stop(MoqomMedium(kind))
        case .muteSelf(let kind, let isMuted): room.setSelfMuted(MoqomMedium(kind), isMuted)
        case .muteLocally(let who, let kind, let isMuted):
            try room.setLocallyMuted(who, MoqomMedium(kind), isMuted)
        case .resume: try room.resumeAfterForceMute()
        case .forceMute(let whom): try room.forceMute(whom.flatMap { MoqomAudience(rawValue: $0.rawValue) } ?? .none)
        case .kick(let who, let code): try room.kick(who, code: code)
        case .ban(let who, let time, let code): try room.ban(who, for: time, code: code)
        case .layout(let names): room.updateLayout(names)
        case .tap(let word, let who, let isOn):
            let tap = MoqomTap(MoqomTap.Source(rawValue: word.rawValue) ?? .video, of: who)
            if isOn { room.tap(tap) } else { room.untap(tap) }
        case .grant(let who, let grants): try room.grant(who, grants.compactMap(MoqomGrant.init))
        case .revoke(let who, let grants): try room.revoke(who, grants.compactMap(MoqomGrant.init))
        case .spotlight(let who): try room.setSpotlight(who)
        case .lockStage(let isLocked): try room.lockStage(isLocked)
        case .endRoom: try room.end()
        case .invite(let who, let grants, let expiry):
            try room.invite(who, grants.compactMap(MoqomGrant.init), expiresAfter: expiry)
        case .requestStage(let grants, let expiry):
            try room.requestStage(grants.compactMap(MoqomGrant.init), expiresAfter: expiry)
        case .accept: try room.answer(true)
        case .decline: try room.answer(false)
        case .cancel: try room.cancelInvitation()
        case .join, .leave, .openChannel, .watch, .statistics, .tokenService: break
        }
    }

    /// Whether what a call is about is there: people have to be seen first, and so have invitations.
    func hasWhatItNeeds(_ action: ClientAction) -> Bool {
        guard case .moqom(let call) = action, let room = try? session.joined(call.room) else { return true }
        switch call.deed {
        case .muteLocally(let who, _, _), .kick(let who, _), .ban(let who, _, _), .grant(let who, _),
            .revoke(let who, _),
            .invite(let who, _, _), .spotlight(let who?):
            return room.person(who) != nil
        case .accept, .decline: return room.invitations.contains { !$0.isOwn }
        default: return true
        }
    }
}

extension MoqomMedium {
    fileprivate init(_ word: MoqomMediumWord) { self = word == .audio ? .audio : .video }
}

extension MoqomGrant {
    fileprivate init?(_ word: MoqomGrantWord) { self.init(rawValue: word.rawValue) }
}
