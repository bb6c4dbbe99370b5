/// Reads the frames of a rendition on the wire, by its container.
public struct ContainerDecoder: Sendable {
    private enum Form: Sendable {
        case legacy, loc
        case cmaf(CMAFInitialisation)
    }

    private let form: Form

    /// A decoder for a rendition's container; throws when that is unknown, or its initialisation is not readable.
    public init(_ container: Container) throws(ContainerError) {
        switch container {
        case .legacy: form = .legacy
        case .loc: form = .loc
        case .cmaf(let initialisation): form = .cmaf(try CMAFInitialisation(parsing: initialisation))
        case .unknown:
            throw .unsupported("the container \(container.kind ?? "without a kind") is unknown: nobody can read it")
        }
    }

    /// The media frames of one frame on the wire: one, or as many as a fragment has samples, or none for a marker.
    ///
    /// `index` is the frame's number in its group: but for cmaf, the first of a group is the keyframe.
    public func decode(_ frame: [UInt8], index: Int) throws(ContainerError) -> [MediaFrame] {
        var frames: [MediaFrame]
        switch form {
        case .legacy: frames = [try LegacyFrame.decode(frame, isFirstOfGroup: index == 0)]
        case .loc: frames = [try LOCFrame.decode(frame, isFirstOfGroup: index == 0)]
        case .cmaf(let initialisation):
            // An empty frame marks a discontinuity here too.
            frames = frame.isEmpty ? [] : try CMAFFragment.decode(frame, initialisation)
        }
        frames.removeAll { $0.payload.isEmpty }
        return frames
    }
}

/// Writes the frames of a rendition for the wire, by its container.
public struct ContainerEncoder: Sendable {
    private enum Form: Sendable {
        case legacy, loc
        case cmaf(CMAFInitialisation)
    }

    private let form: Form
    private var sequence = 0

    /// An encoder for a rendition's container; throws when that is unknown, or its initialisation is not readable.
    public init(_ container: Container) throws(ContainerError) {
        switch container {
        case .legacy: form = .legacy
        case .loc: form = .loc
        case .cmaf(let initialisation): form = .cmaf(try CMAFInitialisation(parsing: initialisation))
        case .unknown:
            throw .unsupported("the container \(container.kind ?? "without a kind") is unknown: nobody can write it")
        }
    }

    /// The frame on the wire of a media frame. Where a group begins is for the caller to see to: at a keyframe.
    public mutating func encode(_ frame: MediaFrame) throws(ContainerError) -> [UInt8] {
        switch form {
        case .legacy: return try LegacyFrame.encode(frame)
        case .loc: return try LOCFrame.encode(frame)
        case .cmaf(let initialisation):
            sequence = sequence % Int(UInt32.max) + 1
            return try CMAFFragment.encode(frame, initialisation, sequence: sequence)
        }
    }
}
