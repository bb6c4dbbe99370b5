/// Puts a `MediaFile` together from what a `Demuxer` gives.
struct FileAssembly {
    private let demuxer: Demuxer
    private let size: Int
    private let streams: [Demuxer.Stream]
    private var skipped: [MediaFile.SkippedStream] = []
    /// The track of each stream that is used.
    private var trackOfStream: [Int: Int] = [:]
    private var formats: [TrackFormat] = []
    /// What each track has, in the order of the file.
    private var packets: [[Demuxer.Packet]] = []
    private var undecodable = 0
    private var damage: String?

    /// More packets than an hour of sound and video have in a hundred tracks: beyond it the tables are made up.
    private static let greatestPacketCount = 4 << 20

    init(_ bytes: [UInt8]) throws(MediaError) {
        demuxer = try Demuxer(bytes)
        size = bytes.count
        streams = demuxer.streams
        for (number, stream) in streams.enumerated() { add(stream, number) }
        guard !formats.isEmpty else { throw .noUsableTrack(nothingUsable("")) }
        packets = formats.map { _ in [] }
    }

    /// Reads the packets up to the end or to what is damaged.
    mutating func readPackets() throws(MediaError) {
        var byteCount = 0
        var count = 0
        do {
            while let packet = try demuxer.next() {
                count += 1
                byteCount += packet.payload.count
                guard count <= Self.greatestPacketCount, byteCount <= size else {
                    damage = "its tables point to more frames than the file can hold"
                    return
                }
                guard let track = trackOfStream[packet.stream], !packet.payload.isEmpty else { continue }
                packets[track].append(packet)
            }
        } catch {
            damage = error.description
        }
    }

    /// The file. Tracks without a packet are left out.
    func file() throws(MediaError) -> MediaFile {
        var result = MediaFile(
            tracks: [], packets: [], skippedStreams: skipped, undecodablePacketCount: 0, fileTimeOfEpoch: 0,
            damage: damage)
        var lanes: [[MediaPacket]] = []
        for (track, found) in packets.enumerated() {
            var lane = TrackLane(formats[track], found, track: lanes.count)
            result.undecodablePacketCount += lane.undecodablePacketCount
            if lane.packets.isEmpty {
                let number = trackOfStream.first { $0.value == track }?.key ?? track
                result.skippedStreams.append(.init(number: number, reason: "\(formats[track].codec) without a frame"))
                continue
            }
            lane.settle()
            result.tracks.append(lane.summary())
            lanes.append(lane.packets)
        }
        result.skippedStreams.sort { $0.number < $1.number }
        guard !lanes.isEmpty else { throw .noUsableTrack(nothingUsable(damage.map { "; \($0)" } ?? "")) }
        let epoch = lanes.joined().map(\.presentation).min() ?? 0
        result.fileTimeOfEpoch = epoch
        for index in result.tracks.indices { result.tracks[index].end -= epoch }
        result.packets = Self.merged(lanes).map { packet in
            var packet = packet
            packet.presentation -= epoch
            packet.decode -= epoch
            return packet
        }
        return result
    }

    private mutating func add(_ stream: Demuxer.Stream, _ number: Int) {
        guard let codec = stream.codec else {
            let kind = stream.isVideo ? "video" : stream.isAudio ? "sound" : "neither video nor sound"
            let supported = MediaCodec.allCases.map(\.rawValue).joined(separator: ", ")
            let reason =
                stream.isVideo || stream.isAudio
                ? "\(kind) in \(stream.codecName), which is none of \(supported)"
                : "\(kind) (\(stream.codecName))"
            skipped.append(.init(number: number, reason: reason))
            return
        }
        do {
            let format = try Self.format(stream, codec)
            trackOfStream[number] = formats.count
            formats.append(format)
        } catch {
            skipped.append(.init(number: number, reason: error.description))
        }
    }

    private static func format(_ stream: Demuxer.Stream, _ codec: MediaCodec) throws(MediaError) -> TrackFormat {
        var format = TrackFormat(
            codec: codec, codecString: try CodecDescription.codecString(codec, stream.setup), setup: stream.setup)
        switch codec.kind {
        case .video:
            guard stream.width > 0, stream.height > 0 else {
                throw .badDescription("\(codec) with pictures of \(stream.width)x\(stream.height)")
            }
            if codec != .av1 { _ = try CodecDescription.parameterSets(codec, stream.setup) }
            format.width = stream.width
            format.height = stream.height
        case .audio:
            guard stream.sampleRate > 0, stream.channelCount > 0 else {
                throw .badDescription("\(codec) with \(stream.channelCount) channels of \(stream.sampleRate) Hz")
            }
            // Opus always decodes at its own rate.
            format.sampleRate = codec == .opus ? 48_000 : stream.sampleRate
            format.channelCount = stream.channelCount
        }
        return format
    }

    private func nothingUsable(_ end: String) -> String {
        guard !streams.isEmpty else { return "the file has no track" + end }
        let listed = skipped.isEmpty ? "its tracks have no frame" : skipped.map(\.description).joined(separator: "; ")
        return "the file has no track that can be published: " + listed + end
    }

    /// The packets of all tracks by their time of decoding, each track's in its own order.
    private static func merged(_ lanes: [[MediaPacket]]) -> [MediaPacket] {
        var result: [MediaPacket] = []
        result.reserveCapacity(lanes.map(\.count).reduce(0, +))
        var heads = lanes.map { _ in 0 }
        while true {
            var best: Int?
            for (lane, head) in heads.enumerated() where head < lanes[lane].count {
                if let other = best, lanes[other][heads[other]].decode <= lanes[lane][head].decode { continue }
                best = lane
            }
            guard let best else { return result }
            result.append(lanes[best][heads[best]])
            heads[best] += 1
        }
    }
}
