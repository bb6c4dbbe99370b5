import MoqScenario
import Testing

@testable import MoqKit

@Suite struct MachineTests {
    private func machine(_ name: String, _ profile: MachineProfile) throws -> Machine {
        Machine(try #require(MachineLibrary.builtIn.machine(name, profile)))
    }

    @Test func aSessionConnectsOnceAndCloses() throws {
        var session = try machine("session", .ios)
        #expect(session.take("connect").transition?.to == "connecting")
        #expect(session.take("handshake.done").transition?.events.map(\.name) == ["connect.returns"])
        guard case .refused(let step, let error) = session.take("connect") else {
            Issue.record("a second connect() was not refused")
            return
        }
        #expect(error.says == "SessionError.alreadyConnected")
        #expect(step.to == "connected")
        #expect(session.take("transport.ended").transition?.to == "error")
        #expect(session.take("teardown.done").transition?.to == "closed")
        #expect(session.isFinished)
    }

    @Test func whatHasNoRuleIsUndefinedAndChangesNothing() throws {
        var session = try machine("session", .android)
        let before = session.variables
        guard case .undefined(let step) = session.take("handshake.done") else {
            Issue.record("a handshake before connect() has a rule")
            return
        }
        #expect(
            step.description.hasPrefix("the machine `session` (android) does not define `handshake.done` in `idle`"))
        #expect(session.state == "idle" && session.variables == before)
        guard case .undefined(let unknown) = session.take("dance") else { return #expect(Bool(false)) }
        #expect(unknown.description == "the machine `session` (android) has no input `dance`")
        _ = session.take("connect")
        _ = session.take("handshake.done")
        guard case .undefined(let missing) = session.take("subscribe") else { return #expect(Bool(false)) }
        #expect(missing.reason == .missing("prefix"))
    }

    @Test func profilesDiffer() throws {
        for (profile, end) in [
            (MachineProfile.ios, "stopping"), (.android, "stopping"), (.androidDocumented, "publishing"),
        ] {
            var publisher = try machine("publisher", profile)
            _ = publisher.take("attached")
            _ = publisher.take("start", ["codecs": "supported"])
            _ = publisher.take("start.done")
            #expect(publisher.state == "publishing")
            _ = publisher.take("session.ended")
            #expect(publisher.state == end, "\(profile)")
        }
        var ios = try machine("data-track-emitter", .ios)
        var android = try machine("data-track-emitter", .android)
        for input in ["attach", "stop", "attach"] {
            _ = ios.take(input)
            _ = android.take(input)
        }
        #expect(ios.state == "stopped" && android.state == "attached")
    }

    @Test func whereTheSourceIsOpenTheCallerChooses() throws {
        var session = try machine("moqom-session", .moqom)
        for input in ["connect", "connected", "link.lost"] { _ = session.take(input) }
        var other = session
        #expect(session.take("still.lost", choosing: "away").transition?.isOpen == true)
        _ = other.take("still.lost", choosing: "reconnecting")
        #expect(session.state == "away" && other.state == "reconnecting")
    }

    @Test func aMonotonicSubscriptionSkipsAndOneOfArrivalRemembers() throws {
        func groups(_ delivery: MachineValue, _ sequence: [Int]) throws -> [Int] {
            var track = try machine("track-subscription", .ios)
            _ = track.take("subscribe", ["delivery": delivery])
            _ = track.take("accepted")
            return sequence.filter { group in
                let outcome = track.take("object", ["group": .number(group), "index": 0])
                return outcome.transition?.events.isEmpty == false
            }
        }
        #expect(try groups("monotonic", [1, 2, 4, 3, 5, 5, 2, 9]) == [1, 2, 4, 5, 9])
        #expect(try groups("arrival", [1, 2, 4, 5, 3, 4, 1, 6]) == [1, 2, 4, 5, 3, 6])
    }

    @Test func coverageCountsWhatWasTaken() throws {
        var coverage = TransitionCoverage()
        var session = try machine("session", .ios)
        coverage.add(session.take("connect"))
        coverage.add(session.take("connect"))
        coverage.add(session.take("dance"))
        var twice = coverage
        twice.add(coverage)
        #expect(twice.taken("session", .ios, "idle --connect--> connecting") == 2)
        #expect(twice.rows.map(\.key) == ["connecting --connect--x already_connected", "idle --connect--> connecting"])
        let total = try #require(twice.totals(of: .builtIn).first)
        #expect(total.machine == "session" && total.taken == 2 && total.all > 30)
        #expect(TransitionCoverage().totals(of: .builtIn).isEmpty)
    }

    @Test func everyTransitionHasAKeyOfItsOwnAndASource() {
        for definition in MachineLibrary.builtIn.definitions {
            #expect(TransitionCoverage.keys(of: definition).count == definition.rules.count, "\(definition.name)")
            #expect(definition.rules.allSatisfy { !$0.source.isEmpty })
        }
    }
}
