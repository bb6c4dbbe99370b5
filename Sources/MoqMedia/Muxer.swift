import CFFmpeg
import CMediaShim

/// Writes packets into a fragmented MP4 file, whose bytes it keeps until they are taken.
final class Muxer {
    private let library: Library
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var output: UnsafeMutablePointer<AVIOContext>?
    private var bytes: [UInt8] = []
    private var isOpen = false

    private static let bufferSize: Int32 = 32 * 1024
    /// A fragment begins at each keyframe, and after this long where there is none: what a reader has to hold.
    private static let greatestFragment = "10000000"

    init(_ formats: [TrackFormat]) throws(MediaError) {
        library = try Library()
        library.forgetLog()
        packet = library.av.pointee.av_packet_alloc()
        let result = library.av.pointee.avformat_alloc_output_context2(&context, nil, "mp4", nil)
        guard result >= 0, let context, packet != nil else {
            throw .library("libavformat cannot write MP4 here: \(library.reason(result))")
        }
        // Unretained: the muxer outlives the context, which it frees.
        output = moqspec_libav_new_output(
            Self.bufferSize,
            { opaque, bytes, count in
                guard let opaque, let bytes, count >= 0 else { return -1 }
                Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue().bytes
                    .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
                return count
            }, Unmanaged.passUnretained(self).toOpaque())
        guard output != nil else { throw .library("no memory") }
        context.pointee.pb = output
        context.pointee.flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO
        for format in formats { try add(format, context) }
        var options: OpaquePointer?
        defer { library.av.pointee.av_dict_free(&options) }
        for (name, value) in [
            ("movflags", "+frag_keyframe+delay_moov+default_base_moof"), ("frag_duration", Self.greatestFragment),
        ] {
            _ = library.av.pointee.av_dict_set(&options, name, value, 0)
        }
        let started = library.av.pointee.avformat_write_header(context, &options)
        guard started >= 0 else {
            throw .unwritable("these tracks do not go into an MP4 file: \(library.reason(started))")
        }
        isOpen = true
    }

    deinit {
        library.av.pointee.av_packet_free(&packet)
        library.av.pointee.avformat_free_context(context)
        moqspec_libav_free_io(output)
    }

    private func add(_ format: TrackFormat, _ context: UnsafeMutablePointer<AVFormatContext>) throws(MediaError) {
        guard let stream = library.av.pointee.avformat_new_stream(context, nil),
            let parameters = stream.pointee.codecpar
        else { throw .library("no memory") }
        switch format.codec {
        case .h264: parameters.pointee.codec_id = AV_CODEC_ID_H264
        case .h265:
            parameters.pointee.codec_id = AV_CODEC_ID_HEVC
            // "hvc1": all parameter sets are in the description, and players of Apple want to be told so.
            if format.codecString.hasPrefix("hvc1") { parameters.pointee.codec_tag = 0x3163_7668 }
        case .av1: parameters.pointee.codec_id = AV_CODEC_ID_AV1
        case .aac: parameters.pointee.codec_id = AV_CODEC_ID_AAC
        case .opus: parameters.pointee.codec_id = AV_CODEC_ID_OPUS
        }
        parameters.pointee.extradata = library.ownedCopy(format.setup)
        guard parameters.pointee.extradata != nil else { throw .library("no memory") }
        parameters.pointee.extradata_size = Int32(format.setup.count)
        switch format.codec.kind {
        case .video:
            parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            parameters.pointee.width = Int32(clamping: format.width ?? 0)
            parameters.pointee.height = Int32(clamping: format.height ?? 0)
            stream.pointee.time_base = Library.microsecond
        case .audio:
            let rate = Int32(clamping: format.sampleRate ?? 0)
            parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
            parameters.pointee.sample_rate = rate
            library.av.pointee.av_channel_layout_default(
                &parameters.pointee.ch_layout, Int32(max(1, min(8, format.channelCount ?? 1))))
            stream.pointee.time_base = AVRational(num: 1, den: max(1, rate))
        }
    }

    /// Writes a packet; those of one track come in the order of decoding.
    func write(_ media: MediaPacket) throws(MediaError) {
        guard isOpen, let context, let packet, let stream = context.pointee.streams?[media.track] else { return }
        library.forgetLog()
        guard library.av.pointee.av_new_packet(packet, Int32(clamping: media.payload.count)) == 0 else {
            throw .library("no memory for a frame of \(media.payload.count) bytes")
        }
        media.payload.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            packet.pointee.data?.update(from: start, count: source.count)
        }
        let base = stream.pointee.time_base
        let scale = { [library] (time: Int64) in library.av.pointee.av_rescale_q(time, Library.microsecond, base) }
        packet.pointee.stream_index = Int32(media.track)
        packet.pointee.pts = scale(media.presentation)
        packet.pointee.dts = min(scale(media.decode), packet.pointee.pts)
        packet.pointee.duration = scale(media.duration)
        if media.isKeyframe { packet.pointee.flags |= AV_PKT_FLAG_KEY }
        // The packet is the library's from here on, even when it refuses it.
        let result = library.av.pointee.av_interleaved_write_frame(context, packet)
        guard result >= 0 else {
            throw .unwritable("the frame at \(media.presentation) µs cannot be written: \(library.reason(result))")
        }
    }

    /// Ends the file.
    func finish() throws(MediaError) {
        guard isOpen, let context else { return }
        isOpen = false
        library.forgetLog()
        let result = library.av.pointee.av_write_trailer(context)
        library.av.pointee.avio_flush(output)
        guard result >= 0 else { throw .unwritable("the file cannot be ended: \(library.reason(result))") }
    }

    /// The bytes since the last call.
    func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
