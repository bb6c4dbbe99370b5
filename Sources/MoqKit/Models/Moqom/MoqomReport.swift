import MoqJSON

/// What a participant says of itself: one JSON object, the whole of it in each group of the track `moqom.json`.
///
/// MoqomKit's documentation says what a session shows and not how it is carried. This carriage is moqspec's own: nobody
/// writes what another one has to answer for, so that no order between participants has to be agreed on.
public struct MoqomReport: Hashable, Sendable {
    /// Something that a moderator wants of one participant.
    public struct Order: Hashable, Sendable {
        /// What.
        public enum Action: String, CaseIterable, Hashable, Sendable {
            case kick, grant, revoke
        }
        /// Its number, from 1, of this moderator.
        public var id: Int
        /// The entry that it is for.
        public var to: String
        /// What.
        public var action: Action
        /// The rights that are given or taken.
        public var grants: [MoqomGrant] = []
        /// What the removed one is shown.
        public var code: String?
    }

    /// An invitation to the stage, or a request for it, as its issuer has it.
    public struct Invitation: Hashable, Sendable {
        /// Its number, from 1, of this issuer.
        public var id: Int
        /// The entry that it is for; `hosts` for whoever moderates.
        public var to: String
        /// The rights that it is about.
        public var offered: [MoqomGrant]
        /// Where it stands.
        public var state: MoqomInvitation.State
        /// How long it is open, in milliseconds.
        public var expiresAfter: Int
    }

    /// An answer to an invitation of somebody else.
    public struct Answer: Hashable, Sendable {
        /// The entry that issued it.
        public var to: String
        /// Its number.
        public var id: Int
        /// Whether it is taken.
        public var accepts: Bool
    }

    /// Who.
    public var name: String
    /// Which of their entries into the room; it stays over reconnects. Who leaves and joins again is another one.
    public var entry: String
    /// Grows with every report of the entry: groups overtake each other. 0 in what does not say it.
    public var revision = 0
    /// As what they joined.
    public var role: MoqomRole
    /// Their rights.
    public var grants: [MoqomGrant]
    /// What they have muted themselves.
    public var selfMuted: [MoqomMedium] = []
    /// What is muted by force.
    public var forceMuted: [MoqomMedium] = []
    /// That they go, and how.
    public var leave: MoqomLeave?
    /// As a host: whom a force-mute is for.
    public var forceMute = MoqomAudience.none
    /// As a host: who is in the spotlight.
    public var spotlight: String?
    /// As a host: whether nobody may ask for the stage.
    public var isLocked = false
    /// As a host: whether the room is over.
    public var hasEnded = false
    /// As a moderator: what is wanted of others, newest last.
    public var orders: [Order] = []
    /// Invitations and requests, newest last.
    public var invitations: [Invitation] = []
    /// Answers to those of others, newest last.
    public var answers: [Answer] = []

    /// The track that carries it.
    public static let track = "moqom.json"
    /// For whom requests are.
    public static let hosts = "hosts"
    /// More than anybody says in a scenario.
    static let mostEntries = 64

    /// A participant that has said nothing else.
    public init(name: String, entry: String, role: MoqomRole) {
        self.name = name
        self.entry = entry
        self.role = role
        grants = role.grants
    }

    // MARK: JSON

    /// The object as it goes out.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", name)
            writer.member("entry", entry)
            writer.member("revision", revision)
            writer.member("role", role.rawValue)
            writer.member("grants", grants.map(\.rawValue))
            writer.member("muted", selfMuted.map(\.rawValue))
            writer.member("forceMuted", forceMuted.map(\.rawValue))
            writer.member("left", leave?.rawValue)
            if grants.contains(.moderate) {
                writer.member("forceMute", forceMute.rawValue)
                writer.member("spotlight", spotlight)
                writer.name("locked")
                writer.value(isLocked)
                writer.name("ended")
                writer.value(hasEnded)
            }
            writer.name("orders")
            writer.array { writer in
                for order in orders {
                    writer.object { writer in
                        writer.member("id", order.id)
                        writer.member("to", order.to)
                        writer.member("do", order.action.rawValue)
                        writer.member("grants", order.grants.map(\.rawValue))
                        writer.member("code", order.code)
                    }
                }
            }
            writer.name("invitations")
            writer.array { writer in
                for invitation in invitations {
                    writer.object { writer in
                        writer.member("id", invitation.id)
                        writer.member("to", invitation.to)
                        writer.member("offered", invitation.offered.map(\.rawValue))
                        writer.member("state", invitation.state.rawValue)
                        writer.member("expiresAfter", invitation.expiresAfter)
                    }
                }
            }
            writer.name("answers")
            writer.array { writer in
                for answer in answers {
                    writer.object { writer in
                        writer.member("to", answer.to)
                        writer.member("id", answer.id)
                        writer.member("answer", answer.accepts ? "accept" : "decline")
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Reads what came; nil for what is no report. Lists that are not there are empty, and what is not known is left out.
    public init?(parsing bytes: [UInt8]) {
        guard let root = try? JSONValue(parsing: bytes), let name = root["name"]?.string,
            let entry = root["entry"]?.string, let role = root["role"]?.string.flatMap(MoqomRole.init)
        else { return nil }
        self.init(name: name, entry: entry, role: role)
        revision = Int(clamping: root["revision"]?.integer ?? 0)
        if let grants = root["grants"] { self.grants = Self.words(grants) }
        selfMuted = root["muted"].map(Self.words) ?? []
        forceMuted = root["forceMuted"].map(Self.words) ?? []
        leave = root["left"]?.string.flatMap(MoqomLeave.init)
        forceMute = root["forceMute"]?.string.flatMap(MoqomAudience.init) ?? .none
        spotlight = root["spotlight"]?.string
        isLocked = root["locked"] == .bool(true)
        hasEnded = root["ended"] == .bool(true)
        orders = (root["orders"]?.elements ?? []).compactMap { entry in
            guard let (id, to) = Self.address(entry), let action = entry["do"]?.string.flatMap(Order.Action.init)
            else { return nil }
            return Order(
                id: id, to: to, action: action, grants: entry["grants"].map(Self.words) ?? [],
                code: entry["code"]?.string)
        }
        invitations = (root["invitations"]?.elements ?? []).compactMap { entry in
            guard let (id, to) = Self.address(entry),
                let state = entry["state"]?.string.flatMap(MoqomInvitation.State.init)
            else { return nil }
            return Invitation(
                id: id, to: to, offered: entry["offered"].map(Self.words) ?? [], state: state,
                expiresAfter: Int(clamping: entry["expiresAfter"]?.integer ?? 0))
        }
        answers = (root["answers"]?.elements ?? []).compactMap { entry in
            guard let (id, to) = Self.address(entry), let answer = entry["answer"]?.string else { return nil }
            return Answer(to: to, id: id, accepts: answer == "accept")
        }
    }

    private static func address(_ entry: JSONValue) -> (id: Int, to: String)? {
        guard let id = entry["id"]?.integer, let to = entry["to"]?.string else { return nil }
        return (Int(clamping: id), to)
    }

    private static func words<Word: RawRepresentable>(_ value: JSONValue) -> [Word] where Word.RawValue == String {
        (value.elements ?? []).compactMap { $0.string.flatMap(Word.init) }
    }
}
