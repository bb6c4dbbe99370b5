import Testing

@testable import MoqKit

/// Traces as recorders write them: with little in them, of several objects, and with what is wrong in them.
@Suite struct TraceCheckTests {
    private func check(
        _ lines: [String], header: String = "\"profile\":\"ios\"", machine: String? = nil,
        profile: MachineProfile? = nil
    ) throws(TraceError) -> TraceCheck {
        let text = (["{\"format\":\"moqspec-trace\",\"version\":1,\(header)}"] + lines).joined(separator: "\n")
        return try TraceCheck(Trace(parsing: Array(text.utf8)), machine: machine, profile: profile)
    }

    private func states(_ states: [String], object: String = "s") -> [String] {
        states.map { "{\"object\":\"\(object)\",\"machine\":\"session\",\"to\":\"\($0)\"}" }
    }

    private func problem(_ lines: [String], header: String = "\"profile\":\"ios\"", machine: String? = nil) -> String? {
        do {
            _ = try check(lines, header: header, machine: machine)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aMarkOfTheEncodingInFrontIsNoFault() throws {
        let text = "\u{FEFF}{\"format\":\"moqspec-trace\",\"version\":1}\r\n{\"object\":\"s\"}\r\n"
        #expect(try Trace(parsing: Array(text.utf8)).lines.map(\.object) == ["s"])
    }

    @Test func wordsOfTheHeaderThatAreNotKnownAreRefused() {
        #expect(
            problem([], header: "\"profile\":\"ios\",\"begins\":\"anywere\"")
                == "there is no word for `begins` `anywere`; there are anywhere; did you mean `anywhere`?")
        #expect(problem([], header: "\"profile\":\"ios\",\"cut\":1") == "line 1: `cut` is not true or false")
    }

    @Test func namesWithoutEndAreNotShownWhole() {
        #expect(
            problem(states(["idle"], object: String(repeating: "a", count: 5000)))
                == "line 2: `object` has 5000 bytes; at most 1024 are read")
    }

    @Test func statesAloneAreEnough() throws {
        let check = try check(states(["idle", "connecting", "connected", "error", "closed"]))
        #expect(check.first == nil)
        #expect(check.objects.map(\.states) == [["closed"]])
        #expect(check.coverage.taken("session", .ios, "idle --connect--> connecting") == 1)
    }

    @Test func theFirstIllegalStateIsShownWithWhatWasLegal() throws {
        let check = try check(states(["connecting", "connected", "idle", "closed"]))
        let refusal = try #require(check.first?.refusal)
        #expect(refusal.line == 4)
        #expect(refusal.came == "state `idle`")
        #expect(refusal.legal == ["state `error`", "state `closed`", "state `dropped`"])
        #expect(check.first?.states == ["connected"])
    }

    @Test func aStateThatAndroidConflatesMayBeMissing() throws {
        let lines = states(["connecting", "connected", "closed"])
        #expect(try check(lines, header: "\"profile\":\"android\"").first == nil)
        let short = states(["connecting", "closed"])
        #expect(try check(short, header: "\"profile\":\"android\"").first == nil)
        // Loss shows error on iOS; what is left is the application's close().
        #expect(try check(lines).objects[0].states == ["closed"])
        let ghost = states(["connecting", "closed", "connected"])
        #expect(try check(ghost, header: "\"profile\":\"android\"").first == nil)
        #expect(try check(ghost, header: "\"profile\":\"android-documented\"").first != nil)
    }

    @Test func objectsAreHeldApart() throws {
        let mixed = [
            states(["connecting"], object: "a"), states(["connecting"], object: "b"),
            states(["connected"], object: "a"), states(["closed"], object: "b"), states(["error"], object: "b"),
        ].flatMap { $0 }
        let check = try check(mixed)
        #expect(check.objects.map(\.object) == ["a", "b"])
        #expect(check.first?.object == "b")
        #expect(check.first?.refusal?.line == 6)
    }

    @Test func eventsAloneAreEnough() throws {
        func lines(_ events: [String]) -> [String] {
            events.map { "{\"object\":\"p/video\",\"machine\":\"player-track\",\"event\":\"\($0)\"}" }
        }
        let good = ["track.subscribe.start", "track.ready", "track.playing", "track.stall.start", "rebuffer.start"]
        #expect(try check(lines(good)).first == nil, "a trace may end inside a stall")
        let bad = ["track.subscribe.start", "track.playing", "track.ready"]
        #expect(try check(lines(bad)).first?.refusal?.line == 3)
        #expect(
            try check(lines(["track.subscribe.start", "track.ready", "track.playing", "track.stall.end"])).first != nil)
        // An audio kind that is the rebuffer kind shows both; the other one shows none.
        let half = ["track.subscribe.start", "track.ready", "track.playing", "track.stall.start", "track.stall.end"]
        #expect(try check(lines(half)).first == nil)
        #expect(try check(lines(half + ["rebuffer.end"])).first?.refusal?.line == 7)
    }

    @Test func aTraceThatEndsInTheMiddleIsRefusedUnlessItSaysSo() throws {
        let lines = [
            "{\"object\":\"p\",\"machine\":\"player\",\"trigger\":\"init\",\"to\":\"created\",\"payload\":{\"tracks\":\"known\"}}",
            "{\"object\":\"p\",\"machine\":\"player\",\"event\":\"player.init\"}",
            "{\"object\":\"p\",\"machine\":\"player\",\"trigger\":\"play\",\"to\":\"playing\",\"payload\":{\"playable\":true}}",
        ]
        let refusal = try #require(try check(lines).first?.refusal)
        #expect(refusal.came == nil && refusal.legal.first == "event `playback.request`")
        #expect(try check(lines, header: "\"profile\":\"ios\",\"cut\":true").first == nil)
    }

    @Test func aTraceMayBeginInTheMiddleWhenItSaysSo() throws {
        let lines = states(["error", "closed"])
        #expect(try check(lines).first?.refusal?.line == 2)
        #expect(try check(lines, header: "\"profile\":\"ios\",\"begins\":\"anywhere\"").first == nil)
    }

    @Test func errorsMatchByTheirNamesAndByWhatTheySay() throws {
        func line(_ error: String) -> [String] {
            [
                "{\"object\":\"s\",\"machine\":\"session\",\"trigger\":\"close\",\"to\":\"closed\"}",
                "{\"object\":\"s\",\"machine\":\"session\",\"trigger\":\"connect\",\"error\":\"\(error)\"}",
            ]
        }
        for error in ["already_closed", "alreadyClosed", "SessionError.alreadyClosed"] {
            #expect(try check(line(error)).first == nil, "\(error)")
        }
        #expect(try check(line("alreadyConnected")).first?.refusal?.line == 3)
    }

    @Test func openTransitionsAcceptEither() throws {
        func lines(_ last: String) -> [String] {
            ["connecting", "established", "reconnecting", last].map {
                "{\"object\":\"m\",\"objectKind\":\"MoqomSession\",\"to\":\"\($0)\",\"x\":[1]}"
            }
        }
        for state in ["away", "established", "closed"] {
            #expect(try check(lines(state), header: "\"profile\":\"moqom\"").first == nil, "\(state)")
        }
        #expect(try check(lines("connecting"), header: "\"profile\":\"moqom\"").first != nil)
    }

    @Test func otherMachinesAreCountedAndLeftOut() throws {
        let lines = states(["connecting"]) + ["{\"object\":\"p\",\"machine\":\"player\",\"event\":\"playback.start\"}"]
        let check = try check(lines, machine: "session")
        #expect(check.otherLines == 1 && check.first == nil)
        #expect(try self.check(lines).first?.object == "p")
    }

    @Test func whatIsNoTraceIsSaidInWords() {
        #expect(problem(["{"])?.hasPrefix("line 2, column") == true)
        #expect(problem(["[]"]) == "line 2: it is no JSON object")
        #expect(problem(["{}"]) == "line 2: `object` is missing: the id of what was observed")
        #expect(problem(["{\"object\":1}"]) == "line 2: `object` is not a string")
        #expect(problem(["{\"object\":\"a\",\"machine\":\"sesion\"}"])?.hasSuffix("did you mean `session`?") == true)
        #expect(problem(["{\"object\":\"a\"}"])?.hasPrefix("line 2: which machine is meant") == true)
        #expect(problem(states(["idle"]), header: "\"x\":1")?.hasPrefix("which profile is meant") == true)
        #expect(problem(states(["idle"]), header: "\"profile\":\"iso\"")?.contains("did you mean `ios`") == true)
        #expect(problem(states(["idle"]), machine: "player") == "no line of it is about the machine `player`")
        #expect(throws: TraceError.noHeader) { try Trace(parsing: Array("{\"object\":\"a\"}".utf8)) }
        #expect(throws: TraceError.empty) { try Trace(parsing: []) }
        #expect(throws: TraceError.newer(version: 2)) {
            try Trace(parsing: Array("{\"format\":\"moqspec-trace\",\"version\":2}".utf8))
        }
    }

    @Test func aTraceIsReadAsItWasWritten() throws {
        var trace = Trace(
            profile: .moqom, observes: [.states],
            lines: [
                TraceLine(
                    object: "a", of: "b", machine: "m", to: "x", payload: ["n": 1, "f": true, "w": "é"], code: 3,
                    atNs: 5)
            ])
        trace.isOrdered = false
        var read = try Trace(parsing: trace.json())
        read.lines[0].line = 0
        #expect(read == trace)
    }
}
