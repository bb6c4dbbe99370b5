/// One line of a case's timeline.
public struct TraceEntry: Sendable, Equatable {
    /// What the line is about.
    public enum Category: String, Sendable, CaseIterable {
        /// Connecting, versions, closing.
        case session
        /// Announcements and their ends.
        case announce
        /// Subscriptions, fetches and their answers.
        case subscribe
        /// Groups that begin and end.
        case group
        /// Frames.
        case frame
        /// An error code was sent or seen.
        case code
        /// A step of the scenario began or ended.
        case step
        /// A check looked at something.
        case check
        /// The network did something to a packet or to a link.
        case network
        /// The relay was started, stopped, restarted, or said something.
        case relay
        /// An outside program was started, printed a line, or ended.
        case program
    }

    /// The case.
    public var caseID: String
    /// When, since the case began, on the clock of its world.
    public var at: Duration
    /// The actor's name in the scenario; `relay`, `network` or `harness` for what no actor did.
    public var actor: String
    /// What the line is about.
    public var category: Category
    /// What happened, in one line for people.
    public var text: String
    /// The same for machines: names and values.
    public var data: NamedValues

    /// A line of the timeline.
    public init(
        caseID: String, at: Duration, actor: String, category: Category, text: String, data: NamedValues = [:]
    ) {
        self.caseID = caseID
        self.at = at
        self.actor = actor
        self.category = category
        self.text = text
        self.data = data
    }
}
