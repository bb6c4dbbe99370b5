import CFFmpeg
import CMediaShim

/// The functions of libavformat, libavcodec and libavutil.
struct Library {
    /// Never freed, and written only once, before it is given out.
    let av: UnsafePointer<moqspec_libav>

    /// Loads the libraries if nobody has yet.
    init() throws(MediaError) {
        guard let loaded = moqspec_libav_load() else {
            let problem = String(cString: moqspec_libav_problem())
            throw .library(
                "cannot load libavformat and libavcodec (\(problem)); on Debian: apt-get install libavformat-dev")
        }
        av = loaded
    }

    /// What a failed call says for itself: the library's own words for the code, and the first line that it logged
    /// since `forgetLog`.
    func reason(_ code: Int32) -> String {
        let general = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            _ = av.pointee.av_strerror(code, buffer.baseAddress, buffer.count)
            return buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        let logged = String(cString: moqspec_libav_log())
        return logged.isEmpty ? general : "\(general): \(logged)"
    }

    func forgetLog() {
        moqspec_libav_forget_log()
    }

    /// A copy of `bytes` that a context may own and free, padded as parsers want it. Nil when there is no memory.
    func ownedCopy(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8>? {
        guard let memory = av.pointee.av_mallocz(bytes.count + Int(moqspec_libav_input_padding)) else { return nil }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        return memory.assumingMemoryBound(to: UInt8.self)
    }

    /// A time in `base` as microseconds; nil when there is none, or when it is beyond what a sane clock shows.
    func microseconds(_ time: Int64, _ base: AVRational) -> Int64? {
        guard time != moqspec_libav_no_time, base.num > 0, base.den > 0 else { return nil }
        let scaled = av.pointee.av_rescale_q(time, base, Self.microsecond)
        return (-Self.greatestTime...Self.greatestTime).contains(scaled) ? scaled : nil
    }

    static let microsecond = AVRational(num: 1, den: 1_000_000)
    /// 2^53 microseconds, 285 years: beyond it a time comes from a damaged field, and sums could overflow.
    static let greatestTime: Int64 = 1 << 53
}
