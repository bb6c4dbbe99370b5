import MoqHang
import MoqMedia

extension Catalog {
    /// The catalog of a file's tracks: `video0`, `video1`, `audio0`, in the file's order.
    ///
    /// - Throws: `media` when a track cannot be packed in that way.
    init(_ file: MediaFile, _ packing: PublishSettings.Packing) throws(LiveError) {
        var (video, audio) = (VideoSection(), AudioSection())
        for (track, name) in zip(file.tracks, Self.trackNames(file)) {
            let format = track.format
            let description = format.setup.isEmpty ? nil : format.setup
            switch format.codec.kind {
            case .video:
                var rendition = VideoRendition(
                    name: name, codec: CodecString(anything: format.codecString, kind: .video),
                    description: description, codedWidth: format.width, codedHeight: format.height,
                    bitrate: format.bitrate.map { Int64($0) }, framerate: format.frameRate)
                if packing == .cmaf {
                    rendition.container = .cmaf(
                        initialisation: try Self.packed(name) { () throws(ContainerError) in
                            try CMAFInitialisation.make(rendition)
                        })
                }
                video.renditions.append(rendition)
            case .audio:
                var rendition = AudioRendition(
                    name: name, codec: CodecString(anything: format.codecString, kind: .audio),
                    sampleRate: format.sampleRate ?? 48_000, numberOfChannels: format.channelCount ?? 1,
                    bitrate: format.bitrate.map { Int64($0) }, description: description)
                if packing == .cmaf {
                    rendition.container = .cmaf(
                        initialisation: try Self.packed(name) { () throws(ContainerError) in
                            try CMAFInitialisation.make(rendition)
                        })
                }
                audio.renditions.append(rendition)
            }
        }
        self.init(video: video, audio: audio)
    }

    private static func packed(
        _ name: String, _ make: () throws(ContainerError) -> [UInt8]
    ) throws(LiveError) -> [UInt8] {
        do throws(ContainerError) {
            return try make()
        } catch {
            throw .media("the track \(name) cannot be sent as cmaf: \(error). Publish it with --container legacy.")
        }
    }

    /// The names of a file's tracks on the wire, in the file's order.
    static func trackNames(_ file: MediaFile) -> [String] {
        var counts: [MediaCodec.Kind: Int] = [:]
        return file.tracks.map { track in
            let kind = track.format.codec.kind
            defer { counts[kind, default: 0] += 1 }
            return "\(kind.rawValue)\(counts[kind, default: 0])"
        }
    }

    /// How a track of the catalog is packed.
    func container(of name: String) -> Container {
        video(name)?.container ?? audio(name)?.container ?? .legacy
    }
}
