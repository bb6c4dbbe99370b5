import Testing

@testable import MoqKit

/// Logs of moq-kit become traces.
@Suite struct TraceConversionTests {
    private func convert(_ log: String, _ profile: MachineProfile? = .android) throws -> TraceConversion {
        try TraceConversion(Array(log.utf8), profile: profile)
    }

    @Test func aLogOfLogcatBecomesAnAcceptedTrace() throws {
        let converted = try convert(
            """
            --------- beginning of main
            08-30 12:00:00.000  100  200 I Session : state: Connecting
            08-30 12:00:00.120  100  200 I Session : state: Connected
            08-30 12:00:00.130  100  201 D Player  : playback.request path=live/a targetBuffering=100
            08-30 12:00:00.131  100  201 D Player  : track.subscribe.start kind=video name=720p epoch=1
            08-30 12:00:00.200  100  201 D Player  : PlayerEvent.TrackReady(kind: video, epoch: 1)
            08-30 12:00:00.300  100  201 D Player  : track.playing kind=video epoch=1
            08-30 12:00:00.300  100  201 D Player  : playback.start kind=video epoch=1
            08-30 12:00:01.000  100  201 W OkHttp  : nothing of interest
            08-30 12:00:02.000  100  201 D Player  : track.subscribe.error kind=video epoch=1 message="remote error: code=24"
            08-30 12:00:02.001  100  201 D Player  : playback.end reason=null
            08-30 12:00:03.000  100  200 E Session : state: Closed
            """)
        #expect(converted.lines == 12 && converted.others == 2)
        #expect(converted.trace.lines.map(\.object).contains("player/video"))
        #expect(converted.trace.lines[1].atNs == 120_000_000)
        #expect(converted.trace.lines.first { $0.event == "track.subscribe.error" }?.payload["code"] == 24)
        #expect(!converted.trace.beginsAnywhere)
        #expect(converted.trace.lines.map(\.of).suffix(4) == [nil, "player", nil, nil])
        let check = try TraceCheck(converted.trace)
        #expect(check.objects.map(\.machine) == ["session", "player", "player-track"])
        #expect(check.objects.map { $0.refusal?.came } == [nil, nil, nil])
    }

    @Test func aLogOfOSLogBecomesATraceAndWhatIsWrongInItIsFound() throws {
        let converted = try convert(
            """
            2026-08-30 12:00:00.000000+0200 0x1f Default 0x0 12 0 App: (MoQ) [com.example.moq:session] Session state changed to connecting
            2026-08-30 12:00:00.100 Df App[12:1f] [com.example.moq:session] Session state changed to error(connectionFailed("remote error: code=6"))
            2026-08-30 12:00:00.200 Df App[12:1f] [com.example.moq:session] Session state -> connected
            """, .ios)
        #expect(converted.trace.lines.map(\.to) == ["connecting", "error", "connected"])
        #expect(converted.trace.lines.map(\.atNs) == [0, 100_000_000, 200_000_000])
        #expect(try TraceCheck(converted.trace).first?.refusal?.line == 0 || converted.trace.lines.count == 3)
        let again = try TraceCheck(Trace(parsing: converted.trace.json()))
        #expect(again.first?.refusal?.line == 4)
    }

    @Test func theTagIsFoundInEveryFormOfLogcat() {
        let lines = [
            "08-30 12:00:00.5  100  200 I Session : state", "08-30 12:00:00.5 I/Session( 12): state",
            "I/Session( 12): state", "2026-08-30 12:00:00.500+0200 0x1 Info 0x0 1 0 App: [com.example:Session] state",
        ].map { LogLine($0) }
        #expect(lines.map(\.tag) == ["Session", "Session", "Session", "Session"])
        #expect(lines.map(\.message) == ["state", "state", "state", "state"])
        let halfASecond: Int64 = 43_200_500_000_000
        #expect(lines.map(\.timeOfDay) == [halfASecond, halfASecond, nil, halfASecond])
        #expect(LogLine("Session state: connected") == LogLine("Session state: connected"))
        #expect(LogLine("Session state: connected").message == "Session state: connected")
    }

    @Test func jsonOfDiagnosticsAndPublishersIsUnderstood() throws {
        let converted = try convert(
            """
            {"type":"stallStarted","context":{"trackId":"v1"},"cause":"publisherIdle"}
            {"type":"stallEnded","context":{"trackId":"v1"},"cause":"publisherIdle","ms":900}
            Publisher: trackStarted(name: 0.avc1)
            Publisher state=publishing id=pub
            error: something else entirely
            """, .ios)
        #expect(converted.trace.lines.map(\.machine) == ["stall", "stall", "publisher", "publisher"])
        #expect(converted.trace.lines[0].object == "player/v1")
        #expect(converted.trace.lines[3].to == "publishing" && converted.trace.lines[3].object == "pub")
        #expect(try TraceCheck(converted.trace, machine: "stall").first == nil)
    }

    @Test func aListenerThatCameLateBeginsAnywhere() throws {
        let late = try convert("track.stall.start kind=audio\nrebuffer.start kind=audio\n", .ios)
        #expect(late.trace.beginsAnywhere)
        #expect(try TraceCheck(late.trace).first == nil)
    }

    @Test func aLogWithNothingInItIsSaidToHaveNothing() {
        #expect(throws: TraceError.nothingKnown(lines: 1)) { try self.convert("hello\n") }
        #expect(throws: TraceError.empty) { try self.convert("") }
    }
}
