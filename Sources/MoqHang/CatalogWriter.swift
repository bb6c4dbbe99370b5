import MoqBase
import MoqJSON

/// Makes a document of a `Catalog`, in the shape of any generation.
///
/// The members come in the order of the original stack, and what a reader kept without knowing it behind them. An older
/// shape leaves out what it has no words for: a cmaf rendition then has its container, but not its initialisation.
public struct CatalogWriter: Sendable {
    /// The shape.
    public var generation: CatalogGeneration
    /// Whether the text is indented, for people.
    public var indented: Bool

    /// A writer.
    public init(generation: CatalogGeneration = .current, indented: Bool = false) {
        self.generation = generation
        self.indented = indented
    }

    /// The bytes of a catalog.
    public func write(_ catalog: Catalog) -> [UInt8] {
        document(catalog).written(indented: indented)
    }

    /// The document of a catalog. As the original stack does from 2025-10 on, it has both sections even when they are
    /// empty; before that it had none that is empty.
    public func document(_ catalog: Catalog) -> JSONValue {
        var root = Members()
        var (video, audio) = (catalog.video ?? VideoSection(), catalog.audio ?? AudioSection())
        video.renditions = Self.unique(video.renditions, by: \.name)
        audio.renditions = Self.unique(audio.renditions, by: \.name)
        if generation == .lists {
            if !video.renditions.isEmpty { root.add("video", list(video)) }
            if !audio.renditions.isEmpty {
                root.add("audio", .array(audio.renditions.map { entry($0.name, 80, config($0)) }))
            }
        } else {
            root.add("video", section(video))
            root.add("audio", section(audio))
        }
        return .object(root.list(with: catalog.sections))
    }

    private func section(_ video: VideoSection) -> JSONValue {
        var members = Members()
        members.add("renditions", .object(video.renditions.map { .init(name: $0.name, value: config($0)) }))
        if hasPriority { members.add("priority", .integer(60)) }
        if let size = video.display {
            let sides = [
                JSONValue.Member(name: "width", value: .integer(Int64(size.width))),
                JSONValue.Member(name: "height", value: .integer(Int64(size.height))),
            ]
            members.add("display", .object(sides))
        }
        members.add("rotation", video.rotation.map(Self.number))
        members.add("flip", video.flip.map(JSONValue.bool))
        return .object(members.list(with: video.other))
    }

    private func section(_ audio: AudioSection) -> JSONValue {
        var members = Members()
        members.add("renditions", .object(audio.renditions.map { .init(name: $0.name, value: config($0)) }))
        if hasPriority { members.add("priority", .integer(80)) }
        return .object(members.list(with: audio.other))
    }

    /// Video as a list, in which the first config has what belongs to all.
    private func list(_ video: VideoSection) -> JSONValue {
        .array(
            video.renditions.enumerated().map { index, rendition in
                var rendition = rendition
                rendition.other.removeAll { $0.name == "rotation" || $0.name == "flip" }
                var shared = Members()
                if index == 0 {
                    shared.add("rotation", video.rotation.map(Self.number))
                    shared.add("flip", video.flip.map(JSONValue.bool))
                }
                return entry(rendition.name, 60, config(rendition), shared.list)
            })
    }

    private func entry(
        _ name: String, _ priority: Int64, _ config: JSONValue, _ shared: [JSONValue.Member] = []
    ) -> JSONValue {
        let track = [
            JSONValue.Member(name: "name", value: .string(name)),
            JSONValue.Member(name: "priority", value: .integer(priority)),
        ]
        return .object([
            .init(name: "track", value: .object(track)),
            .init(name: "config", value: .object((config.members ?? []) + shared)),
        ])
    }

    // MARK: Renditions

    private func config(_ rendition: VideoRendition) -> JSONValue {
        var members = Members()
        if isAtLeast(.current) { members.add("broadcast", rendition.broadcast.map(JSONValue.string)) }
        members.add("codec", .string(rendition.codec.text))
        members.add("description", rendition.description.map { .string(Hexadecimal.encode($0)) })
        members.add("codedWidth", rendition.codedWidth.map(Self.integer))
        members.add("codedHeight", rendition.codedHeight.map(Self.integer))
        let aspect = isAtLeast(.current) ? "displayAspect" : "displayRatio"
        members.add("\(aspect)Width", rendition.displayAspectWidth.map(Self.integer))
        members.add("\(aspect)Height", rendition.displayAspectHeight.map(Self.integer))
        members.add("bitrate", rendition.bitrate.map(JSONValue.integer))
        if isAtLeast(.current) { members.add("stalled", rendition.stalled.map(JSONValue.bool)) }
        members.add("framerate", rendition.framerate.map(Self.number))
        members.add("optimizeForLatency", rendition.optimizeForLatency.map(JSONValue.bool))
        addCommon(rendition.container, rendition.jitter, rendition.timeline, to: &members)
        return .object(members.list(with: rendition.other))
    }

    private func config(_ rendition: AudioRendition) -> JSONValue {
        var members = Members()
        if isAtLeast(.current) { members.add("broadcast", rendition.broadcast.map(JSONValue.string)) }
        members.add("codec", .string(rendition.codec.text))
        members.add("sampleRate", Self.integer(rendition.sampleRate))
        members.add("numberOfChannels", Self.integer(rendition.numberOfChannels))
        members.add("bitrate", rendition.bitrate.map(JSONValue.integer))
        members.add("description", rendition.description.map { .string(Hexadecimal.encode($0)) })
        addCommon(rendition.container, rendition.jitter, rendition.timeline, to: &members)
        return .object(members.list(with: rendition.other))
    }

    private func addCommon(
        _ container: Container, _ jitter: Int64?, _ timeline: TimelineReference?, to members: inout Members
    ) {
        members.add("container", value(container))
        members.add(isAtLeast(.jitter) ? "jitter" : "minBuffer", jitter.map(JSONValue.integer))
        guard isAtLeast(.current), let timeline else { return }
        var reference = Members()
        reference.add("track", .string(timeline.track))
        reference.add("timescale", Self.integer(timeline.timescale))
        reference.add("wall", timeline.wall.map(JSONValue.integer))
        members.add("timeline", .object(reference.list))
    }

    private func value(_ container: Container) -> JSONValue? {
        guard isAtLeast(.containerWords) else { return nil }
        if case .unknown(let value) = container { return value }
        guard isAtLeast(.containerObjects) else {
            return .string(container.kind == "cmaf" ? "fmp4" : container.kind ?? "legacy")
        }
        var members = Members()
        members.add("kind", .string(container.kind ?? "legacy"))
        if case .cmaf(let initialisation) = container {
            if isAtLeast(.initialisations) {
                members.add("init", .string(Base64.encode(initialisation)))
            } else if let header = try? CMAFInitialisation(parsing: initialisation) {
                members.add("timescale", .integer(Int64(header.timescale)))
                members.add("trackId", .integer(Int64(header.trackID)))
            }
        }
        return .object(members.list)
    }

    private func isAtLeast(_ other: CatalogGeneration) -> Bool {
        let all = CatalogGeneration.allCases
        return (all.firstIndex(of: generation) ?? 0) >= (all.firstIndex(of: other) ?? 0)
    }

    private var hasPriority: Bool { !isAtLeast(.jitter) }

    private static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    /// A number without a fraction is written without one, as the original stack's JavaScript does.
    private static func number(_ number: Double) -> JSONValue {
        Int64(exactly: number).map(JSONValue.integer) ?? .real(number)
    }

    /// The last of each name, where its first stood: no object has a name twice.
    private static func unique<Element>(_ elements: [Element], by name: (Element) -> String) -> [Element] {
        var places: [[UInt8]: Int] = [:]
        var kept: [Element] = []
        for element in elements {
            let key = Array(name(element).utf8)
            if let place = places[key] {
                kept[place] = element
            } else {
                places[key] = kept.count
                kept.append(element)
            }
        }
        return kept
    }

    /// Members in their order, without those that have no value.
    private struct Members {
        private(set) var list: [JSONValue.Member] = []

        /// The members, and behind them those of others whose names are not taken.
        func list(with others: [JSONValue.Member]) -> [JSONValue.Member] {
            let taken = Set(list.map { Array($0.name.utf8) })
            return list + CatalogWriter.unique(others.filter { !taken.contains(Array($0.name.utf8)) }, by: \.name)
        }

        mutating func add(_ name: String, _ value: JSONValue?) {
            if let value { list.append(.init(name: name, value: value)) }
        }
    }
}
