import CFFmpeg
import CMediaShim

/// Decodes one track, strictly: damage is reported and not concealed. One thread, no output device.
public final class MediaDecoder {
    /// The track.
    public let format: TrackFormat
    private let library: Library
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?

    /// The most pixels of a picture (8K): a damaged size would take gigabytes.
    private static let greatestPictureSize: Int64 = 7680 * 4320
    /// The longest frame that is taken, in bytes.
    static let greatestFrameSize = 64 << 20
    /// The decoders in software that Debian has; others of the same codec want a graphics card.
    private static func names(_ codec: MediaCodec) -> [String] {
        switch codec {
        case .h264: ["h264"]
        case .h265: ["hevc"]
        case .av1: ["libdav1d", "libaom-av1"]
        case .aac: ["aac"]
        case .opus: ["opus", "libopus"]
        }
    }

    /// Makes a decoder for frames of a format, as a catalog describes it.
    ///
    /// - Throws: `unsupportedCodec` when there is no such decoder, `badDescription` when it refuses the description.
    public init(_ format: TrackFormat) throws(MediaError) {
        let library = try Library()
        self.library = library
        self.format = format
        let names = Self.names(format.codec)
        guard let codec = names.lazy.compactMap({ library.av.pointee.avcodec_find_decoder_by_name($0) }).first else {
            throw .unsupportedCodec(
                "libavcodec has no decoder for \(format.codec) (\(names.joined(separator: ", "))) here")
        }
        context = library.av.pointee.avcodec_alloc_context3(codec)
        packet = library.av.pointee.av_packet_alloc()
        frame = library.av.pointee.av_frame_alloc()
        guard let context, packet != nil, frame != nil else { throw .library("no memory") }
        try configure(context)
        library.forgetLog()
        let result = library.av.pointee.avcodec_open2(context, codec, nil)
        guard result >= 0 else {
            throw .badDescription(
                "no decoder for \(format.codecString) with this description: \(library.reason(result))")
        }
    }

    deinit {
        library.av.pointee.av_frame_free(&frame)
        library.av.pointee.av_packet_free(&packet)
        library.av.pointee.avcodec_free_context(&context)
    }

    private func configure(_ context: UnsafeMutablePointer<AVCodecContext>) throws(MediaError) {
        context.pointee.thread_count = 1
        context.pointee.pkt_timebase = Library.microsecond
        context.pointee.err_recognition =
            AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE
        // A picture that had to be mended is marked so, and is damage here. With mending off, libavcodec marks every H.264
        // picture of several slices as damaged (seen with FFmpeg 9.0).
        context.pointee.error_concealment = FF_EC_GUESS_MVS
        context.pointee.max_pixels = Self.greatestPictureSize
        // All samples of a packet, those that a player skips too: times stay those of the packets.
        context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        let setup = effectiveSetup()
        if !setup.isEmpty {
            context.pointee.extradata = library.ownedCopy(setup)
            guard context.pointee.extradata != nil else { throw .library("no memory") }
            context.pointee.extradata_size = Int32(setup.count)
        }
        if format.codec.kind == .audio {
            context.pointee.sample_rate = Int32(clamping: format.sampleRate ?? 48_000)
            let channelCount = max(1, min(8, format.channelCount ?? 1))
            library.av.pointee.av_channel_layout_default(&context.pointee.ch_layout, Int32(channelCount))
        }
    }

    private func effectiveSetup() -> [UInt8] {
        guard format.setup.isEmpty, format.codec == .aac else { return format.setup }
        return CodecDescription.audioSpecificConfig(
            sampleRate: format.sampleRate ?? 0, channelCount: format.channelCount ?? 0) ?? []
    }

    /// How many pictures may be decoded before one that is shown earlier, as far as the description says.
    var reorderDepth: Int { max(0, Int(context?.pointee.has_b_frames ?? 0)) }

    /// Decodes the next frame of the track.
    ///
    /// - Parameters:
    ///   - payload: the coded bytes, in the form that the format says.
    ///   - presentation: when it is shown or heard, in microseconds.
    public func decode(_ payload: [UInt8], presentation: Int64) -> DecodeResult {
        var result = DecodeResult()
        guard let packet, let context else { return result }
        guard !payload.isEmpty, payload.count <= Self.greatestFrameSize else {
            result.fault = .undecodable("a frame of \(payload.count) bytes, at \(Self.time(presentation)), is no frame")
            return result
        }
        library.forgetLog()
        guard library.av.pointee.av_new_packet(packet, Int32(payload.count)) == 0 else {
            result.fault = .library("no memory for a frame of \(payload.count) bytes")
            return result
        }
        payload.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            packet.pointee.data?.update(from: start, count: source.count)
        }
        packet.pointee.pts = presentation
        let sent = library.av.pointee.avcodec_send_packet(context, packet)
        library.av.pointee.av_packet_unref(packet)
        if sent < 0 { result.fault = undecodable(sent, presentation) }
        receive(into: &result, presentation)
        return result
    }

    /// Ends the track: gives the pictures that were held back for their order. The decoder can then begin anew.
    public func finish() -> DecodeResult {
        var result = DecodeResult()
        guard let context else { return result }
        library.forgetLog()
        _ = library.av.pointee.avcodec_send_packet(context, nil)
        receive(into: &result, nil)
        library.av.pointee.avcodec_flush_buffers(context)
        return result
    }

    /// Forgets all that came so far: the next frame is to be a keyframe.
    public func reset() {
        guard let context else { return }
        library.av.pointee.avcodec_flush_buffers(context)
    }

    private func receive(into result: inout DecodeResult, _ presentation: Int64?) {
        guard let context, let frame else { return }
        // A packet gives one frame and sets at most a few free that were held back.
        for _ in 0..<64 {
            let received = library.av.pointee.avcodec_receive_frame(context, frame)
            if received == moqspec_libav_try_again || received == moqspec_libav_end_of_file { return }
            guard received >= 0 else {
                if result.fault == nil { result.fault = undecodable(received, presentation) }
                continue
            }
            let view = FrameView(frame, library)
            let shown = frame.pointee.pts == moqspec_libav_no_time ? presentation ?? 0 : frame.pointee.pts
            if view.isDamaged, result.fault == nil {
                result.fault = .undecodable("the \(format.codec) frame at \(Self.time(shown)) is damaged")
            }
            switch format.codec.kind {
            case .video: result.pictures.append(view.picture(presentation: shown))
            case .audio:
                guard let sound = view.sound(presentation: shown) else {
                    result.fault = .unsupportedCodec("\(format.codec) decodes to samples of a kind that is not read")
                    continue
                }
                result.sounds.append(sound)
            }
            library.av.pointee.av_frame_unref(frame)
        }
    }

    private func undecodable(_ code: Int32, _ presentation: Int64?) -> MediaError {
        let place = presentation.map { " at \(Self.time($0))" } ?? ""
        return .undecodable("the \(format.codec) frame\(place) does not decode: \(library.reason(code))")
    }

    private static func time(_ microseconds: Int64) -> String {
        "\(Double(microseconds / 1000) / 1000) s"
    }
}
