import Testing

@testable import MoqScenario

/// Bad input, and the whole text that its author gets.
@Suite struct MeaningDiagnosticTests {
    @Test func aTrackIsWrittenThatNobodyPublished() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video, audio] }
                    - camera.write: { track: vidoe, frames: 1 }
                    - viewer.subscribe: { broadcast: game, track: video }
                    - viewer.expect: { track: vide, frames: 1 }
                    - viewer.expect: { catalog: { video: 1 } }
                    """#))
        expectText(
            #"""
            x.yaml:11:32: error: camera does not publish `vidoe` before this
              11 |       - camera.write: { track: vidoe, frames: 1 }
                 |                                ^^^^^
                 = expected: one of `video`, `audio`
                 = did you mean `video`?

            x.yaml:13:33: error: viewer never subscribes to `vide` before this
              13 |       - viewer.expect: { track: vide, frames: 1 }
                 |                                 ^^^^
                 = expected: `video`
                 = did you mean `video`?

            x.yaml:14:26: error: viewer never subscribes to `catalog.json` before this
              14 |       - viewer.expect: { catalog: { video: 1 } }
                 |                          ^^^^^^^
                 = expected: `video`

            3 errors
            """#, of: result)
    }

    @Test func aTrackMayBeInTwoBroadcasts() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: a, tracks: [video] }
                    - camera.publish: { broadcast: b, tracks: [video] }
                    - camera.write: { track: video }
                    - viewer.expect: { announced: a }
                    """#))
        expectText(
            #"""
            x.yaml:12:32: error: `video` may be in `a` and `b`
              12 |       - camera.write: { track: video }
                 |                                ^^^^^
                 = expected: `broadcast` beside it

            1 error
            """#, of: result)
    }

    @Test func aBroadcastIsNearlyTheOneThatIsPublished() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - viewer.expect: { announced: gmae }
                    - viewer.subscribe: { broadcast: game, track: vidoe }
                    """#))
        expectText(
            #"""
            x.yaml:11:37: warning: nobody publishes a broadcast `gmae`
              11 |       - viewer.expect: { announced: gmae }
                 |                                     ^^^^
                 = did you mean `game`?

            x.yaml:12:53: warning: nobody publishes a track `vidoe` in `game`
              12 |       - viewer.subscribe: { broadcast: game, track: vidoe }
                 |                                                     ^^^^^
                 = did you mean `video`?

            2 warnings
            """#, of: result)
    }

    @Test func aStepComesAfterTheEndOfItsSession() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - camera.vanish: {}
                    - camera.write: { track: video }
                    - viewer.expect: { announced: game }
                    """#))
        expectText(
            #"""
            x.yaml:12:9: warning: this cannot happen: `camera` is gone since its `vanish` on line 11
              12 |       - camera.write: { track: video }
                 |         ^^^^^^^^^^^^
                 = expected: `camera.connect` before it

            1 warning
            """#, of: result)
    }

    @Test func aRepeatNeverEnds() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - repeat:
                        times: forever
                        steps:
                          - camera.write: { track: video }
                    - viewer.expect: { announced: game }
                    """#))
        expectText(
            #"""
            x.yaml:11:9: error: this repeat never ends, and nothing runs beside it to stop it
              11 |       - repeat:
                 |         ^^^^^^
                 = expected: a number of `times`, or a place in `parallel`

            x.yaml:15:9: warning: this is never reached: the repeat on line 11 never ends
              15 |       - viewer.expect: { announced: game }
                 |         ^^^^^^^^^^^^^

            1 error, 1 warning
            """#, of: result)
    }

    @Test func namesOfStepsAreMistyped() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                      name: live
                    - after: { step: lvie, delay: 1s, steps: [ { viewer.connect: {} } ] }
                    - viewer.expect: { stream: { label: raw, reset: any } }
                    """#))
        expectText(
            #"""
            x.yaml:12:24: error: no step before this one is named `lvie`
              12 |       - after: { step: lvie, delay: 1s, steps: [ { viewer.connect: {} } ] }
                 |                        ^^^^
                 = expected: `live`
                 = did you mean `live`?

            x.yaml:13:43: error: no `send_raw` before this has `as: raw`
              13 |       - viewer.expect: { stream: { label: raw, reset: any } }
                 |                                           ^^^

            2 errors
            """#, of: result)
    }

    @Test func nothingIsCheckedAndAnActorIsIdle() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    """#))
        expectText(
            #"""
            x.yaml:4:5: warning: the scenario expects nothing, so only what is always checked can fail
              4 |   - id: s.one
                |     ^

            x.yaml:8:32: warning: the actor `viewer` does nothing
              8 |     actors: { camera: session, viewer: session }
                |                                ^^^^^^

            2 warnings
            """#, of: result)
    }

    @Test func aVariableIsUsedByNothing() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: ["${track}"] }
                    - viewer.expect: { announced: game }
                    """#
            ).replacing("matrix: { version: 06 }", with: "matrix: { versions: 05.., track: [audio, video] }"))
        expectText(
            #"""
            x.yaml:7:15: warning: nothing uses the variable `versions`: its cases do all the same
              7 |     matrix: { versions: 05.., track: [audio, video] }
                |               ^^^^^^^^
                = expected: `${versions}` in a step, an actor or another key
                = did you mean `version`?

            1 warning
            """#, of: result)
    }

    @Test func aNeverHasNoTime() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.never: { announced: game }
                    """#))
        expectText(
            #"""
            x.yaml:11:9: warning: nothing follows, so there is no time in which it could happen
              11 |       - viewer.never: { announced: game }
                 |         ^^^^^^^^^^^^
                 = expected: `for` a time, or a place before the steps during which it must not happen

            1 warning
            """#, of: result)
    }

    @Test func theDeadlineOfTheCaseIsShorterThanThoseOfItsSteps() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.expect: { announced: game, within: 40s }
                    """#,
                more: #"""
                    timeout: 10s
                    """#))
        expectText(
            #"""
            x.yaml:8:5: warning: the steps may take up to 45s by their own deadlines
              8 |     timeout: 10s
                |     ^^^^^^^
                = expected: a `timeout` above that, or shorter deadlines of the steps

            1 warning
            """#, of: result)
    }
}
