import Testing

@testable import MoqScenario

/// The actors that are client kits: what they take, and what is found wrong with its place.
@Suite struct ClientTests {
    private func file(_ steps: String) -> String {
        """
        suite: tested
        about: Client kits.
        scenarios:
          - id: tested.one
            title: One
            requirements: [test.one]
            actors:
              studio: { kind: publisher, profile: android }
              couch: { kind: player, profile: ios }
            steps:
              - studio.connect: {}
              - couch.connect: {}
        \(steps)
        """
    }

    private func complaints(_ steps: String) -> [String] {
        load(file(steps), path: "tested.yaml").diagnostics.map(\.message)
    }

    @Test func callsAndExpectationsAreRead() {
        #expect(
            complaints(
                """
                      - studio.add_data_track: { name: chat }
                      - studio.publish: { path: live/a }
                      - studio.start: {}
                      - studio.start: { error: already_started }
                      - couch.subscribe: { prefix: live }
                      - couch.subscribe_track: { track: chat, delivery: arrival }
                      - couch.subscribe_track: { track: other, error: not_found }
                      - couch.play: { error: { any_of: [24, app(7)] } }
                      - couch.expect: { data: { track: chat, groups: [0], ended: any, code: dropped } }
                      - couch.expect: { stats: { stalls: 0, latency: "< 300 ms", video_fps: "none" }, for: 1s }
                      - couch.expect: { player: created, session: [connecting, connected], event: playback.end, count: 0 }
                """) == [])
    }

    @Test(
        arguments: [
            ("studio.publish: { pat: x }", "unknown key `pat` in `studio.publish`"),
            ("studio.play: {}", "`play` is not a verb of `studio`, which is a publisher"),
            ("studio.send: { track: chat }", "studio adds no track `chat` before this"),
            ("couch.play: {}", "`couch` has no broadcast at this point"),
            ("couch.expect: { event: playback.begin }", "`event` is `playback.begin`"),
            ("couch.expect: { player: running }", "`running` is not a state of `player`"),
            ("couch.expect: { stats: { stall: 0 } }", "`stall` is not a figure of the statistics"),
            ("couch.expect: { stats: { latency: 300 } }", "`latency` is `300`, which has no unit"),
            ("couch.expect: { is: away }", "`is` is `away`"),
            ("studio.start: { error: not_found }", "`error` is `not_found`"),
            ("couch.connect: { error: already_conected }", "`error` is `already_conected`"),
            ("couch.expect: { data: { track: chat } }", "couch never subscribes to `chat` before this"),
            ("couch.expect: { seen: { pictures: 3 } }", "`couch` does not decode, so nothing of what it plays is seen"),
            ("couch.subscribe: { catalog: zipped }", "`catalog` is `zipped`"),
            ("studio.move_clock: { back: true }", "`studio.move_clock` moves no clock"),
            ("studio.move_clock: { video: 5 }", "`video` is `5`, which has no unit"),
            ("studio.damage: { name: camera }", "studio adds no track `camera` before this"),
            ("studio.add_video_track: { name: camera, container: mkv }", "`container` is `mkv`"),
            (
                "studio.add_data_track: { name: chat, container: loc }",
                "unknown key `container` in `studio.add_data_track`"
            ),
        ])
    func whatIsWrongIsNamed(_ step: String, _ message: String) {
        // One call alone is also complained about as a scenario that expects nothing.
        let expectsNothing = "the scenario expects nothing, so only what is always checked can fail"
        #expect(complaints("      - \(step)").filter { $0 != expectsNothing } == [message])
    }

    @Test func whatAPlayerSeesIsReadWhereItDecodes() {
        let steps = """
                  - couch.expect: { seen: { pictures: ">= 3", av_offset: "< 80 ms", first_picture: "none" } }
                  - couch.expect: { seen: { picture: 3 } }
                  - couch.expect: { seen: { av_offset: 80 } }
            """
        let text = file(steps).replacing("kind: player, profile: ios", with: "kind: player, profile: ios, decode: true")
        #expect(
            load(text, path: "tested.yaml").diagnostics.map(\.message) == [
                "`picture` is not something that is seen or heard", "`av_offset` is `80`, which has no unit",
            ])
    }

    @Test func syntheticFramesHaveNothingToMakeAnInitialisationOf() {
        let complaint =
            "frames of a synthetic capture cannot be packed as cmaf: its initialisation is made of a decoder's description"
        let capture = "      - studio.start_capture: { video: synthetic }\n"
        let add = "      - studio.add_video_track: { name: camera, container: cmaf"
        #expect(complaints(capture + add + " }").contains(complaint))
        #expect(!complaints(capture + add + ", source: a.mp4 }").contains(complaint))
        #expect(!complaints(capture + add.replacing("cmaf", with: "loc") + " }").contains(complaint))
    }

    @Test func anUnknownProfileIsNamed() {
        let text = file("").replacing("profile: ios", with: "profile: web")
        #expect(load(text, path: "tested.yaml").diagnostics.map(\.message).contains("`profile` is `web`"))
    }
}
