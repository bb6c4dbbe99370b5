/// What the initialisation of a `cmaf` rendition (`ftyp`, `moov`) says about its one track.
public struct CMAFInitialisation: Equatable, Sendable {
    /// The track's number, which fragments name.
    public var trackID: Int
    /// Units a second of the fragments' times; never 0.
    public var timescale: Int
    /// The four letters of the sample entry: `avc1`, `mp4a`, `Opus`.
    public var sampleEntry: String
    /// What decodes it: the content of `avcC`, `hvcC`, `av1C` or `dOps`, or the AudioSpecificConfig in `esds`; nil when
    /// the entry has none of these.
    public var codecRecord: [UInt8]?
    /// How long a sample lasts that does not say so (`trex`); 0 for nothing.
    public var defaultDuration = 0
    /// How many bytes a sample has that does not say so (`trex`).
    public var defaultSize = 0
    /// The flags of a sample without any (`trex`).
    public var defaultFlags = 0

    /// Reads an initialisation. It must have exactly one track.
    public init(parsing bytes: [UInt8]) throws(ContainerError) {
        let reader = MP4Reader(bytes)
        let movie = try reader.required("moov", in: 0..<bytes.count, of: "the initialisation")
        let parts = try reader.boxes(in: movie.content)
        let tracks = parts.filter { $0.type == "trak" }
        guard tracks.count == 1 else {
            throw .malformed("the initialisation has \(tracks.count) tracks; it must have one")
        }
        let track = tracks[0]

        var header = reader.fields(try reader.required("tkhd", in: track.content, of: "`trak`"))
        try header.skip(try header.versionAndFlags().version == 1 ? 16 : 8)
        trackID = try header.number(4)

        let media = try reader.required("mdia", in: track.content, of: "`trak`")
        var mediaHeader = reader.fields(try reader.required("mdhd", in: media.content, of: "`mdia`"))
        try mediaHeader.skip(try mediaHeader.versionAndFlags().version == 1 ? 16 : 8)
        timescale = try mediaHeader.number(4)
        guard timescale > 0 else { throw .malformed("the timescale of `mdhd` is 0") }

        let information = try reader.required("minf", in: media.content, of: "`mdia`")
        let table = try reader.required("stbl", in: information.content, of: "`minf`")
        let descriptions = try reader.required("stsd", in: table.content, of: "`stbl`")
        (sampleEntry, codecRecord) = try Self.entry(reader, descriptions)

        for extends in parts where extends.type == "mvex" {
            for box in try reader.boxes(in: extends.content) where box.type == "trex" {
                var fields = reader.fields(box)
                try fields.skip(4)
                guard try fields.number(4) == trackID else { continue }
                try fields.skip(4)
                defaultDuration = try fields.number(4)
                defaultSize = try fields.number(4)
                defaultFlags = try fields.number(4)
            }
        }
    }

    private static func entry(_ reader: MP4Reader, _ box: MP4Box) throws(ContainerError) -> (String, [UInt8]?) {
        var fields = reader.fields(box)
        try fields.skip(4)
        guard try fields.number(4) == 1 else { throw .malformed("`stsd` must have one sample entry") }
        guard let entry = try reader.boxes(in: fields.position..<fields.end).first else {
            throw .truncated("`stsd`")
        }
        let name = entry.type.description
        // What a visual and an audio entry have in front of their boxes (ISO/IEC 14496-12, 12.1.3 and 12.2.3).
        let isAudio = ["mp4a", "Opus", "fLaC", "ac-3", "ec-3"].contains(name)
        let fixed = isAudio ? 28 : 78
        guard entry.content.count >= fixed else { throw .truncated("sample entry `\(name)`") }
        for box in try reader.boxes(in: entry.content.dropFirst(fixed)) {
            switch box.type {
            case "avcC", "hvcC", "av1C", "dOps", "vpcC": return (name, Array(reader.bytes[box.content]))
            case "esds": return (name, try audioSpecificConfig(reader, box))
            default: continue
            }
        }
        return (name, nil)
    }

    /// The DecoderSpecificInfo in the descriptors of `esds` (ISO/IEC 14496-1, 7.2.6).
    private static func audioSpecificConfig(_ reader: MP4Reader, _ box: MP4Box) throws(ContainerError) -> [UInt8]? {
        var fields = reader.fields(box)
        try fields.skip(4)
        // Ends: every turn takes at least the tag.
        while fields.remaining > 0 {
            let tag = try fields.number(1)
            var length = 0
            for _ in 0..<4 {
                let byte = try fields.number(1)
                length = length << 7 | byte & 0x7F
                if byte & 0x80 == 0 { break }
            }
            switch tag {
            case 0x03:
                try fields.skip(2)
                let flags = try fields.number(1)
                if flags & 0x80 != 0 { try fields.skip(2) }
                if flags & 0x40 != 0 { try fields.skip(try fields.number(1)) }
                if flags & 0x20 != 0 { try fields.skip(2) }
            case 0x04: try fields.skip(13)
            case 0x05:
                guard length <= fields.remaining else { throw .truncated("the decoder's descriptor in `esds`") }
                return Array(reader.bytes[fields.position..<fields.position + length])
            default: try fields.skip(length)
            }
        }
        return nil
    }
}
