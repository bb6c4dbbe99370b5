/// One track of a file that is written: its group that is not written yet, and what is known of its format.
struct WriterLane {
    private(set) var format: TrackFormat
    private let track: Int
    /// The description as the muxer wants it; nil until it is known.
    private var setup: [UInt8]?
    /// The track's number in the file; nil when it is not in it.
    var place: Int?
    private(set) var frameCount = 0
    private(set) var droppedFrameCount = 0
    /// Whether the first keyframe was there.
    private(set) var hasBegun = false
    private var group: [MediaPacket] = []
    private var groupByteCount = 0
    private var times = DecodeTimes()
    private var usualDuration: Int64 = 0
    /// The latest time of showing of all frames that were taken.
    private var newest: Int64?

    /// How much of a group is held back at most; a longer one is written in parts.
    private static let greatestGroupByteCount = 16 << 20
    private static let greatestGroupFrameCount = 2048
    /// How far the clock may jump, in microseconds. An MP4 file counts the time between two frames in 32 bits, which are
    /// 2147 s; reordered frames can be decoded twice as far apart as they are shown.
    static let greatestStep: Int64 = 1_000_000_000
    /// Pictures of H.264 and H.265 are at most so far out of order.
    private static let greatestReorderDepth = 16
    /// What a single frame lasts when nothing says how long.
    private static let loneDuration: Int64 = 20_000

    init(_ format: TrackFormat, track: Int) {
        self.format = format
        self.track = track
        if !format.setup.isEmpty {
            setup = format.setup
        } else if format.codec == .aac {
            setup = CodecDescription.audioSpecificConfig(
                sampleRate: format.sampleRate ?? 0, channelCount: format.channelCount ?? 0)
        } else if format.codec == .opus {
            setup = CodecDescription.opusHead(
                sampleRate: format.sampleRate ?? 48_000, channelCount: format.channelCount ?? 2)
        }
    }

    /// Whether a keyframe has to say what the catalog did not.
    var isUndescribed: Bool {
        setup == nil || format.codec.kind == .video && (format.width ?? 0 <= 0 || format.height ?? 0 <= 0)
    }

    /// The format with all that the file's header needs.
    var described: TrackFormat {
        var result = format
        result.setup = setup ?? []
        if format.codec == .opus { result.sampleRate = 48_000 }
        return result
    }

    /// Learns from a keyframe what the catalog did not say.
    mutating func describe(by payload: [UInt8]) {
        if setup == nil {
            let found: [UInt8] =
                switch format.codec {
                case .h264, .h265: ByteStream.parameterSets(format.codec, payload)
                case .av1: payload
                case .aac, .opus: []
                }
            if !found.isEmpty { setup = found }
        }
        guard format.codec.kind == .video, format.width ?? 0 <= 0 || format.height ?? 0 <= 0 else { return }
        // The picture itself says how large it is.
        guard let decoder = try? MediaDecoder(format) else { return }
        let pictures = decoder.decode(payload, presentation: 0).pictures + decoder.finish().pictures
        format.width = pictures.first?.width
        format.height = pictures.first?.height
    }

    /// Takes a frame; gives what can be written now.
    mutating func append(_ presentation: Int64, _ isKeyframe: Bool, _ payload: [UInt8]) -> [MediaPacket] {
        frameCount += 1
        let begins = isKeyframe || format.codec.kind == .audio
        let isBeyond = newest.map { presentation > $0 + Self.greatestStep } ?? false
        guard begins || hasBegun, !isBeyond else {
            droppedFrameCount += 1
            return []
        }
        if !hasBegun, format.codec == .h264 || format.codec == .h265 {
            times.reorderDepth = min((try? MediaDecoder(described))?.reorderDepth ?? 0, Self.greatestReorderDepth)
        }
        hasBegun = true
        newest = max(newest ?? presentation, presentation)
        let isFull = groupByteCount >= Self.greatestGroupByteCount || group.count >= Self.greatestGroupFrameCount
        let packets = begins || isFull ? close(before: presentation) : []
        group.append(
            MediaPacket(
                track: track, presentation: presentation, decode: 0, duration: 0, isKeyframe: begins, payload: payload))
        groupByteCount += payload.count
        return packets
    }

    /// Gives what was held back.
    mutating func finish() -> [MediaPacket] {
        close(before: nil)
    }

    private mutating func close(before next: Int64?) -> [MediaPacket] {
        var packets = group
        group = []
        groupByteCount = 0
        guard !packets.isEmpty else { return [] }
        guard let assigned = times.assign(packets.map(\.presentation)) else {
            droppedFrameCount += packets.count
            return []
        }
        for index in packets.indices {
            packets[index].decode = assigned[index]
            if index > 0 { packets[index - 1].duration = assigned[index] - assigned[index - 1] }
        }
        if packets.count > 1 { usualDuration = packets[packets.count - 2].duration }
        // The last picture of a group is shown until the next one's first; what is reordered has no such neighbour.
        let latest = packets.map(\.presentation).max() ?? 0
        let gap = next.map { $0 - latest } ?? 0
        if gap > 0 { usualDuration = gap }
        packets[packets.count - 1].duration = usualDuration > 0 ? usualDuration : Self.loneDuration
        return packets
    }
}
