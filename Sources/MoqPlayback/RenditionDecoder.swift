import MoqHang
import MoqKit
import MoqMedia

/// The decoders of a player, in software: what does not decode is a fault, and nothing is concealed.
///
/// Frames are decoded when they come, in the order in which they were coded; the player, which hands them over by their
/// timestamps, is told of a fault when it gets to the frame.
public final class RenditionDecoder: FrameDecoding {
    /// Is given every frame as it comes, in the order of decoding.
    public var onFrame: ((Rendition, MoqKit.MediaFrame) -> Void)?
    /// Is given what came out of the decoders.
    public var onDecoded: ((Rendition, DecodeResult) -> Void)?
    /// What the player shows and plays, by the marks of the fixtures; nil where nobody looks.
    public var sightings: Sightings?
    /// How many frames decoded, and how many did not.
    public private(set) var decoded = 0
    /// How many frames did not decode.
    public private(set) var faults = 0
    /// Why they did not, and what could not even be taken apart.
    public private(set) var reasons = DecodeFaults()
    /// Is given the first fault of each rendition and cause.
    public var onFirstFault: ((DecodeFault) -> Void)?
    private var lanes: [Lane] = []

    private struct Lane {
        let rendition: Rendition
        let decoder: MediaDecoder?
        /// Why there is none.
        let problem: MediaError?
        /// Whether the group began without a keyframe.
        var lacksKeyframe = false
        /// Whether everything up to the next keyframe is of no use.
        var awaitsKeyframe = true
        /// What was wrong with frames that the player has not come to.
        var faults: [(time: Int64, text: String)] = []
    }

    /// Faults that wait for the player at most: more frames than it buffers.
    private static let faultsKept = 2048
    /// Renditions at most: those that were left long ago go first.
    private static let lanesKept = 16

    /// Decoders of nothing yet.
    public init() {}

    /// Whether a decoder can be had for a rendition; what is wrong with it otherwise.
    public static func problem(with rendition: Rendition) -> String? {
        do throws(MediaError) {
            _ = try MediaDecoder(try TrackFormat(rendition))
            return nil
        } catch {
            return error.description
        }
    }

    public func received(_ frame: MoqKit.MediaFrame, of rendition: Rendition) {
        onFrame?(rendition, frame)
        let index = lane(of: rendition)
        guard let decoder = lanes[index].decoder else {
            return note(lanes[index].problem ?? .library("there is no decoder"), frame, index)
        }
        if lanes[index].awaitsKeyframe {
            guard frame.isKeyframe || rendition.kind == .audio else { return }
            decoder.reset()
            // libavcodec's H.264 decoder says nothing of such frames, and shows none of them.
            guard FrameDiagnosis(frame.payload, decoder.format).canBeFirst else {
                return note(.undecodable("no picture can come of it"), frame, index)
            }
            lanes[index].awaitsKeyframe = false
        }
        let result = decoder.decode(frame.payload, presentation: frame.timestamp)
        if let fault = result.fault {
            note(fault, frame, index)
        } else {
            if frame.isKeyframe { lanes[index].lacksKeyframe = false }
            decoded += 1
        }
        sightings?.decoded(result, of: rendition.name)
        onDecoded?(rendition, result)
    }

    public func shown(_ frame: MoqKit.MediaFrame, of rendition: Rendition, at instant: Int64) {
        sightings?.shown(frame.timestamp, of: rendition.name, at: instant)
    }

    public func heard(_ rendition: Rendition, from start: Int64, to end: Int64, at instant: Int64) {
        sightings?.heard(start..<max(start, end), at: instant)
    }

    /// Notes that a frame on the wire could not be taken apart. It is none of the frames that did not decode.
    public func unreadable(_ text: String, of rendition: Rendition) {
        count(DecodeFault(kind: rendition.kind, rendition: rendition.name, cause: .container, text: text))
    }

    private func count(_ fault: DecodeFault) {
        if reasons.note(fault) { onFirstFault?(fault) }
    }

    private func diagnose(_ fault: MediaError, _ frame: MoqKit.MediaFrame, _ index: Int) -> DecodeFault {
        let rendition = lanes[index].rendition
        var (cause, text) = (DecodeFault.Cause.damaged, fault.description)
        switch fault {
        case .unsupportedCodec, .library: cause = .noDecoder
        case .badDescription: cause = rendition.description == nil ? .noConfiguration : .badConfiguration
        default:
            guard let format = lanes[index].decoder?.format else { break }
            let diagnosis = FrameDiagnosis(frame.payload, format)
            if frame.isKeyframe { lanes[index].lacksKeyframe = diagnosis.isKeyframe == false }
            let found = diagnosis.cause(
                beginsGroup: frame.isKeyframe, lacksKeyframe: lanes[index].lacksKeyframe)
            if let found { (cause, text) = (found.cause, "\(found.text); \(fault.description)") }
        }
        return DecodeFault(
            kind: rendition.kind, rendition: rendition.name, cause: cause, text: text, timestamp: frame.timestamp)
    }

    private func note(_ fault: MediaError, _ frame: MoqKit.MediaFrame, _ index: Int) {
        let text = fault.description
        count(diagnose(fault, frame, index))
        faults += 1
        if lanes[index].faults.count == Self.faultsKept { lanes[index].faults.removeFirst() }
        lanes[index].faults.append((frame.timestamp, text))
    }

    public func decode(_ frame: MoqKit.MediaFrame, of rendition: Rendition) -> String? {
        let index = lane(of: rendition)
        guard let place = lanes[index].faults.firstIndex(where: { $0.time == frame.timestamp }) else { return nil }
        return lanes[index].faults.remove(at: place).text
    }

    public func flush(_ rendition: Rendition) {
        let index = lane(of: rendition)
        lanes[index].awaitsKeyframe = true
        lanes[index].faults = []
        if rendition.kind == .video { sightings?.forgetPictures() }
    }

    private func lane(of rendition: Rendition) -> Int {
        if let index = lanes.firstIndex(where: { $0.rendition == rendition }) { return index }
        if lanes.count == Self.lanesKept { lanes.removeFirst() }
        do throws(MediaError) {
            let decoder = try MediaDecoder(try TrackFormat(rendition))
            lanes.append(Lane(rendition: rendition, decoder: decoder, problem: nil))
        } catch {
            lanes.append(Lane(rendition: rendition, decoder: nil, problem: error))
        }
        return lanes.count - 1
    }
}

extension TrackFormat {
    /// What a decoder and a file have to know of a rendition.
    ///
    /// - Throws: `unsupportedCodec` when nothing here decodes or writes its codec.
    public init(_ rendition: Rendition) throws(MediaError) {
        try self.init(
            codecString: rendition.codec, setup: Self.setup(of: rendition), width: rendition.width,
            height: rendition.height, frameRate: rendition.frameRate, sampleRate: rendition.sampleRate,
            channelCount: rendition.channels, bitrate: rendition.bitrate)
    }

    /// What the catalog says, or else what the initialisation of a cmaf rendition has: but for Opus, whose box is no
    /// OpusHead, and which decodes by its channels alone.
    private static func setup(of rendition: Rendition) -> [UInt8] {
        if let description = rendition.description { return description }
        guard case .cmaf(let bytes) = rendition.container, !rendition.codec.lowercased().hasPrefix("opus"),
            let initialisation = try? CMAFInitialisation(parsing: bytes)
        else { return [] }
        return initialisation.codecRecord ?? []
    }
}
