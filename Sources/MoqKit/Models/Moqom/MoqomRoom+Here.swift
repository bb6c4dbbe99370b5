import MoqBase

/// What an application listens in on, beside what it plays.
public struct MoqomTap: Hashable, Sendable {
    /// What there is to listen in on.
    public enum Source: String, CaseIterable, Hashable, Sendable {
        /// Somebody's video, as it comes.
        case video
        /// Somebody's audio, as it comes.
        case audio
        /// One's own audio, as it is captured.
        case ownAudio = "own_audio"
    }

    /// What.
    public var source: Source
    /// Whose; nil for everybody's.
    public var name: String?

    /// A tap of its parts.
    public init(_ source: Source, of name: String?) {
        self.source = source
        self.name = name
    }
}

/// Somebody whom a moderator does not let in for a while.
public struct MoqomBan: Hashable, Sendable {
    /// Who, by name: another session of theirs is meant as well.
    public var name: String
    /// From when on they may come again.
    public var until: Instant
    /// What they are shown.
    public var code: String
}

// What is decided here and concerns nobody else: what is on the screen, what is listened in on, whom not to let in.
extension MoqomRoom {
    // MARK: Layout

    /// `updateLayout`: whose video has a tile. Who has none is off the screen, and only their audio comes.
    public func updateLayout(_ names: [String]) {
        tiles = names
        wantAnew()
    }

    /// Whether media of somebody are to come.
    func isWanted(_ name: String, _ medium: MoqomMedium?) -> Bool {
        guard let medium else { return true }
        if localMutes.contains(where: { $0.name == name && $0.medium == medium }) { return false }
        return medium == .audio || tiles?.contains(name) != false
    }

    /// Asks for what is wanted now, and leaves what is not.
    func wantAnew() {
        for entry in incoming {
            let isUnwanted = !isWanted(entry.name, entry.medium)
            guard entry.isUnwanted != isUnwanted else { continue }
            entry.isUnwanted = isUnwanted
            if isUnwanted { entry.unsubscribe() } else if entry.isAnnounced { entry.subscribe() }
        }
    }

    // MARK: Taps

    /// Listens in from now on; what is listened in on already stays so.
    public func tap(_ tap: MoqomTap) {
        if !taps.contains(tap) { taps.append(tap) }
    }

    /// Listens in no more.
    public func untap(_ tap: MoqomTap) { taps.removeAll { $0 == tap } }

    /// One frame of something, for whoever listens in.
    func tellTap(of source: MoqomTap.Source, from name: String) {
        guard taps.contains(where: { $0.source == source && ($0.name == nil || $0.name == name) }) else { return }
        port.tell(object, "tap", [.init("who", name), .init("kind", source.rawValue)])
    }

    // MARK: Bans

    /// `moderate(ban until)`: removed, and not let in before the time is over.
    public func ban(_ name: String, for time: Duration, code: String) throws(MoqomError) {
        try kick(name, code: code)
        bans.removeAll { $0.name == name }
        bans.append(MoqomBan(name: name, until: port.now.advanced(by: time), code: code))
    }

    /// Removes who came although they are banned.
    func turnAway(_ name: String) {
        bans.removeAll { port.now >= $0.until }
        guard let ban = bans.first(where: { $0.name == name }) else { return }
        // Rights that were taken from the moderator meanwhile end the ban as well.
        try? kick(name, code: ban.code)
    }
}
