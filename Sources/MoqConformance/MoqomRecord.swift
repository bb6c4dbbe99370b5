import MoqScenario

/// All that the application behind a MoqomKit session has seen so far; what it was told is in `ClientRecord.events`.
public struct MoqomRecord: Sendable {
    /// Somebody else in a room.
    public struct Person: Hashable, Sendable {
        /// Who.
        public var name: String
        /// `present`, `reconnecting` or `left`.
        public var presence: String
        /// As what they joined.
        public var role: String
        /// Their rights.
        public var grants: [String]
        /// How their audio is muted: `none`, `self` or `forced`.
        public var audio: String
        /// The same of their video.
        public var video: String

        /// Somebody of their parts.
        public init(
            name: String, presence: String, role: String, grants: [String], audio: String, video: String
        ) {
            self.name = name
            self.presence = presence
            self.role = role
            self.grants = grants
            self.audio = audio
            self.video = video
        }
    }

    /// Media of somebody else.
    public struct Media: Hashable, Sendable {
        /// Whose.
        public var name: String
        /// `audio` or `video`.
        public var kind: String
        /// How many frames came.
        public var frames: Int
        /// The code with which it was given up.
        public var code: UInt64?
        /// Whether it was given up.
        public var isOver: Bool

        /// Media of their parts.
        public init(name: String, kind: String, frames: Int, code: UInt64?, isOver: Bool) {
            self.name = name
            self.kind = kind
            self.frames = frames
            self.code = code
            self.isOver = isOver
        }
    }

    /// A room.
    public struct Room: Hashable, Sendable {
        /// Its path.
        public var path: String
        /// Those who are or were there, in the order in which they came.
        public var people: [Person] = []
        /// One's own rights.
        public var grants: [String] = []
        /// Whether one's own audio is muted by force: `free`, `held` or `resumable`.
        public var audio = "free"
        /// The same of one's own video.
        public var video = "free"
        /// Whose media are there for everyone.
        public var broadcasters: [String] = []
        /// Whose media are backstage.
        public var backstage: [String] = []
        /// What came of whose media.
        public var media: [Media] = []
        /// The states that its newest objects entered, in order.
        public var states: [MoqomObject: [String]] = [:]

        /// A room in which nothing was seen.
        public init(path: String) { self.path = path }
    }

    /// The states that the session and its token entered, in order.
    public var states: [MoqomObject: [String]] = [:]
    /// The rooms in the order in which they were joined first; the newest stay of each.
    public var rooms: [Room] = []

    /// A session that has not connected.
    public init() {}

    /// The room of a path, or the one that was joined last.
    public func room(_ path: String?) -> Room? {
        path == nil ? rooms.last : rooms.last { $0.path == path }
    }
}
