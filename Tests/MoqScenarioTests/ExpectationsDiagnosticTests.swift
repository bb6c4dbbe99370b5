import Testing

@testable import MoqScenario

/// Bad input, and the whole text that its author gets.
@Suite struct ExpectationsDiagnosticTests {
    @Test func nothingIsExpected() {
        let result = load(
            suite(
                steps: #"""
                    - viewer.expect: { within: 3s }
                    - camera.connect: {}
                    """#))
        expectText(
            #"""
            x.yaml:10:9: error: `viewer.expect` names nothing
              10 |       - viewer.expect: { within: 3s }
                 |         ^^^^^^^^^^^^^
                 = expected: what to look for, such as `announced: game` or `track: video` with `frames: 3`

            1 error
            """#, of: result)
    }

    @Test func aPropertyHasNoTrack() {
        let result = load(
            suite(
                steps: #"""
                    - viewer.expect: { frames: 3 }
                    - camera.connect: {}
                    """#))
        expectText(
            #"""
            x.yaml:10:26: error: `frames` says something about a track
              10 |       - viewer.expect: { frames: 3 }
                 |                          ^^^^^^
                 = expected: `track: NAME` beside it

            1 error
            """#, of: result)
    }

    @Test func aPropertyOfATrackIsMistyped() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.subscribe: { broadcast: game, track: video }
                    - viewer.expect: { track: video, frame: 3 }
                    - viewer.expect: { track: video, frames: at least 3 }
                    - viewer.expect: { track: video, broadcast: gme, frames: 3 }
                    - viewer.expect: { announced: true }
                    """#))
        let messages = result.diagnostics.map { "\($0.location.line): \($0.message); \($0.suggestion ?? "")" }
        #expect(
            messages == [
                "12: unknown key `frame` in `viewer.expect`; frames",
                "13: `frames` is `at least 3`; { at_least: 3 }",
                "15: `announced` is `true`; \"*\"",
            ])
    }

    @Test func aTrackIsLookedForInAnotherBroadcast() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.subscribe: { broadcast: game, track: video }
                    - viewer.expect: { track: video, broadcast: gme, frames: 3 }
                    """#))
        expectText(
            #"""
            x.yaml:12:51: error: viewer never subscribes to `video` in `gme` before this
              12 |       - viewer.expect: { track: video, broadcast: gme, frames: 3 }
                 |                                                   ^^^
                 = expected: `game`
                 = did you mean `game`?

            1 error
            """#, of: result)
    }

    @Test func aTrackHasNoProperty() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.subscribe: { broadcast: game, track: video }
                    - viewer.expect: { track: video }
                    - viewer.expect: { track: video, stopped: old }
                    - viewer.expect: { track: video, at_least: 3, frames: 2 }
                    """#))
        expectText(
            #"""
            x.yaml:12:26: error: nothing is expected of the track
              12 |       - viewer.expect: { track: video }
                 |                          ^^^^^
                 = expected: what should have come of it, such as `groups: 1`, `frames: 3` or `reset: not_found`

            x.yaml:13:40: error: `stopped` is about one group
              13 |       - viewer.expect: { track: video, stopped: old }
                 |                                        ^^^^^^^
                 = expected: `group: N` beside it

            x.yaml:14:9: error: there is nothing here that `count`, `at_least` or `at_most` could count
              14 |       - viewer.expect: { track: video, at_least: 3, frames: 2 }
                 |         ^^^^^^^^^^^^^
                 = expected: `frames: { at_least: 3 }` or `groups: 3`

            3 errors
            """#, of: result)
    }

    @Test func wordsOfExpectationsAreMistyped() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.expect: { anounced: game }
                    - viewer.expect: { session: conected }
                    - viewer.subscribe: { broadcast: game, track: video }
                    - viewer.expect: { track: video, ended: with_errors }
                    - viewer.expect: { track: video, order: upwards }
                    - viewer.never: { announced: game, within: 3s }
                    """#))
        expectText(
            #"""
            x.yaml:11:26: error: unknown key `anounced` in `viewer.expect`
              11 |       - viewer.expect: { anounced: game }
                 |                          ^^^^^^^^
                 = expected: one of 45 words, such as `announced`
                 = did you mean `announced`?

            x.yaml:12:35: error: `session` is `conected`
              12 |       - viewer.expect: { session: conected }
                 |                                   ^^^^^^^^
                 = expected: one of `connected`, `closed`, `refused`
                 = did you mean `connected`?

            x.yaml:14:47: error: `ended` is `with_errors`
              14 |       - viewer.expect: { track: video, ended: with_errors }
                 |                                               ^^^^^^^^^^^
                 = expected: one of `cleanly`, `any`, `with_error`
                 = did you mean `with_error`?

            x.yaml:15:47: error: `order` is `upwards`
              15 |       - viewer.expect: { track: video, order: upwards }
                 |                                               ^^^^^^^
                 = expected: `ascending`, `descending`, or the groups in a list

            x.yaml:16:42: error: `never` has no `within`: it says how long something must not happen
              16 |       - viewer.never: { announced: game, within: 3s }
                 |                                          ^^^^^^
                 = did you mean `for`?

            5 errors
            """#, of: result)
    }

    @Test func aCatalogIsExpectedWrongly() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.subscribe: { broadcast: game, track: catalog.json }
                    - viewer.expect: { catalog: { video: hd } }
                    - viewer.expect: { catalog: { vidoe: 1 } }
                    """#))
        expectText(
            #"""
            x.yaml:12:44: error: `video` is `hd`
              12 |       - viewer.expect: { catalog: { video: hd } }
                 |                                            ^^
                 = expected: how many renditions, or their names in a list
                 = did you mean `[hd]`?

            x.yaml:13:37: error: unknown key `vidoe` in `catalog`
              13 |       - viewer.expect: { catalog: { vidoe: 1 } }
                 |                                     ^^^^^
                 = expected: one of `broadcast`, `track`, `video`, `audio`, `older_than_seen`, `newest`
                 = did you mean `video`?

            2 errors
            """#, of: result)
    }

    @Test func nothingIsCounted() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.expect: { announced: [] }
                    - viewer.expect: { count: 3, any_of: [ { announced: a }, { count: 1 } ] }
                    - viewer.expect: { session: connected, at_least: 2 }
                    - viewer.expect: { announced: a, count: { at_least: 3, at_most: 1 } }
                    """#))
        expectText(
            #"""
            x.yaml:11:9: error: `viewer.expect` names nothing
              11 |       - viewer.expect: { announced: [] }
                 |         ^^^^^^^^^^^^^
                 = expected: what to look for, such as `announced: game` or `track: video` with `frames: 3`

            x.yaml:12:9: error: there is nothing here that `count`, `at_least` or `at_most` could count
              12 |       - viewer.expect: { count: 3, any_of: [ { announced: a }, { count: 1 } ] }
                 |         ^^^^^^^^^^^^^
                 = expected: the number beside what is counted, such as `announced: game`

            x.yaml:12:64: error: there is nothing here that `count`, `at_least` or `at_most` could count
              12 |       - viewer.expect: { count: 3, any_of: [ { announced: a }, { count: 1 } ] }
                 |                                                                ^
                 = expected: the number beside what is counted, such as `announced: game`

            x.yaml:13:26: error: `count` says nothing about `session`, which is a state
              13 |       - viewer.expect: { session: connected, at_least: 2 }
                 |                          ^^^^^^^

            x.yaml:14:47: error: `count` cannot be at least 3 and at most 1
              14 |       - viewer.expect: { announced: a, count: { at_least: 3, at_most: 1 } }
                 |                                               ^

            5 errors
            """#, of: result)
    }
}
