import MoqKit
import MoqLive

extension CommandDescription {
    /// `moqspec publish`.
    public static let publish = CommandDescription(
        name: "publish",
        summary: "Publish a media file at a relay, as a live broadcast.",
        operands: "FILE",
        about: [
            "FILE is an MP4, MOV, Matroska or WebM file with H.264, H.265, AV1, AAC or Opus; other streams of it are left "
                + "out and named. Each of its tracks becomes a track, a group begins at each keyframe, and packets go out "
                + "at the file's own pace.",
            "It ends with the file, with --loop only at SIGINT or SIGTERM, in order: the tracks are finished first. The "
                + "exit status is 0 then; 2 when the file cannot be published, 3 when the relay cannot be used or the "
                + "session is lost, 130 or 143 when a signal came before the end of a file that was to be sent once.",
        ],
        flags: [
            Flag("broadcast", "PATH", help: "The path of the broadcast (default the file's name without its ending)."),
            Flag("loop", help: "Begin the file anew at its end, at times that go on."),
            Flag("container", "legacy|cmaf", help: "How frames are packed (default legacy)."),
            Flag(
                "catalog", "LIST",
                help: "The catalogs that are offered: \(catalogNames) (default all, as the original stack does)."),
            Flag(
                "wait", "DURATION",
                help: "Hold the first packet until somebody asks for the media, at most so long (default not at all)."),
            Flag("duration", "DURATION", help: "End so long after the first packet."),
            Flag("json", help: "Say what happens in JSON, one object a line."),
        ] + liveRelayFlags + [help],
        examples: [
            Example(line: "publish bars.mp4 --loop", purpose: "at a relay on this machine, without end"),
            Example(
                line: "publish bars.mp4 --relay https://relay.example/room --broadcast studio --container cmaf",
                purpose: "as fragments of a file"),
        ])

    /// `moqspec watch`.
    public static let watch = CommandDescription(
        name: "watch",
        summary: "Watch a broadcast without a screen: play, decode, measure, and save what came.",
        operands: nil,
        about: [
            "The player behaves as that of moq-kit does and tells what that tells; decoders are in software and strict.",
            "The exit status is 0 when something played and all of it decoded; 1 when what came cannot be played (a broken "
                + "catalog, a rendition that is not there, frames that do not decode), 3 when the relay cannot be used or "
                + "the session is lost, 5 when nothing played.",
        ],
        flags: [
            Flag("broadcast", "PATH", help: "The broadcast (default the first that is found)."),
            Flag(
                "catalog", "NAME", help: "The catalog that is followed, one of \(catalogNames) (default catalog.json)."),
            Flag("video", "NAME|none", help: "The rendition of pictures (default the first that can be played)."),
            Flag("audio", "NAME|none", help: "The rendition of sound (default the first that can be played)."),
            Flag("target-latency", "DURATION", help: "How far behind the live edge it plays (default 100ms)."),
            Flag("profile", "ios|android", help: "Whose player it is (default ios)."),
            Flag("save", "FILE", help: "Write what comes as an MP4 file, packet by packet as it came."),
            Flag(
                "trace", "FILE",
                help: "Write the steps of the kit's objects, for moqspec trace check."),
            Flag("wait", "DURATION", help: "How long it may take until something plays (default for ever)."),
            Flag(
                "duration", "DURATION", help: "End after so long (default with the broadcast, or at SIGINT or SIGTERM)."
            ),
            Flag("json", help: "Say what is seen in JSON, one object a line (docs/live.md)."),
        ] + liveRelayFlags + [help],
        examples: [
            Example(line: "watch --broadcast studio --save studio.mp4", purpose: "from a relay on this machine"),
            Example(
                line: "watch --relay https://relay.example/room --broadcast studio --json --duration 10s --wait 3s",
                purpose: "ten seconds of it, for a script"),
        ])

    private static let catalogNames = PublishSettings.CatalogForm.allCases.map(\.rawValue).joined(separator: ", ")
}
