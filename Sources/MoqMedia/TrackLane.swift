/// One track's packets on the file's clock, with what the container left out filled in.
struct TrackLane {
    private(set) var packets: [MediaPacket] = []
    private(set) var undecodablePacketCount = 0
    private var format: TrackFormat
    /// The packets whose time of decoding the container gave.
    private var hasDecode: [Bool] = []

    init(_ format: TrackFormat, _ found: [Demuxer.Packet], track: Int) {
        self.format = format
        for packet in found {
            let isKeyframe = format.codec.kind == .audio || packet.isKeyframe
            guard isKeyframe || !packets.isEmpty, let presentation = packet.presentation ?? packet.decode else {
                undecodablePacketCount += 1
                continue
            }
            packets.append(
                MediaPacket(
                    track: track, presentation: presentation, decode: packet.decode ?? presentation,
                    duration: packet.duration, isKeyframe: isKeyframe, payload: packet.payload))
            hasDecode.append(packet.decode != nil)
        }
    }

    /// Fills in times of decoding and durations, and what only the packets tell of the format.
    mutating func settle() {
        if !isOrdered { assignDecodeTimes() }
        for index in packets.indices where packets[index].duration == 0 {
            let next = index + 1 < packets.count ? packets[index + 1].decode - packets[index].decode : 0
            packets[index].duration = next > 0 ? next : index > 0 ? packets[index - 1].duration : 0
        }
        let shown = packets.map(\.presentation).sorted()
        if format.codec.kind == .video { format.frameRate = Self.frameRate(shown) }
        if let first = shown.first, let end = packets.map({ $0.presentation + $0.duration }).max(), end > first {
            let bits = packets.reduce(0) { $0 + $1.payload.count } * 8
            format.bitrate = Int((Double(bits) * 1_000_000 / Double(end - first)).rounded())
        }
    }

    /// The track as the file lists it; its end is on the file's clock still.
    func summary() -> MediaFile.Track {
        let shown = packets.map(\.presentation).sorted()
        let steps = zip(shown.dropFirst(), shown).map { $0 - $1 }
        return MediaFile.Track(
            format: format, packetCount: packets.count,
            end: packets.map { $0.presentation + $0.duration }.max() ?? 0, greatestStep: steps.max() ?? 0)
    }

    /// Whether the container's times of decoding are all there and are what files promise of them.
    private var isOrdered: Bool {
        hasDecode.allSatisfy { $0 } && packets.allSatisfy { $0.decode <= $0.presentation }
            && zip(packets.dropFirst(), packets).allSatisfy { $0.decode > $1.decode }
    }

    /// Where a container has none (Matroska) or wrong ones, they are made from the times of showing, group by group.
    private mutating func assignDecodeTimes() {
        var times = DecodeTimes()
        var start = 0
        while start < packets.count {
            let end = packets[(start + 1)...].firstIndex { $0.isKeyframe } ?? packets.count
            if let group = times.assign(packets[start..<end].map(\.presentation)) {
                for (index, time) in zip(start..<end, group) { packets[index].decode = time }
            }
            start = end
        }
        // What is shown before what was decoded already (a clock that jumps back) is decoded at once.
        for index in packets.indices.dropFirst() where packets[index].decode <= packets[index - 1].decode {
            packets[index].decode = packets[index - 1].decode + 1
        }
    }

    /// Pictures a second by the most usual step, as the round number (or its 1000/1001) that it stands for.
    private static func frameRate(_ shown: [Int64]) -> Double? {
        let steps = zip(shown.dropFirst(), shown).map { $0 - $1 }.filter { $0 > 0 }.sorted()
        guard !steps.isEmpty else { return nil }
        let rate = 1_000_000 / Double(steps[steps.count / 2])
        for candidate in [rate.rounded(), (rate * 1.001).rounded() / 1.001]
        where candidate > 0 && abs(rate - candidate) / candidate < 0.0004 {
            return (candidate * 1000).rounded() / 1000
        }
        return (rate * 1000).rounded() / 1000
    }
}
