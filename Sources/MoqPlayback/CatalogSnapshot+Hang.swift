import MoqHang
import MoqKit

extension CatalogSnapshot {
    /// Reads a catalog as the kits do: strictly, by the rules of the native reader; renditions in containers that it does
    /// not know are left out.
    public static func read(_ bytes: [UInt8]) -> Result<CatalogSnapshot, CatalogProblem> {
        do throws(CatalogError) {
            return .success(CatalogSnapshot(try CatalogReader(profile: .rust).read(bytes)))
        } catch {
            return .failure(CatalogProblem(error.description))
        }
    }

    /// What the kits list of a catalog.
    public init(_ catalog: Catalog) {
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
        self.init(video + audio)
    }
}

extension RenditionContainer {
    /// What the kits call a container; nil for one that nobody reads.
    public init?(_ container: Container) {
        switch container {
        case .legacy: self = .legacy
        case .loc: self = .loc
        case .cmaf(let initialisation): self = .cmaf(initialization: initialisation)
        case .unknown: return nil
        }
    }

    /// The same as a catalog has it.
    public var hang: Container {
        switch self {
        case .legacy: .legacy
        case .loc: .loc
        case .cmaf(let initialisation): .cmaf(initialisation: initialisation)
        }
    }
}
