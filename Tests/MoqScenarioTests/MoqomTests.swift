import Testing

@testable import MoqScenario

/// The actors that are sessions of MoqomKit: what they take, and what is found wrong with its place.
@Suite struct MoqomTests {
    private func file(_ steps: String, _ bea: String = "{ kind: moqom, token: { expires: 4s } }") -> String {
        """
        suite: tested
        about: Rooms.
        scenarios:
          - id: tested.one
            title: One
            requirements: [test.one]
            actors:
              ana: { kind: moqom, role: host }
              bea: \(bea)
            steps:
              - ana.connect: {}
              - bea.connect: {}
              - ana.expect: { session: established }
        \(steps)
        """
    }

    private func complaints(_ text: String) -> [String] {
        load(text, path: "tested.yaml").diagnostics.map(\.message)
    }

    @Test func callsAndExpectationsAreRead() {
        #expect(
            complaints(
                file(
                    """
                          - ana.join: { room: den }
                          - bea.join: { room: den }
                          - bea.token_service: { answers: refuses }
                          - ana.invite: { who: bea, offered: [publish, moderate], expires_after: 3s }
                          - bea.accept: {}
                          - bea.start_broadcast: {}
                          - bea.start: { backstage: true }
                          - bea.go_live: { kind: video }
                          - ana.expect: { media: { from: bea, kind: video, at_least: 2 }, broadcasters: [bea] }
                          - ana.expect: { participant: { name: bea, presence: present, grants: [], audio: self } }
                          - bea.expect: { session: [connecting, established], me: { audio: held }, within: 3s }
                          - ana.never: { event: { type: participantLeft, who: bea, why: evicted }, for: 1s }
                          - ana.kick: { who: nobody, error: unknown_participant }
                    """)) == [])
    }

    @Test(
        arguments: [
            ("ana.join: { rom: den }", "unknown key `rom` in `ana.join`"),
            ("ana.publish: { path: a }", "`publish` is not a verb of `ana`, which is a moqom"),
            ("ana.mute_self: {}", "`ana` is in no room at this point"),
            ("ana.token_service: { answers: grants }", "`ana` has no token that lapses"),
            ("ana.connect: { error: alreadyConnected }", "`error` is `alreadyConnected`"),
            ("ana.expect: { event: participantGone }", "`event` is `participantGone`"),
            ("ana.expect: { session: connected }", "`connected` is not a state of `session`"),
            ("ana.expect: { roster: [bea], room: den }", "ana has not joined `den` before this"),
            ("ana.expect: { participant: { name: bea, presence: away } }", "`presence` is `away`"),
            ("ana.expect: { me: {} }", "`me` expects nothing"),
            (
                "ana.expect: { roster: [bea], count: 2 }",
                "there is nothing here that `count`, `at_least` or `at_most` could count"
            ),
        ])
    func whatIsWrongIsNamed(_ step: String, _ message: String) {
        #expect(complaints(file("      - \(step)")) == [message])
    }

    @Test(
        arguments: [
            ("ana.start: {}", "`ana` has no handle of video at this point"),
            ("ana.accept: {}", "nobody has invited `ana` or asked for the stage before this"),
            ("ana.kick: { who: beo }", "nobody of this scenario is called `beo`"),
            ("ana.mute_self: { room: dan }", "ana has not joined `dan` before this"),
            ("ana.mute_self: { kind: sound }", "`kind` is `sound`"),
            ("ana.grant: { who: bea, grants: [publsh] }", "`grants` is `publsh`"),
        ])
    func whatCannotBeInARoomIsNamed(_ step: String, _ message: String) {
        #expect(complaints(file("      - ana.join: { room: den }\n      - \(step)")) == [message])
    }

    @Test func inTwoRoomsACallNamesOne() {
        let steps = "      - ana.join: { room: den }\n      - ana.join: { room: hall }\n      - ana.mute_self: {}"
        #expect(complaints(file(steps)) == ["this may be in `den` or `hall`"])
    }

    @Test(
        arguments: [
            ("{ kind: moqom, renew: { before: 1s } }", "the token of `bea` never lapses, so there is nothing to renew"),
            (
                "{ kind: moqom, token: { expires: 2s }, renew: { before: 3s } }",
                "the token of `bea` is to be renewed before it is given"
            ),
            ("{ kind: moqom, role: guest }", "`role` is `guest`"),
            ("{ kind: moqom, profile: ios }", "unknown key `profile` in `bea`"),
            ("{ kind: moqom, user: a/b }", "`a/b` cannot be the `user` of `bea`"),
        ])
    func whatIsDeclaredWronglyIsNamed(_ declaration: String, _ message: String) {
        #expect(complaints(file("", declaration)) == [message])
    }

    @Test func aSlipHasASuggestion() {
        let found = load(file("      - ana.expect: { event: participantJoinde }"), path: "tested.yaml").diagnostics
        #expect(found.map(\.suggestion) == ["participantJoined"])
        #expect(found.first?.location.line == 14)
    }
}
