import MoqKit
import MoqLive
import MoqPlayback

/// What `moqspec watch` was asked for.
public struct WatchArguments: Sendable {
    /// The relay.
    public var relay: LiveArguments
    /// What is watched, and how.
    public var settings = WatchSettings()
    /// The file for what was received.
    public var save: String?
    /// The file for the steps of its objects.
    public var trace: String?
    /// Whether what is seen is said in JSON.
    public var isJSON: Bool

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        relay = try LiveArguments(arguments)
        settings.broadcast = try arguments.value(of: "broadcast").map { text throws(UsageError) in
            try LiveArguments.path(text, flag: "broadcast").text
        }
        if let text = arguments.value(of: "catalog") {
            guard let form = CatalogFollower.Form.allCases.first(where: { Self.word($0) == text }) else {
                let words = CatalogFollower.Form.allCases.map(Self.word)
                throw UsageError("--catalog: \(UsageError.unknown("catalog", text, among: words))")
            }
            settings.catalog = form
        }
        settings.video = Self.choice(arguments.value(of: "video"))
        settings.audio = Self.choice(arguments.value(of: "audio"))
        guard settings.video != .none || settings.audio != .none else {
            throw UsageError("--video none and --audio none leave nothing to watch")
        }
        if let target = try arguments.duration(of: "target-latency") { settings.target = target }
        if let text = arguments.value(of: "profile") {
            guard let platform = KitPlatform(rawValue: text) else {
                let words = KitPlatform.allCases.map(\.rawValue)
                throw UsageError("--profile: \(UsageError.unknown("profile", text, among: words))")
            }
            settings.platform = platform
        }
        settings.patience = try arguments.duration(of: "wait")
        settings.duration = try arguments.duration(of: "duration")
        save = arguments.value(of: "save")
        if let save, save.isEmpty || save == "-" {
            throw UsageError("--save \(save): it is the path of a file; standard output is for what is seen")
        }
        settings.records = save != nil
        trace = arguments.value(of: "trace")
        if let trace, trace.isEmpty || trace == "-" { throw UsageError("--trace \(trace): it is the path of a file") }
        settings.traces = trace != nil
        isJSON = arguments.has("json")
    }

    /// How a flag names a form of catalogs: by its track, but for the mirror.
    static func word(_ form: CatalogFollower.Form) -> String { form == .msf ? "msf" : form.track }

    private static func choice(_ text: String?) -> WatchSettings.Choice {
        switch text {
        case nil: .first
        case "none": .none
        case let name?: .named(name)
        }
    }
}
