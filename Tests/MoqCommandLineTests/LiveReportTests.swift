import Foundation
import MoqBase
import MoqKit
import MoqLive
import MoqPlayback
import MoqTransport
import Testing

@testable import MoqCommandLine

@Suite struct LiveReportTests {
    private let began = Instant(nanoseconds: 1_000_000_000)

    private func at(_ milliseconds: Int) -> Instant { began.advanced(by: .milliseconds(milliseconds)) }

    private func fields(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private let rendition = Rendition(
        kind: .video, name: "hd", codec: "avc1.64001f", width: 1920, height: 1080, frameRate: 29.97)

    @Test func eachThingThatIsSeenIsOneObject() throws {
        var report = WatchReport(isJSON: true, began: began)
        var statistics = TrackStatistics()
        (statistics.latency, statistics.stalls, statistics.bitrate) = (85_000, 2, 1250.5)
        var figures = WatchFigures()
        (figures.frames, figures.faults, figures.statistics.video) = (7, 1, statistics)
        let told = ModelEvent(
            object: "player", name: "track.ready",
            fields: [.init("kind", "video"), .init("track", "7"), .init("timestamp", 33_333), .init("keyframe", true)],
            at: at(20))
        let outcome = WatchOutcome(reason: .unplayable("why"), hasPlayed: false, faults: 1)
        let kinds: [WatchEvent.Kind] = [
            .found(path: "a"), .gone(path: "a"), .catalog(path: "a", [rendition]), .offline(path: "a", error: nil),
            .state(object: "player", machine: "player", state: "playing"), .player(told), .statistics(figures),
            .problem("why"), .ended(outcome),
        ]
        var lines: [[String: Any]] = []
        for kind in kinds {
            for line in report.lines(for: WatchEvent(at: at(20), kind: kind)) { lines.append(try fields(line)) }
        }
        #expect(
            lines.map { $0["event"] as? String } == [
                "found", "gone", "catalog", "offline", "state", "player", "stats", "problem", "ended",
            ])
        #expect(lines.allSatisfy { $0["at"] as? Double == 0.02 })
        let listed = try #require((lines[2]["video"] as? [[String: Any]])?.first)
        #expect(listed["width"] as? Int == 1920 && listed["container"] as? String == "legacy")
        #expect(listed["playable"] as? Bool == true && (lines[2]["audio"] as? [Any])?.isEmpty == true)
        // The name of a track stays a text, whatever it looks like.
        #expect(lines[5]["track"] as? String == "7" && lines[5]["timestamp"] as? Int == 33_333)
        #expect(lines[5]["keyframe"] as? Bool == true && lines[5]["name"] as? String == "track.ready")
        let video = try #require(lines[6]["video"] as? [String: Any])
        #expect(video["latency"] as? Double == 0.085 && video["bitrate"] as? Double == 1_250_500)
        #expect(video["framesDropped"] == nil && lines[6]["undecoded"] as? Int == 1 && lines[6]["audio"] == nil)
        #expect(lines[8]["reason"] as? String == "unplayable" && lines[8]["text"] as? String == "why")
    }

    @Test func peopleGetLinesAndASummary() {
        var report = WatchReport(isJSON: false, began: began)
        #expect(
            report.lines(for: WatchEvent(at: at(1500), kind: .catalog(path: "a", [rendition]))) == [
                "   1.500  the catalog of `a`:",
                "   1.500    hd: avc1.64001f, 1920x1080, 29.97 fps, legacy",
            ])
        #expect(
            report.lines(for: WatchEvent(at: at(1), kind: .state(object: "x", machine: "catalog", state: "y"))) == [])
        var figures = WatchFigures()
        (figures.statistics.video.firstPlaying, figures.statistics.video.latency) = (106_800, 79_600)
        figures.statistics.video.stalls = 1
        (figures.frames, figures.decoded, figures.faults) = (10, 9, 1)
        #expect(report.lines(for: WatchEvent(at: at(2), kind: .statistics(figures))) == [])
        let outcome = WatchOutcome(reason: .ended, hasPlayed: true, faults: 1)
        #expect(
            report.lines(for: WatchEvent(at: at(4000), kind: .ended(outcome))) == [
                "   4.000  the broadcast ended",
                "   4.000  video: first picture after 107 ms, latency 80 ms, 1 stalls, 0 frames dropped",
                "   4.000  10 frames came, 9 decoded, 1 did not",
            ])
        #expect(report.status(figures, standing: "nobody is there", at: at(1000)) == "1.0 s  nobody is there")
    }

    @Test func whyFramesDidNotDecodeIsToldOnceAndCountedAtTheEnd() throws {
        var fault = DecodeFault(
            kind: .video, rendition: "hd", cause: .truncated, text: "9 bytes are missing", timestamp: 40_000)
        var report = WatchReport(isJSON: false, began: began)
        #expect(
            report.lines(for: WatchEvent(at: at(1), kind: .undecoded(fault))) == [
                "   0.001  video `hd` does not decode: truncated frame: 9 bytes are missing"
            ])
        fault = DecodeFault(
            kind: .video, rendition: "hd", cause: .truncated, text: "9 bytes are missing", timestamp: 40_000, frames: 3)
        var figures = WatchFigures()
        (figures.faults, figures.reasons) = (3, [fault])
        _ = report.lines(for: WatchEvent(at: at(2), kind: .statistics(figures)))
        let start = ModelEvent(object: "player", name: "playback.start", fields: [.init("track", "hd")], at: at(1))
        _ = report.lines(for: WatchEvent(at: at(1), kind: .player(start)))
        let status = report.status(figures, standing: "", at: at(1000))
        #expect(status.hasSuffix("3 undecodable (truncated frame)"))
        let outcome = WatchOutcome(reason: .ended, hasPlayed: true, faults: 3)
        #expect(
            report.lines(for: WatchEvent(at: at(3), kind: .ended(outcome))).last
                == "   0.003  video `hd`: 3 × truncated frame (first: 9 bytes are missing)")
        var machine = WatchReport(isJSON: true, began: began)
        let told = try fields(machine.lines(for: WatchEvent(at: at(1), kind: .undecoded(fault)))[0])
        #expect(told["event"] as? String == "undecoded" && told["cause"] as? String == "truncated")
        #expect(told["rendition"] as? String == "hd" && told["timestamp"] as? Int == 40_000)
        _ = machine.lines(for: WatchEvent(at: at(2), kind: .statistics(figures)))
        let end = try fields(machine.lines(for: WatchEvent(at: at(3), kind: .ended(outcome)))[0])
        let reasons = try #require(end["reasons"] as? [[String: Any]])
        #expect(reasons.first?["frames"] as? Int == 3 && reasons.first?["kind"] as? String == "video")
    }

    @Test func aPublisherSaysHowFarItIs() throws {
        var report = PublishReport(isJSON: false, began: began)
        #expect(
            report.status(PublishFigures(), state: .waiting, at: at(0)) == "waiting for somebody to ask for the media")
        #expect(
            report.lines(for: PublishEvent(at: at(12), kind: .began)) == ["   0.012  the first packet goes out"])
        var figures = PublishFigures()
        (figures.packets, figures.bytes, figures.position) = (100, 125_000, 1_988_000)
        (figures.subscriptions, figures.laps, figures.latest) = (1, 1, .milliseconds(80))
        #expect(
            report.status(figures, state: .sending, at: at(1012))
                == "2.0 s  100 packets  1.00 Mbit/s  1 track asked for  lap 2  up to 80 ms late")
        var machine = PublishReport(isJSON: true, began: began)
        let stats = try fields(machine.status(figures, state: .sending, at: at(1012)))
        #expect(stats["event"] as? String == "stats" && stats["position"] as? Double == 1.988)
        let kinds: [PublishEvent.Kind] = [
            .announced(path: "a"), .asked(track: "video0"), .left(track: "video0"), .began, .lap(1), .problem("why"),
            .finished(packets: 3), .closed(SessionClose(initiator: .peer, cause: .lost, reason: "")),
        ]
        var names: [String?] = []
        for kind in kinds {
            for line in machine.lines(for: PublishEvent(at: at(0), kind: kind)) {
                names.append(try fields(line)["event"] as? String)
            }
        }
        #expect(names == ["announced", "asked", "left", "began", "lap", "problem", "finished", "closed"])
    }

    @Test func aStatusLineWithoutATerminalIsALineNowAndThen() throws {
        let folder = try TemporaryFolder()
        let file = try OutputFile(creating: "\(folder.path)/out", flag: "--x")
        let status = StatusLine(on: file)
        var shown = 0
        for second in 0..<25 where status.isDue(at: at(1000 * second)) {
            status.show("status \(second)", at: at(1000 * second))
            shown += 1
        }
        status.lines(["a line"])
        status.clear()
        #expect(shown == 2)
        #expect(try folder.text("out") == "status 10\nstatus 20\na line\n")
    }
}
