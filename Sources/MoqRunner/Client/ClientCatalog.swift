import MoqBase
import MoqHang
import MoqKit
import MoqScenario

// Between the catalogs of the wire and what the models make of them.

extension CatalogSnapshot {
    /// Reads a catalog as the kits do: strictly, by the rules of the native reader; renditions in containers that it does
    /// not know are left out.
    static func read(_ bytes: [UInt8]) -> Result<CatalogSnapshot, CatalogProblem> {
        do throws(CatalogError) {
            let catalog = try CatalogReader(profile: .rust).read(bytes)
            let video = (catalog.video?.renditions ?? []).compactMap { rendition -> Rendition? in
                guard let container = RenditionContainer(rendition.container) else { return nil }
                return Rendition(
                    kind: .video, name: rendition.name, codec: rendition.codec.text, description: rendition.description,
                    width: rendition.codedWidth, height: rendition.codedHeight, frameRate: rendition.framerate,
                    bitrate: rendition.bitrate.map { Int($0) }, container: container)
            }
            let audio = (catalog.audio?.renditions ?? []).compactMap { rendition -> Rendition? in
                guard let container = RenditionContainer(rendition.container) else { return nil }
                return Rendition(
                    kind: .audio, name: rendition.name, codec: rendition.codec.text, description: rendition.description,
                    bitrate: rendition.bitrate.map { Int($0) }, sampleRate: rendition.sampleRate,
                    channels: rendition.numberOfChannels, container: container)
            }
            return .success(CatalogSnapshot(video + audio))
        } catch {
            return .failure(CatalogProblem(error.description))
        }
    }
}

extension RenditionContainer {
    init?(_ container: Container) {
        switch container {
        case .legacy: self = .legacy
        case .loc: self = .loc
        case .cmaf(let initialisation): self = .cmaf(initialization: initialisation)
        case .unknown: return nil
        }
    }

    var hang: Container {
        switch self {
        case .legacy: .legacy
        case .loc: .loc
        case .cmaf(let initialisation): .cmaf(initialisation: initialisation)
        }
    }
}

extension Rendition {
    /// The media frames of one frame on the wire.
    func unpack(_ frame: [UInt8]) -> Result<[MoqKit.MediaFrame], CatalogProblem> {
        do throws(ContainerError) {
            let decoder = try ContainerDecoder(container.hang)
            return .success(
                try decoder.decode(frame, index: 0).map {
                    MoqKit.MediaFrame(timestamp: Int64($0.timestamp), isKeyframe: $0.isKeyframe, payload: $0.payload)
                })
        } catch {
            return .failure(CatalogProblem(error.description))
        }
    }

    /// What a publisher writes of it.
    var scenarioValue: ScenarioValue {
        var value = ScenarioValue.object([])
        value = value.setting("codec", to: .string(codec))
        if let description { value = value.setting("description", to: .string(Hexadecimal.encode(description))) }
        if let width { value = value.setting("codedWidth", to: .integer(Int64(width))) }
        if let height { value = value.setting("codedHeight", to: .integer(Int64(height))) }
        if let frameRate { value = value.setting("framerate", to: .number(frameRate)) }
        if let sampleRate { value = value.setting("sampleRate", to: .integer(Int64(sampleRate))) }
        if let channels { value = value.setting("numberOfChannels", to: .integer(Int64(channels))) }
        return value.setting("container", to: ScenarioValue.object([]).setting("kind", to: .string("legacy")))
    }
}
