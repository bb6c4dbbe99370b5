import Glibc
import MoqMedia

/// What decoding costs: every frame of a file through our decoder, beside ffmpeg's own command in the same run.
struct MediaBench {
    private let files: [String]
    private let rounds: Int
    private let repeats: Int

    init(_ flags: Flags) throws(BenchError) {
        let directory = try flags.text("files", default: "fixtures/media")
        files = [
            "bars-h264-aac.mp4", "bars-h264-opus.mp4", "bars-hevc-aac.mp4", "bars-av1-opus.mp4", "bars-480p-h264.mp4",
            "tone-aac.mp4", "tone-opus.mp4",
        ].map { "\(directory)/\($0)" }
        rounds = max(try flags.number("rounds", default: 5), 1)
        repeats = max(try flags.number("repeats", default: 50), 1)
    }

    func run() throws(BenchError) {
        for path in files {
            let file = try BenchError.wrapping("reading") { try MediaFile.load(path: path) }
            var ours: [Double] = []
            var theirs: [Double] = []
            for _ in 0..<rounds {
                ours.append(try decode(file))
                theirs.append(try ffmpeg(path, loops: repeats - 1) - ffmpeg(path, loops: 0))
            }
            // The best of the rounds: what else the machine did only adds.
            let frames = Double(file.packets.count)
            let mine = (ours.min() ?? 0) / Double(repeats) / frames
            let reference = (theirs.min() ?? 0) / Double(max(repeats - 1, 1)) / frames
            Report.say(
                "media",
                [
                    ("file", .text(path)), ("frames", .number(file.packets.count)), ("repeats", .number(repeats)),
                    ("microsecondsPerFrame", .decimal(mine * 1e6)),
                    ("ffmpegMicrosecondsPerFrame", .decimal(reference * 1e6)),
                    ("ratio", .decimal(reference > 0 ? mine / reference : 0)),
                ])
        }
    }

    /// Seconds of processor for all frames, as often as asked, marks read from every picture and sound.
    private func decode(_ file: MediaFile) throws(BenchError) -> Double {
        let decoders = try BenchError.wrapping("decoding") { try file.tracks.map { try MediaDecoder($0.format) } }
        var reader = MediaReader(file, isLooping: true)
        var unrecognised = 0
        let start = Self.processorSeconds(ofChildren: false)
        for _ in 0..<(file.packets.count * repeats) {
            guard let packet = reader.next() else { break }
            let result = decoders[packet.track].decode(packet.payload, presentation: packet.presentation)
            for sound in result.sounds where sound.mark == nil { unrecognised += 1 }
            for picture in result.pictures where picture.mark == nil { unrecognised += 1 }
            if let fault = result.fault { throw BenchError(fault.description) }
        }
        let spent = Self.processorSeconds(ofChildren: false) - start
        // Between two steps there are sounds that are neither.
        guard unrecognised < file.packets.count * repeats / 4 else { throw BenchError("nothing is recognised") }
        return spent
    }

    /// Seconds of processor of ffmpeg decoding a file to nothing on one thread.
    private func ffmpeg(_ path: String, loops: Int) throws(BenchError) -> Double {
        let command =
            "exec ffmpeg -nostdin -v error -threads 1 -stream_loop \(loops) -i '\(path)' -fps_mode passthrough -f null -"
        let start = Self.processorSeconds(ofChildren: true)
        guard system(command) == 0 else { throw BenchError("ffmpeg is needed for comparison: apt-get install ffmpeg") }
        return Self.processorSeconds(ofChildren: true) - start
    }

    /// Seconds of processor of this process, or of those that it started and that have ended; in steps of 10 ms.
    private static func processorSeconds(ofChildren: Bool) -> Double {
        var ticks = tms()
        times(&ticks)
        let sum = ofChildren ? ticks.tms_cutime + ticks.tms_cstime : ticks.tms_utime + ticks.tms_stime
        return Double(sum) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
