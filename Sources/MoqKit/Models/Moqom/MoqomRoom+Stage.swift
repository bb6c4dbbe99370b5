import MoqBase

// The calls about others: what a moderator does, and the way to the stage.
extension MoqomRoom {
    private func mayModerate() throws(MoqomError) {
        guard report.grants.contains(.moderate) else { throw MoqomError(.notGranted, "\(user) may not moderate") }
    }

    private func present(_ name: String) throws(MoqomError) -> MoqomPerson {
        guard let person = person(name) else { throw MoqomError(.unknownParticipant, "\(name) is not in \(path)") }
        return person
    }

    // MARK: Moderation

    /// `moderate(forceMute)`: for the audience, for everyone, or for nobody any more.
    public func forceMute(_ audience: MoqomAudience) throws(MoqomError) {
        try mayModerate()
        report.forceMute = audience
        say()
    }

    /// `moderate(kick)`: the removed one is shown the code.
    public func kick(_ name: String, code: String) throws(MoqomError) {
        try mayModerate()
        let person = try present(name)
        guard Self.outranks(report.grants, person.report.grants) else {
            throw MoqomError(.notGranted, "\(name) has every right that \(user) has")
        }
        order(.kick, person, code: code)
    }

    /// Gives rights: they enable, and start nothing.
    public func grant(_ name: String, _ grants: [MoqomGrant]) throws(MoqomError) {
        try mayModerate()
        order(.grant, try present(name), grants: grants)
    }

    /// Takes rights: at once.
    public func revoke(_ name: String, _ grants: [MoqomGrant]) throws(MoqomError) {
        try mayModerate()
        order(.revoke, try present(name), grants: grants)
    }

    /// `moderate(spotlight)`; nil for nobody.
    public func setSpotlight(_ name: String?) throws(MoqomError) {
        try mayModerate()
        if let name { try present(name).spotlighted() }
        report.spotlight = name
        spotlight = name
        port.tell(object, "spotlightChanged", [.init("who", name ?? "none")])
        say()
    }

    /// `moderate(lockStage)`.
    public func lockStage(_ isLocked: Bool) throws(MoqomError) {
        try mayModerate()
        report.isLocked = isLocked
        self.isLocked = isLocked
        port.tell(object, "stageChanged", [.init("locked", isLocked ? "true" : "false")])
        say()
    }

    /// The host ends the room for everyone.
    public func end() throws(MoqomError) {
        try mayModerate()
        report.hasEnded = true
        say()
    }

    private func order(
        _ action: MoqomReport.Order.Action, _ person: MoqomPerson, grants: [MoqomGrant] = [], code: String? = nil
    ) {
        let id = (report.orders.last?.id ?? 0) + 1
        let order = MoqomReport.Order(id: id, to: person.entry, action: action, grants: grants, code: code)
        report.orders = (report.orders + [order]).suffix(MoqomReport.mostEntries)
        say()
    }

    // MARK: The stage

    /// `invite(user, offered, expiresAfter)`.
    public func invite(_ name: String, _ offered: [MoqomGrant], expiresAfter: Duration) throws(MoqomError) {
        try mayModerate()
        let person = try present(name)
        issue(to: person.entry, with: name, offered, expiresAfter)
    }

    /// `requestStage(offered)`.
    public func requestStage(_ offered: [MoqomGrant], expiresAfter: Duration) throws(MoqomError) {
        guard !isLocked else { throw MoqomError(.stageLocked, "the stage is locked") }
        issue(to: MoqomReport.hosts, with: MoqomReport.hosts, offered, expiresAfter)
    }

    private func issue(to: String, with: String, _ offered: [MoqomGrant], _ expiresAfter: Duration) {
        let number = (report.invitations.last?.id ?? 0) + 1
        let invitation = MoqomInvitation(
            "\(object)/invitation \(id) \(number)", issuer: id, id: number, isOwn: true, with: with,
            offered: offered, expiresAfter: expiresAfter, asRequest: to == MoqomReport.hosts, port: port)
        invitations.append(invitation)
        let entry = MoqomReport.Invitation(
            id: number, to: to, offered: offered, state: .offered,
            expiresAfter: Int(clamping: expiresAfter.wholeNanoseconds / 1_000_000))
        report.invitations = (report.invitations + [entry]).suffix(MoqomReport.mostEntries)
        say()
    }

    /// Accepts or declines the newest invitation or request of somebody else. Its issuer says what came of it.
    public func answer(_ accepts: Bool) throws(MoqomError) {
        guard let invitation = invitations.last(where: { !$0.isOwn }) else {
            throw MoqomError(.notOpen, "nobody has invited \(user)")
        }
        guard invitation.isOpen else { throw invitation.refuse(accepts ? "accept" : "decline") }
        let answer = MoqomReport.Answer(to: invitation.issuer, id: invitation.id, accepts: accepts)
        report.answers = (report.answers + [answer]).suffix(MoqomReport.mostEntries)
        say()
    }

    /// Takes the newest invitation or request of one's own back. One that is over stays as it is.
    public func cancelInvitation() throws(MoqomError) {
        guard let invitation = invitations.last(where: \.isOwn) else {
            throw MoqomError(.notOpen, "\(user) has invited nobody")
        }
        invitation.move(to: invitation.isOpen ? .cancelled : invitation.state, by: "cancel")
        note(invitation)
        say()
    }

    // MARK: Only here

    /// `localMute`, `localUnmute`: somebody's media are not sent to this session, which nobody else notices.
    public func setLocallyMuted(_ name: String, _ medium: MoqomMedium, _ isMuted: Bool) throws(MoqomError) {
        _ = try present(name)
        localMutes.removeAll { $0.name == name && $0.medium == medium }
        if isMuted, !port.isBroken(by: .localMuteIgnored) { localMutes.append((name, medium)) }
        wantAnew()
    }
}
