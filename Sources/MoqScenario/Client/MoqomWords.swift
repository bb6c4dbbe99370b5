// The words of scenarios about MoqomKit: what its documentation calls things.

/// A right that somebody has in a room.
public enum MoqomGrantWord: String, CaseIterable, Equatable, Sendable {
    case publish, moderate
}

/// As what somebody joins rooms.
public enum MoqomRoleWord: String, CaseIterable, Equatable, Sendable {
    case host, speaker, audience
}

/// A kind of media.
public enum MoqomMediumWord: String, CaseIterable, Equatable, Sendable {
    case audio, video
}

/// Whom a force-mute is for.
public enum MoqomAudienceWord: String, CaseIterable, Equatable, Sendable {
    case audience, everyone
}

/// What an application listens in on.
public enum MoqomTapWord: String, CaseIterable, Equatable, Sendable {
    case video, audio
    /// One's own, as it is captured.
    case ownAudio = "own_audio"
}

/// What the token service does when it is asked for a fresh token.
public enum MoqomTokenService: String, CaseIterable, Equatable, Sendable {
    /// There is no renew closure.
    case none
    /// It gives a fresh one.
    case grants
    /// It fails.
    case refuses
}

/// What a session tells the application, by the names of the documentation.
public enum MoqomEventName: String, CaseIterable, Equatable, Sendable {
    case participantJoined, participantLeft, presenceChanged, muteChanged, grantsChanged, spotlightChanged
    case stageChanged, captureRestricted, restored, terminal, token, tokenExpired
    case tap, statistics
    case mediaToHosts = "media.hosts"
    case mediaToEveryone = "media.everyone"
    case mediaEnded = "media.ended"
}

/// The objects of a session whose states can be looked at: each the newest of its kind.
public enum MoqomObject: String, CaseIterable, Equatable, Sendable {
    case session, token, invitation
    /// The handle of one's own video.
    case video
    /// That of one's own audio.
    case audio

    /// The states that it can be in, the first at its beginning.
    public var states: [String] {
        switch self {
        case .session: ["idle", "connecting", "established", "reconnecting", "away", "closed"]
        case .token: ["valid", "renewing", "expired"]
        case .invitation: ["none", "offered", "accepted", "declined", "cancelled", "expired"]
        case .video, .audio: ["unprepared", "prepared", "backstage", "live", "stopped"]
        }
    }
}

/// How somebody else stands in a room.
public enum MoqomPresence: String, CaseIterable, Equatable, Sendable {
    case present, reconnecting, left
}

/// How somebody is muted, as others see it.
public enum MoqomMuteWord: String, CaseIterable, Equatable, Sendable {
    case none
    case byThemselves = "self"
    case forced
}

/// How one is muted by force.
public enum MoqomForceWord: String, CaseIterable, Equatable, Sendable {
    case free, held, resumable
}

/// What the application behind a session sets.
public struct MoqomSettings: Equatable, Sendable {
    /// Its user name.
    public var user: String
    /// As what it joins rooms.
    public var role = MoqomRoleWord.speaker
    /// How long before it lapses a token is renewed; nil for half of its life.
    public var renewBefore: Duration?
    /// What becomes of it then.
    public var service = MoqomTokenService.none
    /// How long it tries to come back.
    public var window = Duration.seconds(30)
    /// After which it shows that the connection is lost.
    public var awayAfter = Duration.seconds(10)
    /// By how much the device's clock is late.
    public var clockBehind = Duration.zero
}

/// A call in a room, or on the session.
public struct MoqomCall: Equatable, Sendable {
    /// The room; nil for the only one.
    public var room: String?
    /// What is done.
    public var deed: MoqomDeed
}

extension MoqomCall {
    /// The room that it enters, by a session of this user; nil where it enters none.
    public func entered(by user: String) -> String? {
        switch deed {
        case .join: room
        case .openChannel: "channels/\(user)"
        case .watch(let who): "channels/\(who)"
        default: nil
        }
    }
}

/// What the application behind a MoqomKit session can do there.
public enum MoqomDeed: Equatable, Sendable {
    /// `join(room)`.
    case join
    /// `goLive()`: one's own channel.
    case openChannel
    /// `watch(username)`: somebody's channel.
    case watch(who: String)
    /// `statistics`: one snapshot, or one at every interval.
    case statistics(every: Duration?)
    /// `updateLayout`: whose video is on the screen.
    case layout([String])
    /// Listens in, or does so no more.
    case tap(MoqomTapWord, who: String?, Bool)
    /// Leaves the room.
    case leave
    /// `startBroadcast`, `startAudio`: a handle, which is still to be started.
    case prepare(MoqomMediumWord)
    /// `start()` of the handle.
    case start(MoqomMediumWord, backstage: Bool)
    /// From backstage to everyone.
    case goLive(MoqomMediumWord)
    /// `stopBroadcast`, `stopAudio`.
    case stop(MoqomMediumWord)
    /// `muteSelf`, `unmuteSelf`.
    case muteSelf(MoqomMediumWord, Bool)
    /// `localMute`, `localUnmute`.
    case muteLocally(who: String, MoqomMediumWord, Bool)
    /// `resumeAfterForceMute()`.
    case resume
    /// `moderate(forceMute)`; nil lifts it.
    case forceMute(MoqomAudienceWord?)
    /// `moderate(kick)`.
    case kick(who: String, code: String)
    /// `moderate(ban)`.
    case ban(who: String, time: Duration, code: String)
    /// Gives rights.
    case grant(who: String, [MoqomGrantWord])
    /// Takes rights.
    case revoke(who: String, [MoqomGrantWord])
    /// `moderate(spotlight)`; nil for nobody.
    case spotlight(who: String?)
    /// `moderate(lockStage)`.
    case lockStage(Bool)
    /// The host ends the room.
    case endRoom
    /// `invite(user, offered, expiresAfter)`.
    case invite(who: String, [MoqomGrantWord], expiresAfter: Duration)
    /// `requestStage(offered)`.
    case requestStage([MoqomGrantWord], expiresAfter: Duration)
    /// Accepts the newest invitation or request of somebody else.
    case accept
    /// Declines it.
    case decline
    /// Takes the newest of one's own back.
    case cancel
    /// What becomes of a token that is about to lapse, from now on.
    case tokenService(MoqomTokenService)
}

/// What the application behind a MoqomKit session can see. What is nil may be anything.
public enum MoqomExpectation: Equatable, Sendable {
    /// Something was told.
    case event(MoqomEventPattern)
    /// These were told, in this order, whatever stood between them.
    case events([MoqomEventPattern])
    /// The state of an object, or the states that it entered.
    case states(MoqomObject, ClientStates, room: String?)
    /// The others in the room, exactly these, in any order.
    case roster([String], room: String?)
    /// Somebody else.
    case participant(MoqomParticipantExpectation, room: String?)
    /// Oneself.
    case me(MoqomSelfExpectation, room: String?)
    /// Whose media are there for everyone, exactly these.
    case broadcasters([String], room: String?)
    /// Whose media are backstage, exactly these.
    case backstage([String], room: String?)
    /// What came of somebody's media.
    case media(MoqomMediaExpectation, room: String?)
}

/// Something that was told, by its name and what came with it.
public struct MoqomEventPattern: Equatable, Sendable {
    /// Its name.
    public var name: MoqomEventName
    /// What must stand in it, by name; other fields may be anything.
    public var fields: [Field]

    /// A field of an event.
    public struct Field: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: String
    }
}

/// Somebody else in a room.
public struct MoqomParticipantExpectation: Equatable, Sendable {
    /// Who.
    public var name: String
    /// Whether they are there.
    public var presence: MoqomPresence?
    /// As what they joined.
    public var role: MoqomRoleWord?
    /// Exactly their rights.
    public var grants: [MoqomGrantWord]?
    /// How their audio is muted.
    public var audio: MoqomMuteWord?
    /// How their video is muted.
    public var video: MoqomMuteWord?
}

/// Oneself in a room.
public struct MoqomSelfExpectation: Equatable, Sendable {
    /// Exactly one's rights.
    public var grants: [MoqomGrantWord]?
    /// Whether one's audio is muted by force.
    public var audio: MoqomForceWord?
    /// The same of video.
    public var video: MoqomForceWord?
}

/// What came of somebody's media.
public struct MoqomMediaExpectation: Equatable, Sendable {
    /// Whose.
    public var from: String
    /// Which.
    public var kind: MoqomMediumWord
    /// How many frames came; nil for any that came since the step began, under `never`, or ever.
    public var frames: CountExpectation?
    /// With what it was given up.
    public var code: CodeExpectation?
}
