import MoqKit
import MoqMedia

/// What a viewer received, as an MP4 file in the making.
final class Recording {
    private let writer: MediaWriter
    private let renditions: [Rendition]
    /// Frames that could not be written, and the first reason.
    private(set) var problem: String?

    /// A file with these renditions.
    init(_ renditions: [Rendition]) throws(MediaError) {
        var formats: [TrackFormat] = []
        for rendition in renditions { formats.append(try TrackFormat(rendition)) }
        writer = try MediaWriter(formats)
        self.renditions = renditions
    }

    /// Frames that are in the file or will be.
    var frameCount: Int { writer.frameCount }

    func add(_ frame: MediaFrame, of rendition: Rendition) {
        guard let track = renditions.firstIndex(where: { $0.kind == rendition.kind && $0.name == rendition.name })
        else {
            return
        }
        do throws(MediaError) {
            try writer.append(
                track: track, presentation: frame.timestamp, isKeyframe: frame.isKeyframe, payload: frame.payload)
        } catch {
            problem = problem ?? error.description
        }
    }

    /// Ends the file.
    func finish() {
        do throws(MediaError) {
            try writer.finish()
        } catch {
            problem = problem ?? error.description
        }
    }

    /// The bytes that are new.
    func take() -> [UInt8] { writer.take() }
}
