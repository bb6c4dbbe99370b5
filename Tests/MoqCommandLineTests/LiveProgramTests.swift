import Foundation
import Glibc
import Testing

/// Publishing and watching as people do it: three programs, real sockets, real files.
@Suite struct LiveProgramTests {
    /// What ffprobe says of a file's packets, for each kind of media: size and hash of their bytes, whether they are
    /// keyframes, and the distances of their times in milliseconds.
    private struct Packets: Equatable {
        var bytes: [String] = []
        var isKey: [Bool] = []
        var shown: [Double] = []
        var decoded: [Double] = []

        static let probe = "/usr/bin/ffprobe"

        static func read(_ path: String) throws -> [String: Packets] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: probe)
            process.arguments = [
                "-v", "error", "-show_data_hash", "md5", "-show_entries",
                "packet=codec_type,pts_time,dts_time,size,flags,data_hash", "-of", "json", path,
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            var found: [String: Packets] = [:]
            for packet in document?["packets"] as? [[String: Any]] ?? [] {
                func text(_ name: String) -> String { packet[name] as? String ?? "" }
                var packets = found[text("codec_type")] ?? Packets()
                packets.bytes.append("\(text("size")) \(text("data_hash"))")
                packets.isKey.append(text("flags").hasPrefix("K"))
                packets.shown.append(Double(text("pts_time")) ?? -1)
                packets.decoded.append(Double(text("dts_time")) ?? -1)
                found[text("codec_type")] = packets
            }
            return found
        }

        /// Whether two clocks go alike, by the millisecond.
        static func agree(_ left: [Double], _ right: [Double]) -> Bool {
            guard left.count == right.count, let first = left.first, let second = right.first else { return false }
            return zip(left, right).allSatisfy { abs(($0 - first) - ($1 - second)) < 0.001 }
        }
    }

    private static let media = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("fixtures/media").path

    private static let files = [
        "bars-h264-aac.mp4", "bars-h264-opus.mp4", "bars-h264-reordered-aac.mp4", "bars-hevc-aac.mp4",
        "bars-av1-opus.mp4", "tone-aac.mp4", "tone-opus.mp4",
    ]

    /// A relay of the program, and where it is.
    private func relay() throws -> (program: Program, url: String) {
        let relay = try Program(["relay", "--url", "moqt://127.0.0.1:0/anon", "--json"])
        let line = try #require(relay.line(holding: "ready"))
        let ready = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return (relay, try #require(ready["url"] as? String))
    }

    @Test func aRecordingThatFindsNoRoomAtItsEndIsNotSaidToBeSaved() throws {
        let (relay, url) = try relay()
        let flags = ["--relay", url, "--insecure", "--broadcast", "live/full"]
        // One group of pictures: all is written at the end.
        let watch = try Program(["watch", "--save", "/dev/full", "--wait", "40s"] + flags)
        let publish = try Program(
            ["publish", "\(Self.media)/bars-h264-aac.mp4", "--wait", "40s", "--duration", "300ms"] + flags)
        let outcome = watch.finish()
        publish.send(SIGINT)
        _ = publish.finish()
        relay.send(SIGINT)
        _ = relay.finish()
        #expect(outcome.status == 3)
        #expect(!outcome.output.contains("saved "))
        #expect(outcome.errors.contains("the recording cannot be written: /dev/full: No space left on device"))
    }

    @Test(.enabled(if: access(Packets.probe, X_OK) == 0)) func whatIsSavedHasThePacketsOfItsSource() throws {
        let (relay, url) = try relay()
        let folder = try TemporaryFolder()
        // All at once: they take four seconds each, and wait most of the time.
        var runs: [(name: String, saved: String, watch: Program, publish: Program)] = []
        for file in Self.files {
            for container in ["legacy", "cmaf"] {
                let name = "\(container)-\(file)"
                let flags = ["--relay", url, "--insecure", "--broadcast", "live/\(name)"]
                let saved = "\(folder.path)/\(name)"
                let watch = try Program(["watch", "--save", saved, "--wait", "40s"] + flags)
                let path = "\(Self.media)/\(file)"
                let publish = try Program(["publish", path, "--container", container, "--wait", "40s"] + flags)
                runs.append((name, saved, watch, publish))
            }
        }
        for run in runs {
            let (published, watched) = (run.publish.finish(), run.watch.finish())
            #expect(published.status == 0, "\(run.name): \(published)")
            #expect(watched.status == 0, "\(run.name): \(watched)")
            let source = try Packets.read("\(Self.media)/\(run.name.split(separator: "-", maxSplits: 1)[1])")
            let saved = try Packets.read(run.saved)
            #expect(source.keys.sorted() == saved.keys.sorted(), "\(run.name)")
            for (kind, wanted) in source {
                let found = saved[kind] ?? Packets()
                #expect(!wanted.bytes.isEmpty && found.bytes == wanted.bytes, "\(run.name): \(kind)")
                #expect(found.isKey == wanted.isKey, "\(run.name): \(kind)")
                #expect(Packets.agree(found.shown, wanted.shown), "\(run.name): \(kind)")
                #expect(Packets.agree(found.decoded, wanted.decoded), "\(run.name): \(kind)")
            }
        }
        relay.send(SIGTERM)
        #expect(relay.finish().status == 0)
    }

    @Test func aSignalEndsALoopAndItsViewersInOrder() throws {
        let (relay, url) = try relay()
        let flags = ["--relay", url, "--insecure", "--broadcast", "loop", "--json"]
        let publish = try Program(["publish", "\(Self.media)/bars-h264-aac.mp4", "--loop"] + flags)
        #expect(publish.line(holding: "\"announced\"") != nil)
        let watch = try Program(["watch"] + flags)
        let other = try Program(["watch"] + flags)
        #expect(watch.line(holding: "playback.start") != nil)
        #expect(other.line(holding: "playback.start") != nil)
        other.send(SIGINT)
        let stopped = other.finish()
        #expect(stopped.status == 0 && stopped.output.contains("\"reason\":\"stopped\""), "\(stopped)")
        publish.send(SIGTERM)
        let published = publish.finish()
        #expect(published.status == 0 && published.output.contains("\"finished\""), "\(published)")
        let watched = watch.finish()
        #expect(watched.status == 0 && watched.output.contains("\"reason\":\"ended\""), "\(watched)")
        relay.send(SIGTERM)
        _ = relay.finish()
    }

    @Test func aSignalBeforeTheEndOfAFileIsSaid() throws {
        let (relay, url) = try relay()
        let words = ["publish", "\(Self.media)/tone-opus.mp4", "--relay", url, "--insecure", "--wait", "40s", "--json"]
        let publish = try Program(words)
        #expect(publish.line(holding: "\"announced\"") != nil)
        publish.send(SIGINT)
        #expect(publish.finish().status == 130)
        relay.send(SIGTERM)
        _ = relay.finish()
    }

    @Test(arguments: [
        ("bad-text-only.mp4", "no track"), ("bad-mpeg4-mp3.mp4", "mpeg4"), ("make", "media"),
        ("missing.mp4", "cannot read"),
    ])
    func aFileThatCannotBePublishedIsTwoWithASentence(_ name: String, _ words: String) throws {
        let outcome = try Program.run("publish", "\(Self.media)/\(name)")
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("moqspec publish: "), "\(outcome.errors)")
        #expect(outcome.errors.lowercased().contains(words), "\(outcome.errors)")
    }

    @Test func aRelayThatIsNotThereIsThree() throws {
        for words in [["publish", "\(Self.media)/tone-opus.mp4"], ["watch"]] {
            let outcome = try Program(words + ["--relay", "moqt://127.0.0.1:1/anon", "--insecure"]).finish()
            #expect(outcome.status == 3, "\(outcome)")
            #expect(outcome.errors.contains("nobody listens at 127.0.0.1:1"), "\(outcome.errors)")
        }
    }

    @Test func whatIsNotThereIsFiveAndWhatCannotBePlayedIsOne() throws {
        let (relay, url) = try relay()
        let flags = ["--relay", url, "--insecure", "--json"]
        let absent = try Program(["watch", "--broadcast", "nobody", "--wait", "300ms"] + flags).finish()
        #expect(absent.status == 5 && absent.output.contains("was not announced"), "\(absent)")
        let file = "\(Self.media)/bars-h264-aac.mp4"
        let publish = try Program(["publish", file, "--loop", "--broadcast", "live"] + flags)
        let wrong = try Program(["watch", "--broadcast", "live", "--video", "hd"] + flags).finish()
        #expect(wrong.status == 1 && wrong.output.contains("there is no video rendition `hd`"), "\(wrong)")
        publish.send(SIGINT)
        #expect(publish.finish().status == 0)
        relay.send(SIGTERM)
        _ = relay.finish()
    }
}
