import CFFmpeg
import CMediaShim

/// A look at a decoded frame, while the decoder has it.
struct FrameView {
    private let frame: UnsafeMutablePointer<AVFrame>
    private let library: Library

    init(_ frame: UnsafeMutablePointer<AVFrame>, _ library: Library) {
        self.frame = frame
        self.library = library
    }

    /// Whether the decoder had to make parts of it up.
    var isDamaged: Bool {
        frame.pointee.decode_error_flags != 0 || frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    func picture(presentation: Int64) -> DecodedPicture {
        let width = max(0, Int(frame.pointee.width))
        let height = max(0, Int(frame.pointee.height))
        return DecodedPicture(presentation: presentation, width: width, height: height, mark: mark(width, height))
    }

    private func mark(_ width: Int, _ height: Int) -> PictureMark? {
        let pixels = AVPixelFormat(rawValue: AVPixelFormat.RawValue(frame.pointee.format))
        guard let description = library.av.pointee.av_pix_fmt_desc_get(pixels) else { return nil }
        let unread = UInt64(
            AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_RGB
                | AV_PIX_FMT_FLAG_BE)
        let first = description.pointee.comp.0
        guard description.pointee.flags & unread == 0, first.plane == 0, (8...16).contains(first.depth),
            let plane = frame.pointee.data.0
        else { return nil }
        let pitch = Int(frame.pointee.linesize.0)
        let step = Int(first.step)
        let offset = Int(first.offset)
        let isWide = first.depth > 8
        guard abs(pitch) >= (width - 1) * step + offset + (isWide ? 2 : 1) else { return nil }
        return PictureMark.read(width: width, height: height) { column, row in
            precondition((0..<width).contains(column) && (0..<height).contains(row))
            let place = row * pitch + column * step + offset
            guard isWide else { return Int(plane[place]) }
            let sample = (Int(plane[place]) | Int(plane[place + 1]) << 8) >> Int(first.shift)
            return sample >> Int(first.depth - 8)
        }
    }

    func sound(presentation: Int64) -> DecodedSound? {
        let count = max(0, Int(frame.pointee.nb_samples))
        let channelCount = Int(frame.pointee.ch_layout.nb_channels)
        let sampleRate = Int(frame.pointee.sample_rate)
        guard channelCount > 0, sampleRate > 0, let planes = frame.pointee.extended_data else { return nil }
        let kind = AVSampleFormat(rawValue: AVSampleFormat.RawValue(frame.pointee.format))
        let packed = library.av.pointee.av_get_packed_sample_fmt(kind)
        let isPlanar = library.av.pointee.av_sample_fmt_is_planar(kind) != 0
        var interleaved = [Float](repeating: 0, count: count * channelCount)
        var samples = [Float](repeating: 0, count: count)
        for channel in 0..<channelCount {
            guard let plane = planes[isPlanar ? channel : 0] else { return nil }
            let stride = isPlanar ? 1 : channelCount
            let first = isPlanar ? 0 : channel
            switch packed {
            case AV_SAMPLE_FMT_FLT:
                plane.withMemoryRebound(to: Float.self, capacity: count * stride) { values in
                    for index in 0..<count {
                        let value = values[first + index * stride]
                        interleaved[index * channelCount + channel] = value
                        samples[index] += value
                    }
                }
            case AV_SAMPLE_FMT_S16:
                plane.withMemoryRebound(to: Int16.self, capacity: count * stride) { values in
                    for index in 0..<count {
                        let value = Float(values[first + index * stride]) / 32_768
                        interleaved[index * channelCount + channel] = value
                        samples[index] += value
                    }
                }
            default: return nil
            }
        }
        if channelCount > 1 {
            for index in samples.indices { samples[index] /= Float(channelCount) }
        }
        return DecodedSound(
            presentation: presentation, sampleRate: sampleRate, channelCount: channelCount, samples: samples,
            interleaved: interleaved)
    }
}
