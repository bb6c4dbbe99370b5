import Foundation
import MoqBase
import MoqMedia

/// The files of `fixtures/media`.
enum Fixture {
    static let good = [
        "bars-h264-aac.mp4", "bars-h264-opus.mp4", "bars-h264-reordered-aac.mp4", "bars-hevc-aac.mp4",
        "bars-av1-opus.mp4", "bars-480p-h264.mp4", "tone-aac.mp4", "tone-opus.mp4", "bars-h264-aac-progressive.mp4",
        "bars-h264-aac.mkv",
    ]

    static func path(_ name: String) -> String {
        URL(filePath: #filePath).appending(path: "../../../fixtures/media/\(name)").standardized.path
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    static func file(_ name: String) throws -> MediaFile {
        try MediaFile.load(path: path(name))
    }
}

/// All of a file's packets through decoders, one a track.
struct Playback {
    var pictures: [DecodedPicture] = []
    var sounds: [DecodedSound] = []
    var faults: [(presentation: Int64, fault: MediaError)] = []

    init(_ file: MediaFile) throws {
        let decoders = try file.tracks.map { try MediaDecoder($0.format) }
        for packet in file.packets {
            let result = decoders[packet.track].decode(packet.payload, presentation: packet.presentation)
            add(result, at: packet.presentation)
        }
        for decoder in decoders { add(decoder.finish(), at: file.duration) }
    }

    private mutating func add(_ result: DecodeResult, at presentation: Int64) {
        pictures += result.pictures
        sounds += result.sounds
        if let fault = result.fault { faults.append((presentation, fault)) }
    }
}
