import MoqWire

/// The bounds that a session keeps, each with its reason.
public struct LiteBounds: Hashable, Sendable {
    /// How many of this side's requests wait for a stream; more end at once with `cancelled`. Peers allow 1024 streams
    /// or more, so a longer queue is a peer that answers nothing.
    public var waitingRequests = 1024
    /// How many requests of the peer are open at once; more are refused. Twice what a large viewer needs.
    public var incomingRequests = 4096
    /// How many streams of the peer may be without a complete first message at once: honest ones say it in their
    /// first packet.
    public var silentStreams = 256
    /// The largest frame taken, in bytes.
    public var frameBytes = WireLimits.frameBytes
    /// How many bytes of frames that are not complete are held in all; the stream that goes beyond is stopped. Eight
    /// of the largest frames at once.
    public var incompleteFrameBytes = 8 * WireLimits.frameBytes
    /// Reading pauses while events of this many bytes wait to be taken, so that an owner who is slow slows the peer.
    public var waitingEventBytes = 8 << 20
    /// How many announcements of the peer are live at once in all; beyond, the session is closed. A relay with more
    /// would need some 20 MiB here for each session.
    public var liveAnnouncements = 65_536
    /// How long a peer may take over its half of the setup exchange (01 and 02), as long as a relay gives a SETUP.
    public var exchangeWait = Duration.seconds(10)
    /// How much is read from a stream before the next one gets its turn, in bytes.
    public var readBytes = 64 << 10

    /// The defaults.
    public init() {}
}

/// What a session is and may do.
public struct LiteConfiguration: Sendable {
    /// The versions that are spoken, the most wanted first. The transport's protocol name has made the choice, or leaves
    /// it to the setup exchange (01 and 02); another one closes the session.
    public var versions: [Version]
    /// This side's hop id, below 2^53; 0 for none (clients in JavaScript refuse that).
    public var hopID: UInt64
    /// Path and query of the URL: what a client tells in SETUP on 05 and later, and in CLIENT_SETUP on 01 and 02 (where
    /// known servers do not look at it), when the transport has no request of its own.
    public var requestPath: String?
    /// What SETUP says about measurements. With `report` or more this side answers Probe streams.
    public var probeLevel: ProbeLevel
    /// Whether Probe streams are answered from the transport's estimate, or only by `sendProbe`.
    public var samplesProbe: Bool
    /// What SETUP says about the role; nil for both, as known clients do.
    public var setupRole: SetupRole?
    /// What SETUP says about the price of this link; nil says nothing, which peers take as 1.
    public var linkCost: UInt64?
    /// Whether SETUP, CLIENT_SETUP or SERVER_SETUP is sent at all. A test may hold it back; peers then stay silent. A
    /// client without CLIENT_SETUP speaks the first of its versions that has it.
    public var sendsSetup: Bool
    /// Whose numbers the codes have that the engine itself sends.
    public var generation: CodeGeneration
    /// As a server, whether it does as servers of the original stack do where the draft says otherwise (0.3.19 and
    /// 0.4.18, observed): nothing is said before the peer's SETUP, in which a path is passed over where the request had
    /// one, and a stream of unknown type before it closes the session.
    public var doesAsDeployed = false
    /// Whether the bytes of frames are told as they come, besides the frames themselves: who passes them on need not wait
    /// for the whole of a long one (draft: a relay should not).
    public var tellsFrameParts = false
    /// The bounds.
    public var bounds: LiteBounds

    /// A configuration of its parts; the defaults are what known clients do.
    public init(
        versions: [Version] = Version.byPreference, hopID: UInt64, requestPath: String? = nil,
        probeLevel: ProbeLevel = .report, samplesProbe: Bool = true, setupRole: SetupRole? = nil,
        linkCost: UInt64? = nil, sendsSetup: Bool = true, generation: CodeGeneration = .second,
        bounds: LiteBounds = LiteBounds()
    ) {
        self.versions = versions
        self.hopID = hopID
        self.requestPath = requestPath
        self.probeLevel = probeLevel
        self.samplesProbe = samplesProbe
        self.setupRole = setupRole
        self.linkCost = linkCost
        self.sendsSetup = sendsSetup
        self.generation = generation
        self.bounds = bounds
    }
}
