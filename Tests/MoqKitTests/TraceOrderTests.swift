import Foundation
import Testing

@testable import MoqKit

/// Orders between objects of a trace: what belongs to a session, a publisher or a player.
@Suite struct TraceOrderTests {
    private func check(_ lines: [String], header: String = "\"profile\":\"ios\"") throws -> [String] {
        let text = (["{\"format\":\"moqspec-trace\",\"version\":1,\(header)}"] + lines).joined(separator: "\n")
        let check = try TraceCheck(Trace(parsing: Array(text.utf8)))
        return check.objects.compactMap { object in
            object.refusal.map { "\(object.object) at \($0.line), \($0.order == nil ? "by itself" : "out of order")" }
        }
    }

    /// Lines of one object that shows its states.
    private func states(_ machine: String, _ object: String, _ states: String..., of: String? = nil) -> [String] {
        let owner = of.map { "\"of\":\"\($0)\"," } ?? ""
        return states.map { "{\"object\":\"\(object)\",\(owner)\"machine\":\"\(machine)\",\"to\":\"\($0)\"}" }
    }

    private var connecting: [String] { states("session", "s", "connecting") }
    private var connected: [String] { states("session", "s", "connecting", "connected") }
    private var closed: [String] { states("session", "s", "error", "closed") }

    @Test func nothingOfASessionComesBeforeItIsConnected() throws {
        let subscription = states("broadcast-subscription", "b", "active")
        #expect(try check(connected + subscription) == [])
        #expect(try check(connecting + subscription + states("session", "s", "connected")) == ["b at 3, out of order"])
        // A publisher may be made and filled before; it is publishing that needs the session.
        let publisher = states("publisher", "p", "idle")
        let publishing = states("publisher", "p", "publishing")
        #expect(try check(publisher + connected + publishing) == [])
        #expect(try check(publisher + connecting + publishing) == ["p at 4, out of order"])
    }

    @Test func aSessionThatFailedWasNeverConnected() throws {
        let player = ["{\"object\":\"v\",\"machine\":\"player\",\"event\":\"playback.request\"}"]
        #expect(try check(connecting + states("session", "s", "error") + player) == ["v at 4, out of order"])
        #expect(try check(connected + closed + player) == [], "the end of a session does not end a player")
    }

    @Test func whatBelongsToASessionEndsWithIt() throws {
        let open = connected + states("publisher", "p", "publishing")
        #expect(try check(open + closed + states("publisher", "p", "stopped")) == [], "it may be shown a little late")
        #expect(try check(open + closed) == ["p at 4, out of order"])
        #expect(try check(open + closed, header: "\"profile\":\"ios\",\"cut\":true") == [])
        #expect(try check(open + closed, header: "\"profile\":\"ios\",\"ordered\":false") == [])
        #expect(try check(open + closed, header: "\"profile\":\"android\"") == ["p at 4, out of order"])
        #expect(
            try check(open + closed, header: "\"profile\":\"android-documented\"") == [], "it stays, says the manual")
        let found = "{\"object\":\"b\",\"machine\":\"broadcast-subscription\",\"event\":\"broadcast\"}"
        let ended = "{\"object\":\"b\",\"machine\":\"broadcast-subscription\",\"event\":\"finished\"}"
        #expect(try check(connected + [found] + closed + [ended]) == [])
        #expect(try check(connected + [found] + closed + [found, ended]) == ["b at 7, out of order"])
    }

    @Test func tracksLiveWithinTheirPublisher() throws {
        let publisher = { states("publisher", "p", $0) }
        let track = { states("published-track", "t", $0) }
        let begun = connected + publisher("publishing") + track("starting") + track("active")
        #expect(try check(begun + track("stopped") + publisher("stopped")) == [])
        #expect(try check(begun + publisher("stopped")) == ["t at 6, out of order"])
        let late = connected + publisher("publishing") + track("starting") + publisher("stopped") + track("active")
        #expect(try check(late) == ["t at 7, out of order"])
    }

    @Test func tracksOfAPlayerLiveWithinIt() throws {
        func events(_ object: String, _ machine: String, _ events: String...) -> [String] {
            events.map { "{\"object\":\"\(object)\",\"machine\":\"\(machine)\",\"event\":\"\($0)\"}" }
        }
        let request = events("v", "player", "playback.request")
        let start = events("v/video", "player-track", "track.subscribe.start", "track.ready")
        let pause = events("v", "player", "playback.pause")
        let playing = events("v/video", "player-track", "track.playing")
        #expect(try check(request + start + playing + pause) == [])
        #expect(try check(request + start + pause + playing) == ["v/video at 6, out of order"])
        // Of two players the name says which.
        let other = events("w", "player", "playback.request")
        #expect(try check(request + other + start + playing) == [])
        #expect(try check(events("v", "player", "player.init") + other + start) == ["v/video at 4, out of order"])
    }

    @Test func ofSaysWhoseItIsAndWithoutItTheOnlyOneIsMeant() throws {
        let two = connected + states("session", "r", "connecting")
        let subscription = { states("broadcast-subscription", "b", "active", of: $0) }
        #expect(try check(two + subscription("s")) == [])
        #expect(try check(two + subscription("r")) == ["b at 5, out of order"])
        #expect(try check(two + subscription(nil)) == [], "nobody knows whose it is")
        #expect(try check(two + subscription("q")) == [], "a session that was not recorded")
        // A broadcast of a subscription of a session.
        let broadcast = states("broadcast", "x", "held1", of: "b")
        #expect(try check(two + subscription("s") + broadcast) == [])
        #expect(try check(connected + subscription("b") + broadcast) == [], "a chain without an end")
    }

    @Test func anOwnerThatIsNotLegalItselfSaysNothing() throws {
        let lines = states("session", "s", "connected") + states("broadcast-subscription", "b", "active")
        #expect(try check(lines) == ["s at 2, by itself"])
    }

    @Test func theExamplesOfTheDocumentationAreWhatTheySay() throws {
        func read(_ name: String) throws -> TraceCheck {
            let file = MachineFilesTests.root.appending(path: "fixtures/traces/orders/\(name).jsonl")
            return try TraceCheck(Trace(parsing: Array(Data(contentsOf: file))))
        }
        #expect(try read("accepted").first == nil)
        let refusal = try #require(try read("refused").first?.refusal)
        #expect(refusal.line == 3)
        #expect(refusal.order?.hasPrefix("no step before its `session` has been `connected` (moq-kit") == true)
        #expect(refusal.legal == ["first `s1` (session) in `connected`; it is in `connecting`"])
    }
}
