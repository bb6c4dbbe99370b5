import MoqBase

/// A media file as tracks and packets, all in memory: a value that any number of readers share.
public struct MediaFile: Sendable {
    /// A track that can be published.
    public struct Track: Hashable, Sendable {
        /// What a decoder has to know of it.
        public var format: TrackFormat
        /// How many packets it has.
        public var packetCount: Int
        /// When its last packet ends, in microseconds since the file's epoch.
        public var end: Int64
        /// The longest time from one packet to the next in the order of showing, in microseconds: much more than a
        /// frame's where the clock jumps.
        public var greatestStep: Int64
    }

    /// A stream of the file that is left out.
    public struct SkippedStream: Hashable, Sendable, CustomStringConvertible {
        /// Its number in the file, from 0.
        public var number: Int
        /// Why, in words that name its codec.
        public var reason: String

        public var description: String { "stream \(number): \(reason)" }
    }

    /// The tracks, in the file's order. There is at least one.
    public internal(set) var tracks: [Track]
    /// The packets of all tracks in the order of decoding; those of one track begin with a keyframe.
    public internal(set) var packets: [MediaPacket]
    /// Streams that are no such tracks.
    public internal(set) var skippedStreams: [SkippedStream]
    /// Packets before the first keyframe of their track, which no decoder can begin with and which are left out.
    public internal(set) var undecodablePacketCount: Int
    /// What the file's own clock shows at the epoch, in microseconds: the earliest time at which anything of the
    /// tracks is shown or heard. Sound often begins a frame before 0.
    public internal(set) var fileTimeOfEpoch: Int64
    /// Why the file could not be read to its end; nil when it was. What is before that is here.
    public internal(set) var damage: String?

    /// The longest file that is read, in bytes: all of it is kept in memory, at first twice.
    public static let greatestSize = 512 << 20

    /// When the last packet of all ends, in microseconds since the epoch: after this long a loop begins anew.
    public var duration: Int64 { tracks.map(\.end).max() ?? 0 }

    /// Takes apart what a file holds: an MP4, MOV, Matroska or WebM file.
    ///
    /// - Throws: `notMedia`, `noUsableTrack`, and `library` when libavformat is not there. A file that is damaged
    ///   further on is no error: see `damage`.
    public init(bytes: [UInt8]) throws(MediaError) {
        var assembly = try FileAssembly(bytes)
        try assembly.readPackets()
        self = try assembly.file()
    }

    init(
        tracks: [Track], packets: [MediaPacket], skippedStreams: [SkippedStream], undecodablePacketCount: Int,
        fileTimeOfEpoch: Int64, damage: String?
    ) {
        self.tracks = tracks
        self.packets = packets
        self.skippedStreams = skippedStreams
        self.undecodablePacketCount = undecodablePacketCount
        self.fileTimeOfEpoch = fileTimeOfEpoch
        self.damage = damage
    }

    /// The same file with H.264 and H.265 in the byte stream form of Annex B: parameter sets in front of every
    /// keyframe, codec strings `avc3` and `hev1`, no description. Other tracks stay as they are.
    ///
    /// - Throws: `badDescription` when a frame's units contradict its length.
    public func asByteStream() throws(MediaError) -> MediaFile {
        var result = self
        for (number, track) in tracks.enumerated() {
            let format = track.format
            guard format.codec == .h264 || format.codec == .h265, !format.isByteStream else { continue }
            let sets = try CodecDescription.parameterSets(format.codec, format.setup)
            let lengthSize = try CodecDescription.lengthSize(format.codec, format.setup)
            for index in packets.indices where packets[index].track == number {
                result.packets[index].payload = try ByteStream.from(
                    lengthPrefixed: packets[index].payload, lengthSize: lengthSize,
                    parameterSets: packets[index].isKeyframe ? sets : [])
            }
            let family = format.codec == .h264 ? "avc3" : "hev1"
            result.tracks[number].format.codecString = family + format.codecString.dropFirst(4)
            result.tracks[number].format.setup = []
        }
        return result
    }
}
