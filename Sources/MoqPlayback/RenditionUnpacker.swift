import MoqHang
import MoqKit

/// Takes the frames on the wire of a broadcast's renditions apart.
public final class RenditionUnpacker {
    /// Initialisations are read once: there are a few renditions, and thousands of frames.
    private var decoders: [(rendition: Rendition, decoder: ContainerDecoder)] = []

    /// How many are kept: more than a broadcast has renditions.
    private static let decodersKept = 32

    /// An unpacker that has seen nothing.
    public init() {}

    /// The media frames of one frame on the wire; none for a marker. `isKeyframe` is that of the container, which says
    /// nothing of where a group begins.
    public func unpack(_ rendition: Rendition, _ frame: [UInt8]) -> Result<[MoqKit.MediaFrame], CatalogProblem> {
        do throws(ContainerError) {
            let frames = try decoder(of: rendition).decode(frame, index: 0)
            return .success(
                frames.map {
                    MoqKit.MediaFrame(timestamp: Int64($0.timestamp), isKeyframe: $0.isKeyframe, payload: $0.payload)
                })
        } catch {
            return .failure(CatalogProblem(error.description))
        }
    }

    private func decoder(of rendition: Rendition) throws(ContainerError) -> ContainerDecoder {
        if let known = decoders.first(where: { $0.rendition.container == rendition.container }) { return known.decoder }
        let decoder = try ContainerDecoder(rendition.container.hang)
        if decoders.count == Self.decodersKept { decoders.removeFirst() }
        decoders.append((rendition, decoder))
        return decoder
    }
}
