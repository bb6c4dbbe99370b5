import CFFmpeg
import CMediaShim

/// Takes a file in memory apart: its streams, then its packets in the order of the file.
///
/// The container's own numbers are taken as they are: nothing is probed, parsed or guessed.
final class Demuxer {
    /// A stream of the file, of whatever kind.
    struct Stream {
        let codecName: String
        let isVideo: Bool
        let isAudio: Bool
        let codec: MediaCodec?
        let setup: [UInt8]
        let width: Int
        let height: Int
        let sampleRate: Int
        let channelCount: Int
    }

    /// A packet of the file. Times are microseconds of the file's own clock.
    struct Packet {
        let stream: Int
        let presentation: Int64?
        let decode: Int64?
        let duration: Int64
        let isKeyframe: Bool
        let payload: [UInt8]
    }

    private let library: Library
    private let input: MemoryInput
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?

    private static let formats = "mov,mp4,matroska,webm"
    private static let greatestStreamCount = 64

    init(_ bytes: [UInt8]) throws(MediaError) {
        let library = try Library()
        let input = try MemoryInput(bytes, library)
        self.library = library
        self.input = input
        library.forgetLog()
        var options: OpaquePointer?
        // No container may have another file or address opened.
        for (name, value) in [
            ("format_whitelist", Self.formats), ("protocol_whitelist", "none"),
            ("max_streams", "\(Self.greatestStreamCount)"),
        ] {
            _ = library.av.pointee.av_dict_set(&options, name, value, 0)
        }
        defer { library.av.pointee.av_dict_free(&options) }
        context = library.av.pointee.avformat_alloc_context()
        packet = library.av.pointee.av_packet_alloc()
        guard let context, packet != nil else { throw .library("no memory") }
        context.pointee.pb = input.context
        context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
        // When it fails the library frees the context and clears the variable.
        let result = library.av.pointee.avformat_open_input(&self.context, nil, nil, &options)
        guard result >= 0 else {
            throw .notMedia(
                "no MP4, MOV, Matroska or WebM file can be read from it (\(library.reason(result))); packets of another "
                    + "container can be moved to one, such as with `ffmpeg -i FILE -c copy OUT.mkv`")
        }
    }

    deinit {
        library.av.pointee.av_packet_free(&packet)
        library.av.pointee.avformat_close_input(&context)
    }

    /// The streams that are known so far.
    var streams: [Stream] {
        guard let context, let list = context.pointee.streams else { return [] }
        return (0..<Int(context.pointee.nb_streams)).compactMap { index in
            guard let parameters = list[index]?.pointee.codecpar else { return nil }
            return stream(parameters.pointee)
        }
    }

    /// The next packet; nil at the end.
    ///
    /// - Throws: what is damaged; what follows cannot be read.
    func next() throws(MediaError) -> Packet? {
        guard let context, let packet else { return nil }
        library.forgetLog()
        library.av.pointee.av_packet_unref(packet)
        let result = library.av.pointee.av_read_frame(context, packet)
        guard result != moqspec_libav_end_of_file else { return nil }
        guard result >= 0 else { throw .unreadable("the file cannot be read further (\(library.reason(result)))") }
        guard packet.pointee.flags & AV_PKT_FLAG_CORRUPT == 0 else {
            throw .unreadable("the file ends inside a frame")
        }
        return read(packet.pointee, context.pointee)
    }

    private func read(_ packet: AVPacket, _ context: AVFormatContext) -> Packet? {
        guard let stream = context.streams?[Int(packet.stream_index)] else { return nil }
        let base = stream.pointee.time_base
        let payload = UnsafeBufferPointer(start: packet.data, count: max(0, Int(packet.size)))
        return Packet(
            stream: Int(packet.stream_index), presentation: library.microseconds(packet.pts, base),
            decode: library.microseconds(packet.dts, base),
            duration: max(0, library.microseconds(packet.duration, base) ?? 0),
            isKeyframe: packet.flags & AV_PKT_FLAG_KEY != 0, payload: Array(payload))
    }

    private func stream(_ parameters: AVCodecParameters) -> Stream {
        let codec: MediaCodec? =
            switch parameters.codec_id {
            case AV_CODEC_ID_H264: .h264
            case AV_CODEC_ID_HEVC: .h265
            case AV_CODEC_ID_AV1: .av1
            case AV_CODEC_ID_AAC: .aac
            case AV_CODEC_ID_OPUS: .opus
            default: nil
            }
        let setup = UnsafeBufferPointer(
            start: parameters.extradata, count: max(0, Int(parameters.extradata_size)))
        let name = library.av.pointee.avcodec_get_name(parameters.codec_id).map { String(cString: $0) } ?? "nothing"
        return Stream(
            codecName: name, isVideo: parameters.codec_type == AVMEDIA_TYPE_VIDEO,
            isAudio: parameters.codec_type == AVMEDIA_TYPE_AUDIO, codec: codec, setup: Array(setup),
            width: Int(parameters.width), height: Int(parameters.height), sampleRate: Int(parameters.sample_rate),
            channelCount: Int(parameters.ch_layout.nb_channels))
    }
}
