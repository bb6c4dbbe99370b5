import MoqHang
import MoqJSON
import MoqKit

/// Follows one of the tracks that a broadcast is described by, frame by frame.
public final class CatalogFollower {
    /// In which form the catalog travels.
    public enum Form: String, CaseIterable, Hashable, Sendable {
        /// `catalog.json`: what the kits read.
        case json
        /// `catalog.json.z`: the same, compressed.
        case compressed
        /// `catalog`: the mirror for players of MSF.
        case msf

        /// The track that carries it.
        public var track: String {
            switch self {
            case .json: "catalog.json"
            case .compressed: "catalog.json.z"
            case .msf: MSFCatalog.trackName
            }
        }
    }

    private let form: Form
    private let track: CatalogTrack

    /// A follower that has seen nothing.
    public init(_ form: Form) {
        self.form = form
        track = CatalogTrack(compressed: form == .compressed, reader: CatalogReader(profile: .rust))
    }

    /// Takes a frame; what is newly known, nil where that is nothing.
    public func receive(_ frame: [UInt8], group: UInt64, index: UInt64) -> Result<CatalogSnapshot?, CatalogProblem> {
        if form == .msf { return Self.mirror(frame).map(Optional.some) }
        track.receive(frame, group: group, index: Int(clamping: index))
        switch track.next() {
        case .catalog(let catalog, _): return .success(CatalogSnapshot(catalog))
        case .ended(.undecodable(let error)): return .failure(CatalogProblem(error.description))
        case .ended, nil: return .success(nil)
        }
    }

    private static func mirror(_ frame: [UInt8]) -> Result<CatalogSnapshot, CatalogProblem> {
        do throws(CatalogError) {
            return .success(CatalogSnapshot(try MSFCatalog(parsing: frame)))
        } catch {
            return .failure(CatalogProblem(error.description))
        }
    }
}

extension CatalogSnapshot {
    /// What a player of MSF lists of the mirror: tracks of video and audio in containers that it knows.
    public init(_ mirror: MSFCatalog) {
        let renditions = mirror.tracks.compactMap { track -> Rendition? in
            guard let kind = track.role.flatMap(TrackKind.init), let codec = track.codec else { return nil }
            var rendition = Rendition(kind: kind, name: track.name, codec: codec, description: track.initialisation)
            switch track.packaging {
            case "legacy": rendition.container = .legacy
            case "loc": rendition.container = .loc
            case "cmaf":
                rendition.container = .cmaf(initialization: track.initialisation ?? [])
                rendition.description = nil
            default: return nil
            }
            rendition.width = track.number("width").map { Int($0) }
            rendition.height = track.number("height").map { Int($0) }
            rendition.frameRate = track.number("framerate")
            rendition.bitrate = track.number("bitrate").map { Int($0) }
            rendition.sampleRate = track.number("samplerate").map { Int($0) }
            rendition.channels = track.text("channelConfig").flatMap { Int($0) }
            return rendition
        }
        self.init(renditions)
    }
}

extension MSFCatalog.Track {
    fileprivate func number(_ name: String) -> Double? {
        switch other.first(where: { $0.name == name })?.value {
        case .integer(let number): Double(number)
        case .real(let number) where abs(number) < 1e15: number
        default: nil
        }
    }

    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = other.first(where: { $0.name == name })?.value { text } else { nil }
    }
}
