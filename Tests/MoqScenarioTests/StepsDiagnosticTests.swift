import Testing

@testable import MoqScenario

/// Bad input, and the whole text that its author gets.
@Suite struct StepsDiagnosticTests {
    @Test func anActorIsMistyped() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - viwer.subscribe: { broadcast: game, track: video }
                    - viewer.connect: {}
                    """#))
        expectText(
            #"""
            x.yaml:11:9: error: there is no actor `viwer`
              11 |       - viwer.subscribe: { broadcast: game, track: video }
                 |         ^^^^^^^^^^^^^^^
                 = expected: one of `camera`, `viewer`, `relay`, `network`
                 = did you mean `viewer`?

            1 error
            """#, of: result)
    }

    @Test func aVerbIsMistyped() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publsih: { broadcast: game, tracks: [video] }
                    - relay.reboot: {}
                    - network.clear: {}
                    - viewer.connect: {}
                    """#))
        expectText(
            #"""
            x.yaml:10:16: error: `publsih` is not a verb of `camera`, which is a session
              10 |       - camera.publsih: { broadcast: game, tracks: [video] }
                 |                ^^^^^^^
                 = expected: one of 29 words, such as `publish`
                 = did you mean `publish`?

            x.yaml:11:15: error: `reboot` is not a verb of the relay
              11 |       - relay.reboot: {}
                 |               ^^^^^^
                 = expected: one of `start`, `stop`, `restart`, `signal`, `expect`

            x.yaml:12:17: error: `clear` is not a verb of `network`, which is a network
              12 |       - network.clear: {}
                 |                 ^^^^^
                 = expected: one of `set`, `cut`, `restore`

            3 errors
            """#, of: result)
    }

    @Test func aStructureIsMistyped() {
        let result = load(
            suite(
                steps: #"""
                    - paralell:
                        - camera.connect: {}
                    - camera.vanish
                    - viewer.connect: {}
                      viewer.close: {}
                    """#))
        expectText(
            #"""
            x.yaml:10:9: error: `paralell` is not a step
              10 |       - paralell:
                 |         ^^^^^^^^
                 = expected: one of `parallel`, `repeat`, `after`, `wait`, `actor.verb`
                 = did you mean `parallel`?

            x.yaml:12:9: error: a step is `camera.vanish`
              12 |       - camera.vanish
                 |         ^^^^^^^^^^^^^
                 = expected: `actor.verb: { ... }`, `parallel`, `repeat`, `after` or `wait`
                 = did you mean `camera.vanish: {}`?

            x.yaml:14:9: error: a step does one thing, and this one has `viewer.connect` and `viewer.close`
              14 |         viewer.close: {}
                 |         ^^^^^^^^^^^^
                 = expected: a `- ` before `viewer.close`, or its arguments inside `{ }`

            3 errors
            """#, of: result)
    }

    @Test func keysOfAVerbAreMistypedOrMissing() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, track: [video] }
                    - viewer.subscribe: { brodcast: game, track: video, priorty: 3 }
                    - viewer.fetch: { broadcast: game }
                    """#))
        expectText(
            #"""
            x.yaml:10:44: error: unknown key `track` in `camera.publish`
              10 |       - camera.publish: { broadcast: game, track: [video] }
                 |                                            ^^^^^
                 = expected: one of `tracks`, `hops`, `cost`
                 = did you mean `tracks`?

            x.yaml:11:29: error: unknown key `brodcast` in `viewer.subscribe`
              11 |       - viewer.subscribe: { brodcast: game, track: video, priorty: 3 }
                 |                             ^^^^^^^^
                 = expected: one of `broadcast`, `priority`, `ordered`, `max_age`, `start`, `end`, `frame_start`, `frame_end`, `as`
                 = did you mean `broadcast`?

            x.yaml:11:59: error: unknown key `priorty` in `viewer.subscribe`
              11 |       - viewer.subscribe: { brodcast: game, track: video, priorty: 3 }
                 |                                                           ^^^^^^^
                 = expected: one of `broadcast`, `priority`, `ordered`, `max_age`, `start`, `end`, `frame_start`, `frame_end`, `as`
                 = did you mean `priority`?

            x.yaml:12:9: error: `viewer.fetch` needs `track` and `group`
              12 |       - viewer.fetch: { broadcast: game }
                 |         ^^^^^^^^^^^^

            4 errors
            """#, of: result)
    }

    @Test func aWaitIsALastResort() {
        let result = load(
            suite(
                steps: #"""
                    - viewer.connect: {}
                    - camera.connect: {}
                    - wait: 2s
                    """#))
        expectText(
            #"""
            x.yaml:12:9: warning: `wait` makes a verdict depend on how fast the machine is
              12 |       - wait: 2s
                 |         ^^^^
                 = expected: an `expect` of what is waited for, or `never` with `for`

            1 warning
            """#, of: result)
    }

    @Test func aRepeatIsWrong() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - repeat:
                        times: often
                        every: 10
                        steps:
                          - camera.write: { track: video, group: "${j}" }
                    - viewer.connect: {}
                    """#))
        expectText(
            #"""
            x.yaml:12:18: error: `times` is `often`
              12 |           times: often
                 |                  ^^^^^
                 = expected: a whole number, or `forever`

            x.yaml:13:18: error: `every` is `10`, which has no unit
              13 |           every: 10
                 |                  ^^
                 = expected: a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`
                 = did you mean `10ms`?

            x.yaml:15:52: error: the variable `${j}` is not defined
              15 |             - camera.write: { track: video, group: "${j}" }
                 |                                                    ^^^^^^
                 = expected: one of `${version}`, `${transport}`, `${i}`
                 = did you mean `${i}`?

            3 errors
            """#, of: result)
    }

    @Test func onlyTheLastRoundIsWrong() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - viewer.subscribe: { broadcast: game, track: video }
                    - repeat:
                        times: 300
                        steps:
                          - viewer.update: { track: video, priority: "${i}" }
                    """#))
        expectText(
            #"""
            x.yaml:15:56: error: `priority` is `299`
              15 |             - viewer.update: { track: video, priority: "${i}" }
                 |                                                        ^^^^^^
                 = expected: a whole number from 0 to 255

            1 error
            """#, of: result)
    }

    @Test func repeatsAreInsideEachOther() {
        let result = load(
            suite(
                steps: #"""
                    - repeat: { times: 2, steps: [ { repeat: { times: 2, steps: [ { repeat: { times: 2, steps: [ { repeat: { times: 2, steps: [ { repeat: { times: 2, steps: [ { camera.probe: {} } ] } } ] } } ] } } ] } } ] }
                    - viewer.connect: {}
                    """#))
        expectText(
            #"""
            x.yaml:10:133: error: more than 4 repeats are inside each other here
              10 | ...times: 2, steps: [ { repeat: { times: 2, steps: [ { repeat: { times: 2, steps: [ { repeat: { times: 2, steps: [ { camera.probe: {} } ] } } ] } } ] } } ] } } ] }
                 |                                                                                       ^^^^^^

            1 error
            """#, of: result)
    }
}
