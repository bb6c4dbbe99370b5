/// Makes an MP4 file of what a player received, without coding anything anew: the payloads are those of the frames.
///
/// The file is in fragments, so what was written so far plays even if the rest never comes. Frames that only say when
/// they are shown get their times of decoding group by group: a group is written when the next one begins.
public final class MediaWriter {
    private var lanes: [WriterLane]
    private var muxer: Muxer?
    /// Packets that wait for the descriptions of all tracks.
    private var waiting: [MediaPacket] = []
    private var waitingByteCount = 0
    private var isFinished = false
    /// Packets of tracks that are not in the file.
    private var unplacedFrameCount = 0

    /// Frames that are not in the file: before their track's first keyframe, shown before what was written already or
    /// more than 1000 s after all that came, or of a track whose description never came.
    public var droppedFrameCount: Int { lanes.reduce(unplacedFrameCount) { $0 + $1.droppedFrameCount } }
    /// Frames that are in the file or will be.
    public var frameCount: Int { lanes.reduce(0) { $0 + $1.frameCount } - droppedFrameCount }

    /// How much waits at most for a track that has yet to say what it is, in bytes.
    public static let greatestWaiting = 64 << 20

    /// Begins a file.
    ///
    /// - Parameter tracks: what a catalog says of the tracks. Descriptions and sizes that it does not give are taken
    ///   from the first keyframe.
    /// - Throws: `unwritable` when there is no track, `library` when libavformat is not there.
    public init(_ tracks: [TrackFormat]) throws(MediaError) {
        guard !tracks.isEmpty else { throw .unwritable("a file needs a track at least") }
        _ = try Library()
        lanes = tracks.enumerated().map { WriterLane($0.element, track: $0.offset) }
    }

    /// Adds a frame.
    ///
    /// - Parameters:
    ///   - track: the track, as an index into those that the file was begun with.
    ///   - presentation: when it is shown or heard, in microseconds. One track's frames come in the order of decoding.
    ///   - isKeyframe: whether a group begins with it; sound does not need it.
    /// - Throws: `unwritable` when the format cannot be in an MP4 file or a frame is no frame. The writer goes on.
    public func append(track: Int, presentation: Int64, isKeyframe: Bool, payload: [UInt8]) throws(MediaError) {
        guard lanes.indices.contains(track), !isFinished else {
            throw .unwritable(isFinished ? "the file has ended" : "the file has no track \(track)")
        }
        guard !payload.isEmpty, payload.count <= MediaDecoder.greatestFrameSize,
            (-Library.greatestTime...Library.greatestTime).contains(presentation)
        else { throw .unwritable("a frame of \(payload.count) bytes at \(presentation) µs is no frame") }
        if lanes[track].isUndescribed, isKeyframe || lanes[track].format.codec.kind == .audio {
            lanes[track].describe(by: payload)
        }
        let packets = lanes[track].append(presentation, isKeyframe, payload)
        try write(packets)
    }

    /// Ends the file. Tracks that never had a keyframe are left out of it.
    ///
    /// - Throws: `unwritable` when nothing was received that could be in a file.
    public func finish() throws(MediaError) {
        guard !isFinished else { return }
        for index in lanes.indices { waiting += lanes[index].finish() }
        isFinished = true
        if muxer == nil { try start() }
        try flush()
        try muxer?.finish()
    }

    /// The bytes that follow what the last call gave: they are to be appended to the file.
    public func take() -> [UInt8] {
        muxer?.take() ?? []
    }

    private func write(_ packets: [MediaPacket]) throws(MediaError) {
        guard !packets.isEmpty else { return }
        waiting += packets
        waitingByteCount += packets.reduce(0) { $0 + $1.payload.count }
        if muxer == nil {
            let isFull = waitingByteCount > Self.greatestWaiting
            guard isFull || lanes.allSatisfy({ !$0.isUndescribed }) else { return }
            try start()
        }
        try flush()
    }

    /// Begins the file with the tracks that are described; at its end only with those that have a frame, since some
    /// players refuse an empty track.
    private func start() throws(MediaError) {
        var formats: [TrackFormat] = []
        for index in lanes.indices where !lanes[index].isUndescribed && (!isFinished || lanes[index].hasBegun) {
            lanes[index].place = formats.count
            formats.append(lanes[index].described)
        }
        guard !formats.isEmpty else { throw .unwritable("no frame was received that a file could begin with") }
        muxer = try Muxer(formats)
    }

    private func flush() throws(MediaError) {
        guard let muxer else { return }
        let packets = waiting
        waiting = []
        waitingByteCount = 0
        for var packet in packets {
            guard let place = lanes[packet.track].place else {
                unplacedFrameCount += 1
                continue
            }
            packet.track = place
            try muxer.write(packet)
        }
    }
}
