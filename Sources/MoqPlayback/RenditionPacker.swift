import MoqHang
import MoqKit

/// Packs frames for renditions in other containers than the kits' own.
public final class RenditionPacker {
    private var encoders: [(name: String, encoder: ContainerEncoder)] = []

    /// A packer that has packed nothing.
    public init() {}

    /// The frame on the wire; nil where the rendition's container cannot carry it.
    public func pack(_ rendition: Rendition, at timestamp: Int64, _ frame: EncodedFrame) -> [UInt8]? {
        do throws(ContainerError) {
            let index = try index(of: rendition)
            return try encoders[index].encoder.encode(
                MoqHang.MediaFrame(timestamp: Int(timestamp), isKeyframe: frame.isKeyframe, payload: frame.payload))
        } catch {
            return nil
        }
    }

    private func index(of rendition: Rendition) throws(ContainerError) -> Int {
        if let index = encoders.firstIndex(where: { $0.name == rendition.name }) { return index }
        encoders.append((rendition.name, try ContainerEncoder(rendition.container.hang)))
        return encoders.count - 1
    }
}

extension RenditionContainer {
    /// The cmaf container of what an encoder gives.
    public static func cmaf(
        initializationOf configuration: EncoderConfiguration
    ) throws(CatalogProblem) -> RenditionContainer {
        do throws(ContainerError) {
            let codec = CodecString(
                anything: configuration.codec, kind: configuration.kind == .video ? .video : .audio)
            let initialisation =
                switch configuration.kind {
                case .video:
                    try CMAFInitialisation.make(
                        VideoRendition(
                            name: "video", codec: codec, description: configuration.description,
                            codedWidth: configuration.width, codedHeight: configuration.height))
                case .audio:
                    try CMAFInitialisation.make(
                        AudioRendition(
                            name: "audio", codec: codec, sampleRate: configuration.sampleRate ?? 48_000,
                            numberOfChannels: configuration.channels ?? 1, description: configuration.description))
                }
            return .cmaf(initialization: initialisation)
        } catch {
            throw CatalogProblem(error.description)
        }
    }
}
