/// The `cmaf` container: every frame on the wire is a fragment (`moof`, `mdat`) of the initialisation's one track.
public enum CMAFFragment {
    /// Reads the samples of a fragment. Each but the last must say how long it lasts, since its follower's time comes
    /// of that. A keyframe is a sample whose flags say that it depends on no other.
    public static func decode(
        _ bytes: [UInt8], _ initialisation: CMAFInitialisation
    ) throws(ContainerError) -> [MediaFrame] {
        let reader = MP4Reader(bytes)
        let top = try reader.boxes(in: 0..<bytes.count)
        guard let movie = top.first(where: { $0.type == "moof" }) else { throw .malformed("there is no `moof`") }
        guard let data = top.first(where: { $0.type == "mdat" }) else { throw .malformed("there is no `mdat`") }
        let tracks = try reader.boxes(in: movie.content).filter { $0.type == "traf" }
        guard !tracks.isEmpty else { throw .malformed("`moof` has no `traf`") }
        var fragments: [TrackFragment] = []
        for track in tracks { fragments.append(try TrackFragment(reader, track, initialisation)) }
        // A fragment of one track is taken whatever number it has, as the original stack does.
        guard let fragment = fragments.first(where: { $0.trackID == initialisation.trackID }) ?? fragments.first else {
            return []
        }
        return try fragment.frames(reader, start: movie.start, data: data.content)
    }

    /// Writes a fragment of one sample; `sequence` counts fragments from 1.
    public static func encode(
        _ frame: MediaFrame, _ initialisation: CMAFInitialisation, sequence: Int
    ) throws(ContainerError) -> [UInt8] {
        try frame.checkTimestamp()
        let scale = initialisation.timescale
        let decoded = try MediaTime.units(frame.decodeTimestamp ?? frame.timestamp, timescale: scale)
        let presented = try MediaTime.units(frame.timestamp, timescale: scale)
        guard let offset = Int32(exactly: presented - decoded) else {
            throw .timeOutOfRange("presentation is \(presented - decoded) units away from decoding")
        }
        let duration = try frame.duration.map { value throws(ContainerError) in
            try MediaTime.units(value, timescale: scale)
        }
        guard (duration ?? 0) <= UInt32.max else { throw .timeOutOfRange("a duration of \(duration ?? 0) units") }
        // Depends on no other; or depends on others and is no sync sample (ISO/IEC 14496-12, 8.8.3.1).
        let flags = frame.isKeyframe ? 0x0200_0000 : 0x0101_0000
        var writer = MP4Writer()
        var offsetPlace = 0
        writer.box("moof") { writer in
            writer.fullBox("mfhd") { $0.number(sequence, 4) }
            writer.box("traf") { writer in
                writer.fullBox("tfhd", flags: TrackFragment.baseIsMovie) { $0.number(initialisation.trackID, 4) }
                writer.fullBox("tfdt", version: 1) { $0.number(decoded, 8) }
                var fields = TrackFragment.hasDataOffset | TrackFragment.hasSize | TrackFragment.hasFlags
                if duration != nil { fields |= TrackFragment.hasDuration }
                if offset != 0 { fields |= TrackFragment.hasOffset }
                writer.fullBox("trun", version: 1, flags: fields) { writer in
                    writer.number(1, 4)
                    offsetPlace = writer.bytes.count
                    writer.number(0, 4)
                    if let duration { writer.number(duration, 4) }
                    writer.number(frame.payload.count, 4)
                    writer.number(flags, 4)
                    if offset != 0 { writer.number(Int(offset), 4) }
                }
            }
        }
        writer.set(writer.bytes.count + 8, at: offsetPlace)
        writer.box("mdat") { $0.append(frame.payload) }
        return writer.bytes
    }
}

/// What a `traf` says, before its samples are cut out of the data.
struct TrackFragment {
    // Flags of `tfhd` and `trun` (ISO/IEC 14496-12, 8.8.7 and 8.8.8).
    static let baseIsMovie = 0x02_0000
    static let hasDataOffset = 0x01
    static let hasFirstFlags = 0x04
    static let hasDuration = 0x100
    static let hasSize = 0x200
    static let hasFlags = 0x400
    static let hasOffset = 0x800

    private struct Sample {
        var duration: Int
        var size: Int
        var flags: Int
        var offset: Int
    }

    private struct Run {
        var dataOffset: Int?
        var samples: [Sample]
    }

    let trackID: Int
    private let timescale: Int
    private var base = 0
    private var runs: [Run] = []
    private var hasExplicitBase = false

    init(_ reader: MP4Reader, _ box: MP4Box, _ initialisation: CMAFInitialisation) throws(ContainerError) {
        timescale = initialisation.timescale
        var header = reader.fields(try reader.required("tfhd", in: box.content, of: "`traf`"))
        let flags = try header.versionAndFlags().flags
        trackID = try header.number(4)
        hasExplicitBase = flags & 0x01 != 0
        if hasExplicitBase { try header.skip(8) }
        if flags & 0x02 != 0 { try header.skip(4) }
        let duration = flags & 0x08 != 0 ? try header.number(4) : initialisation.defaultDuration
        let size = flags & 0x10 != 0 ? try header.number(4) : initialisation.defaultSize
        let sampleFlags = flags & 0x20 != 0 ? try header.number(4) : initialisation.defaultFlags

        var time = reader.fields(try reader.required("tfdt", in: box.content, of: "`traf`"))
        base = try time.number(try time.versionAndFlags().version == 1 ? 8 : 4)

        let defaults = Sample(duration: duration, size: size, flags: sampleFlags, offset: 0)
        var count = 0
        for run in try reader.boxes(in: box.content) where run.type == "trun" {
            runs.append(try Self.run(reader, run, defaults, &count))
        }
    }

    private static func run(
        _ reader: MP4Reader, _ box: MP4Box, _ defaults: Sample, _ count: inout Int
    ) throws(ContainerError) -> Run {
        var fields = reader.fields(box)
        let (version, flags) = try fields.versionAndFlags()
        let number = try fields.number(4)
        count += number
        guard count <= HangLimits.samplesPerFragment else {
            throw .malformed("the fragment says that it has \(count) samples")
        }
        var run = Run(dataOffset: nil, samples: [])
        if flags & hasDataOffset != 0 { run.dataOffset = signed(try fields.number(4)) }
        let first = flags & hasFirstFlags != 0 ? try fields.number(4) : nil
        for index in 0..<number {
            var sample = defaults
            if index == 0, let first { sample.flags = first }
            if flags & hasDuration != 0 { sample.duration = try fields.number(4) }
            if flags & hasSize != 0 { sample.size = try fields.number(4) }
            if flags & hasFlags != 0 { sample.flags = try fields.number(4) }
            if flags & hasOffset != 0 {
                let offset = try fields.number(4)
                sample.offset = version == 0 ? offset : signed(offset)
            }
            run.samples.append(sample)
        }
        return run
    }

    private static func signed(_ word: Int) -> Int {
        Int(Int32(truncatingIfNeeded: word))
    }

    /// The samples with their bytes. `start` is where `moof` begins, `data` what is in `mdat`.
    func frames(_ reader: MP4Reader, start: Int, data: Range<Int>) throws(ContainerError) -> [MediaFrame] {
        var frames: [MediaFrame] = []
        var place = data.lowerBound
        var time = base
        let last = runs.reduce(0) { $0 + $1.samples.count } - 1
        for run in runs {
            // An offset from the file's beginning means nothing in a frame: the data then is what follows.
            if let offset = run.dataOffset, !hasExplicitBase { place = start + offset }
            for sample in run.samples {
                guard place >= data.lowerBound, sample.size <= data.upperBound - place else {
                    throw .malformed("a sample of \(sample.size) bytes lies outside of `mdat`")
                }
                guard sample.duration > 0 || frames.count == last else {
                    throw .malformed("sample \(frames.count) does not say how long it lasts, and is not the last")
                }
                let (presented, overflow) = time.addingReportingOverflow(sample.offset)
                guard !overflow, presented >= 0 else { throw .timeOutOfRange("sample \(frames.count)") }
                let timestamp = try MediaTime.microseconds(presented, timescale: timescale)
                let decoded = try MediaTime.microseconds(time, timescale: timescale)
                let duration = try MediaTime.microseconds(sample.duration, timescale: timescale)
                frames.append(
                    MediaFrame(
                        timestamp: timestamp, isKeyframe: sample.flags >> 24 & 3 == 2,
                        payload: Array(reader.bytes[place..<place + sample.size]),
                        duration: sample.duration > 0 ? duration : nil,
                        decodeTimestamp: sample.offset == 0 ? nil : decoded))
                place += sample.size
                let (next, tooLate) = time.addingReportingOverflow(sample.duration)
                guard !tooLate else { throw .timeOutOfRange("the end of sample \(frames.count - 1)") }
                time = next
            }
        }
        return frames
    }
}
