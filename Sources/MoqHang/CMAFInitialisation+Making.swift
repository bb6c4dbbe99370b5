import MoqBase

extension CMAFInitialisation {
    /// Units a second with which times in microseconds stay what they are.
    public static let usualTimescale = 1_000_000

    /// Makes the initialisation of a video rendition, which must have a coded size and, but for VP8, a description.
    public static func make(
        _ rendition: VideoRendition, timescale: Int = usualTimescale
    ) throws(ContainerError) -> [UInt8] {
        guard let size = rendition.codedSize, (1...65_535).contains(size.width), (1...65_535).contains(size.height)
        else {
            throw .unsupported(
                "`\(rendition.name)` has no coded size from 1 to 65535, which an initialisation must have")
        }
        let name = rendition.codec.text.prefix(4)
        let boxes: [String: BoxType] = [
            "avc1": "avcC", "avc3": "avcC", "hvc1": "hvcC", "hev1": "hvcC", "av01": "av1C", "vp09": "vpcC",
        ]
        guard rendition.codec.family != .unknown, let record = boxes[String(name)] else {
            throw .unsupported("there is no sample entry for the codec \(rendition.codec)")
        }
        guard let description = rendition.description else {
            throw .unsupported("`\(rendition.name)` has no description, which box `\(record)` is made of")
        }
        return make(timescale: timescale, video: size) { writer in
            writer.box(BoxType(letters: name)) { writer in
                writer.zeros(6)
                writer.number(1, 2)
                writer.zeros(16)
                writer.number(size.width, 2)
                writer.number(size.height, 2)
                // 72 dots an inch, one frame a sample.
                writer.number(0x48_0000, 4)
                writer.number(0x48_0000, 4)
                writer.zeros(4)
                writer.number(1, 2)
                writer.zeros(32)
                // 24 bits of colour, and no colour table.
                writer.number(24, 2)
                writer.number(0xFFFF, 2)
                writer.box(record) { $0.append(description) }
            }
        }
    }

    /// Makes the initialisation of an audio rendition: AAC with its AudioSpecificConfig as the description, or Opus.
    public static func make(
        _ rendition: AudioRendition, timescale: Int = usualTimescale
    ) throws(ContainerError) -> [UInt8] {
        let channels = rendition.numberOfChannels
        guard (1...255).contains(channels), rendition.sampleRate > 0, rendition.sampleRate <= UInt32.max else {
            throw .unsupported("\(channels) channels at \(rendition.sampleRate) Hz are no audio of a sample entry")
        }
        let (type, record): (BoxType, [UInt8])
        switch rendition.codec.family {
        case .opus: (type, record) = ("Opus", try opusBox(rendition))
        case .aac:
            guard let config = rendition.description, config.count < 100 else {
                throw .unsupported("`\(rendition.name)` has no description, the AudioSpecificConfig of AAC")
            }
            (type, record) = ("mp4a", elementaryStreamBox(config, bitrate: rendition.bitrate ?? 0))
        default: throw .unsupported("there is no sample entry for the codec \(rendition.codec)")
        }
        return make(timescale: timescale, video: nil) { writer in
            writer.box(type) { writer in
                writer.zeros(6)
                writer.number(1, 2)
                writer.zeros(8)
                writer.number(channels, 2)
                writer.number(16, 2)
                writer.zeros(4)
                // 16.16; what does not fit is said by the codec's own record.
                writer.number(rendition.sampleRate < 65_536 ? rendition.sampleRate << 16 : 0, 4)
                writer.append(record)
            }
        }
    }

    // MARK: Records

    /// `dOps` (Opus in ISOBMFF, 4.3.2) of an OpusHead (RFC 7845, 5.1), whose numbers are little-endian.
    private static func opusBox(_ rendition: AudioRendition) throws(ContainerError) -> [UInt8] {
        var writer = MP4Writer()
        guard let head = rendition.description, !head.isEmpty else {
            writer.box("dOps") { writer in
                // Version 0, the channels, nothing to skip at the start, no gain, channels in their usual order.
                writer.number(rendition.numberOfChannels, 2)
                writer.zeros(2)
                writer.number(rendition.sampleRate, 4)
                writer.zeros(3)
            }
            return writer.bytes
        }
        guard head.count >= 19, head.starts(with: Array("OpusHead".utf8)) else {
            throw .malformed("the description of `\(rendition.name)` is no OpusHead")
        }
        writer.box("dOps") { writer in
            writer.number(0, 1)
            writer.append([head[9], head[11], head[10]])
            writer.append(head[12..<16].reversed())
            writer.append(head[16..<18].reversed())
            writer.append(head[18...])
        }
        return writer.bytes
    }

    /// `esds` with the descriptors of AAC (ISO/IEC 14496-1, 7.2.6).
    private static func elementaryStreamBox(_ config: [UInt8], bitrate: Int64) -> [UInt8] {
        let rate = Int(min(max(bitrate, 0), Int64(UInt32.max)))
        var writer = MP4Writer()
        writer.fullBox("esds") { writer in
            writer.append([0x03, UInt8(config.count + 23), 0, 0, 0])
            writer.append([0x04, UInt8(config.count + 15), 0x40, 0x15, 0, 0, 0])
            writer.number(rate, 4)
            writer.number(rate, 4)
            writer.append([0x05, UInt8(config.count)])
            writer.append(config)
            writer.append([0x06, 1, 2])
        }
        return writer.bytes
    }

    // MARK: The file's head

    /// `ftyp` and `moov` around one sample entry; fields that say nothing of a live stream are 0 (ISO/IEC 14496-12, 8).
    private static func make(
        timescale: Int, video size: VideoSection.Size?, entry: (inout MP4Writer) -> Void
    ) -> [UInt8] {
        let matrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]
        var writer = MP4Writer()
        writer.box("ftyp") { writer in
            writer.append(Array("iso6".utf8))
            writer.number(0, 4)
            writer.append(Array("iso6mp41".utf8))
        }
        writer.box("moov") { writer in
            writer.fullBox("mvhd") { writer in
                writer.zeros(8)
                writer.number(1000, 4)
                writer.zeros(4)
                writer.number(0x1_0000, 4)
                writer.number(0x100, 2)
                writer.zeros(10)
                for number in matrix { writer.number(number, 4) }
                writer.zeros(24)
                writer.number(2, 4)
            }
            writer.box("trak") { writer in
                // Enabled, in the movie, in its preview.
                writer.fullBox("tkhd", flags: 7) { writer in
                    writer.zeros(8)
                    writer.number(1, 4)
                    writer.zeros(8 + 8 + 4)
                    writer.number(size == nil ? 0x100 : 0, 2)
                    writer.zeros(2)
                    for number in matrix { writer.number(number, 4) }
                    writer.number((size?.width ?? 0) << 16, 4)
                    writer.number((size?.height ?? 0) << 16, 4)
                }
                writer.box("mdia") { media(&$0, timescale, isVideo: size != nil, entry) }
            }
            writer.box("mvex") { writer in
                writer.fullBox("trex") { writer in
                    writer.number(1, 4)
                    writer.number(1, 4)
                    writer.zeros(12)
                }
            }
        }
        return writer.bytes
    }

    private static func media(
        _ writer: inout MP4Writer, _ timescale: Int, isVideo: Bool, _ entry: (inout MP4Writer) -> Void
    ) {
        writer.fullBox("mdhd") { writer in
            writer.zeros(8)
            writer.number(timescale, 4)
            writer.zeros(4)
            // No language (`und`).
            writer.number(0x55C4, 2)
            writer.zeros(2)
        }
        writer.fullBox("hdlr") { writer in
            writer.zeros(4)
            writer.append(Array((isVideo ? "vide" : "soun").utf8))
            writer.zeros(12 + 1)
        }
        writer.box("minf") { writer in
            if isVideo {
                writer.fullBox("vmhd", flags: 1) { $0.zeros(8) }
            } else {
                writer.fullBox("smhd") { $0.zeros(4) }
            }
            writer.box("dinf") { writer in
                writer.fullBox("dref") { writer in
                    writer.number(1, 4)
                    // The data is in this file.
                    writer.fullBox("url ", flags: 1) { _ in }
                }
            }
            writer.box("stbl") { writer in
                writer.fullBox("stsd") { writer in
                    writer.number(1, 4)
                    entry(&writer)
                }
                writer.fullBox("stts") { $0.zeros(4) }
                writer.fullBox("stsc") { $0.zeros(4) }
                writer.fullBox("stsz") { $0.zeros(8) }
                writer.fullBox("stco") { $0.zeros(4) }
            }
        }
    }
}
