import MoqBase

// What a session sees of the others in a room.
extension MoqomRoom {
    // MARK: Announcements

    /// A broadcast is there. One's own is nobody else's.
    func announced(_ full: String) {
        guard !isLeaving, let place = place(of: full), place.name != user || port.isBroken(by: .ownFedBack)
        else { return }
        if let entry = incoming.first(where: { $0.path == full }) { return entry.begin() }
        let entry = MoqomIncoming(
            full, track: place.medium == nil ? MoqomReport.track : MoqomBroadcast.track, place.area, name: place.name,
            place.medium, port: port)
        entry.isUnwanted = !isWanted(place.name, place.medium)
        incoming.append(entry)
        entry.subscribe()
    }

    /// It is gone, unless it comes back at once.
    func unannounced(_ full: String) {
        guard let entry = incoming.first(where: { $0.path == full }), entry.isAnnounced else { return }
        entry.isAnnounced = false
        entry.goneAt = port.now
    }

    /// `people/NAME`, `live/NAME/KIND` or `backstage/NAME/KIND` below the room; nil for anything else.
    private func place(of full: String) -> (area: Area, name: String, medium: MoqomMedium?)? {
        guard full.hasPrefix(path + "/") else { return nil }
        let parts = full.dropFirst(path.count + 1).split(separator: "/").map(String.init)
        guard parts.count >= 2, let area = Area(rawValue: parts[0]) else { return nil }
        if area == .people { return parts.count == 2 ? (area, parts[1], nil) : nil }
        guard parts.count == 3, let medium = MoqomMedium(rawValue: parts[2]) else { return nil }
        return (area, parts[1], medium)
    }

    /// The link is gone, or another one takes over: what is announced there is still to be seen.
    func linkLost() {
        for entry in incoming {
            entry.forget()
            if entry.goneAt == nil { entry.isAnnounced = false }
        }
        checkAt = nil
    }

    func advanceOthers() {
        if let due = checkAt, port.now >= due {
            checkAt = nil
            for entry in incoming where !entry.isAnnounced && entry.goneAt == nil { isOver(entry) }
        }
        for entry in incoming {
            entry.advance()
            guard let gone = entry.goneAt, port.now >= gone.advanced(by: Self.grace) else { continue }
            entry.goneAt = nil
            isOver(entry)
        }
        for person in people {
            guard let lost = person.lostAt, port.now >= lost.advanced(by: session.settings.window) else { continue }
            if !port.isBroken(by: .returnTimeEndless) { person.timedOut() }
        }
    }

    private func isOver(_ entry: MoqomIncoming) {
        entry.unsubscribe()
        entry.isOver = true
        if entry.medium == nil, !port.isBroken(by: .goneUnseen) { person(entry.name)?.linkLost() }
    }

    // MARK: Tracks

    func frame(_ id: Int, _ payload: [UInt8]) {
        guard !isLeaving, let entry = incoming.first(where: { $0.subscription == id }) else { return }
        entry.tookFrame()
        if let medium = entry.medium { tellTap(of: medium == .audio ? .audio : .video, from: entry.name) }
        guard entry.medium == nil, let said = MoqomReport(parsing: payload), said.name == entry.name else { return }
        take(said)
    }

    func subscriptionEnded(_ id: Int, _ end: UpstreamEnd) {
        guard let entry = incoming.first(where: { $0.subscription == id }), entry.ended(end) else { return }
        if entry.medium == nil { person(entry.name)?.connectionLost() }
    }

    // MARK: People

    /// Somebody who is there.
    public func person(_ name: String) -> MoqomPerson? { people.last { $0.name == name && $0.isThere } }

    /// Whose media come, or could.
    public func broadcasters(_ area: Area) -> [String] {
        var names: [String] = []
        for entry in incoming where entry.kind == area && entry.medium != nil && !entry.isOver && entry.end == nil {
            if !names.contains(entry.name) { names.append(entry.name) }
        }
        return names
    }

    /// What came of somebody's media.
    public struct ReceivedMedia: Hashable, Sendable {
        /// Whose.
        public var name: String
        /// Which.
        public var medium: MoqomMedium
        /// How many frames came, live and backstage.
        public var objects: Int
        /// How the newest of it was given up; nil while it was not.
        public var end: UpstreamEnd?
    }

    /// What came of everybody's media.
    public var media: [ReceivedMedia] {
        var all: [ReceivedMedia] = []
        for entry in incoming {
            guard let medium = entry.medium else { continue }
            if let index = all.firstIndex(where: { $0.name == entry.name && $0.medium == medium }) {
                all[index].objects += entry.objects
                all[index].end = entry.end
            } else {
                all.append(
                    ReceivedMedia(name: entry.name, medium: medium, objects: entry.objects, end: entry.end))
            }
        }
        return all
    }

    private func take(_ said: MoqomReport) {
        let known = people.last { $0.name == said.name && $0.entry == said.entry }
        if let known, known.isThere {
            let isOld = said.revision != 0 && said.revision <= known.report.revision
            known.take(said)
            if isOld { return }
        } else {
            guard said.leave == nil else { return }
            // Who has said goodbye is gone; who was only taken for lost is there again by what they say next.
            if let known, known.report.leave != nil || said.revision <= known.report.revision { return }
            // The same name by another entry: the one before is not coming back.
            person(said.name)?.connectionLost()
            let earlier = people.filter { $0.name == said.name && $0.entry == said.entry }.count
            people.append(MoqomPerson(said, in: object, earlier: earlier, port: port))
            turnAway(said.name)
        }
        if said.grants.contains(.moderate) { obey(said) }
        if !isLeaving { answer(said) }
    }

    // MARK: Moderators

    private func obey(_ said: MoqomReport) {
        if said.hasEnded, !port.isBroken(by: .endIgnored) { return session.end(.hostEnded, by: "host.ended") }
        if said.spotlight != spotlight, !port.isBroken(by: .spotlightIgnored) {
            spotlight = said.spotlight
            if let name = spotlight { person(name)?.spotlighted() }
            port.tell(object, "spotlightChanged", [.init("who", spotlight ?? "none")])
        }
        if said.isLocked != isLocked {
            isLocked = said.isLocked
            port.tell(object, "stageChanged", [.init("locked", isLocked ? "true" : "false")])
        }
        apply(forceMute: said.forceMute)
        for order in said.orders where order.to == id && order.id > ordersDone[said.entry, default: 0] {
            ordersDone[said.entry] = order.id
            carryOut(order, of: said)
        }
    }

    private func apply(forceMute audience: MoqomAudience) {
        let isMeant: Bool =
            switch audience {
            case .none: false
            case .audience: report.role == .audience
            case .everyone: true
            }
        var changed = false
        for mute in mutes {
            let isForced =
                isMeant && !report.grants.contains(.moderate) && !port.isBroken(by: .forceMuteIgnored)
            if isForced ? mute.force() : mute.lift() { changed = true }
        }
        if changed { say() }
    }

    private func carryOut(_ order: MoqomReport.Order, of said: MoqomReport) {
        if order.action != .kick, port.isBroken(by: .grantIgnored) { return }
        switch order.action {
        case .kick:
            // Again here, as a server would: only who has more rights may.
            guard Self.outranks(said.grants, report.grants), !port.isBroken(by: .kickIgnored) else { return }
            session.end(.moderated(code: order.code ?? "kicked"), by: "moderated")
        case .grant:
            setGrants(report.grants + order.grants)
            say()
        case .revoke:
            setGrants(report.grants.filter { !order.grants.contains($0) })
            say()
        }
    }

    /// Whether rights are more than others, and all of them among them.
    static func outranks(_ rights: [MoqomGrant], _ others: [MoqomGrant]) -> Bool {
        Set(rights).isStrictSuperset(of: Set(others))
    }

    // MARK: Invitations

    /// Invitations of others, and their answers to one's own.
    private func answer(_ said: MoqomReport) {
        if port.isBroken(by: .invitationUnheard) { return }
        for invitation in said.invitations {
            let isRequest = invitation.to == MoqomReport.hosts
            guard isRequest ? report.grants.contains(.moderate) : invitation.to == id else { continue }
            let known = invitations.first { $0.issuer == said.entry && $0.id == invitation.id }
            if known == nil, invitation.state != .offered { continue }
            let own =
                known
                ?? MoqomInvitation(
                    "\(object)/invitation \(said.entry) \(invitation.id)", issuer: said.entry, id: invitation.id,
                    isOwn: false, with: said.name, offered: invitation.offered,
                    expiresAfter: .milliseconds(invitation.expiresAfter), asRequest: isRequest, port: port)
            if known == nil { invitations.append(own) }
            let wasOpen = own.isOpen
            own.issuerSays(invitation.state)
            if wasOpen, own.state == .accepted, !isRequest {
                setGrants(report.grants + own.offered)
                say()
            }
        }
        for reply in said.answers where reply.to == id {
            guard let own = invitations.first(where: { $0.isOwn && $0.id == reply.id && $0.isOpen }) else { continue }
            let mayAnswer = own.isRequest ? said.grants.contains(.moderate) : said.name == own.with
            guard mayAnswer else { continue }
            own.with = said.name
            own.move(to: reply.accepts ? .accepted : .declined, by: reply.accepts ? "accept" : "decline")
            note(own)
            if own.isRequest, reply.accepts { setGrants(report.grants + own.offered) }
            say()
        }
    }

    /// Where an invitation of one's own stands, in what one says.
    func note(_ invitation: MoqomInvitation) {
        guard invitation.isOwn, let index = report.invitations.firstIndex(where: { $0.id == invitation.id }) else {
            return
        }
        report.invitations[index].state = invitation.state
        if session.isLinked, invitation.state == .expired { say() }
    }
}
