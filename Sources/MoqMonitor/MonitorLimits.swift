/// What a monitor keeps at most, and how long it waits.
public enum MonitorLimits {
    /// Breaches kept of one session: the first ones tell what is wrong.
    public static let breaches = 64
    /// Breaches kept of one rule, so that one fault does not hide the others.
    public static let breachesOfRule = 8
    /// Bytes of evidence in a breach: enough for the head of any message.
    public static let evidenceBytes = 64
    /// Bytes of a secret that are hidden when evidence ends inside of it: shorter pieces tell nothing.
    public static let tellingBytes = 8
    /// Streams followed at a time; more than relays allow a client. What is opened beyond is passed over.
    public static let streams = 20_000
    /// Streams among which those of a subscription that was ended are looked for.
    public static let openGroups = 512
    /// The longest message that is gathered; a stream with a longer one is passed over. Larger than any codec's limit.
    public static let messageBytes = 1 << 20
    /// Announcements remembered of one stream; a stream with more is passed over.
    public static let announcements = 65_536
    /// Subscriptions remembered of a session, ended ones included, as groups may come late.
    public static let subscriptions = 16_384
    /// Groups remembered against duplicates, in all subscriptions; the oldest go first.
    public static let groups = 16_384
    /// Paths and tracks remembered of what the client published; with more, what the relay asks is not judged.
    public static let published = 65_536
    /// Answers waited for at a time; what would be one more is not waited for.
    public static let expectations = 4096
    /// How long an answer may take that depends on nobody but the relay: far more than a round trip and its
    /// retransmissions over the slowest link in use.
    public static let promptness = Duration.seconds(5)
    /// From how long after the question on a word of the relay proves that the path is alive.
    public static let proofOfPath = Duration.seconds(1)
    /// How long an answer may take when nothing proves that the path is alive: longer than outages that sessions survive.
    public static let promptnessOfSilentPath = Duration.seconds(12)
    /// The least time between two reports of a probe, and how many may come closer because the network bunched them.
    public static let probeInterval = Duration.milliseconds(100)
    /// See `probeInterval`.
    public static let probeBurst = 8
}
