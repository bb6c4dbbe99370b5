import MoqLive
import MoqWire

/// What `moqspec publish` was asked for.
public struct PublishArguments: Sendable {
    /// The relay.
    public var relay: LiveArguments
    /// The media file.
    public var file: String
    /// How it is published.
    public var settings: PublishSettings
    /// Whether what happens is said in JSON.
    public var isJSON: Bool

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.operands.count < 2 else {
            throw UsageError("moqspec publish sends one file, and `\(arguments.operands[1])` is a second")
        }
        guard let file = arguments.operands.first else {
            throw UsageError("a media file is missing, such as bars.mp4")
        }
        self.file = file
        relay = try LiveArguments(arguments)
        let name = arguments.value(of: "broadcast") ?? Self.name(of: file)
        let path = try LiveArguments.path(name, flag: "broadcast")
        guard !path.isEmpty else { throw UsageError("--broadcast: a broadcast has a path that is not empty") }
        settings = PublishSettings(path: path)
        settings.loops = arguments.has("loop")
        if let text = arguments.value(of: "container") {
            guard let packing = PublishSettings.Packing(rawValue: text) else {
                let words = PublishSettings.Packing.allCases.map(\.rawValue)
                throw UsageError("--container: \(UsageError.unknown("container", text, among: words))")
            }
            settings.packing = packing
        }
        if let text = arguments.value(of: "catalog") { settings.catalogs = try Self.catalogs(text) }
        settings.waitForViewer = try arguments.duration(of: "wait", allowingZero: true)
        settings.duration = try arguments.duration(of: "duration")
        isJSON = arguments.has("json")
    }

    /// The file's name without its folders and its ending.
    private static func name(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    private static func catalogs(_ text: String) throws(UsageError) -> [PublishSettings.CatalogForm] {
        var forms: [PublishSettings.CatalogForm] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let form = PublishSettings.CatalogForm(rawValue: String(part)) else {
                let words = PublishSettings.CatalogForm.allCases.map(\.rawValue)
                throw UsageError("--catalog: \(UsageError.unknown("catalog", String(part), among: words))")
            }
            if !forms.contains(form) { forms.append(form) }
        }
        return forms
    }
}
