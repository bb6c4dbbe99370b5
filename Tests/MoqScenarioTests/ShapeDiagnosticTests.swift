import Testing

@testable import MoqScenario

/// Bad input, and the whole text that its author gets.
@Suite struct ShapeDiagnosticTests {
    @Test func keysOfTheFileAreMissingOrMistyped() {
        let result = load(
            #"""
            suite: Big Suite
            abuot: x
            defaults: { within: 5, timout: 3s }
            scenarios: {}

            """#)
        expectText(
            #"""
            x.yaml:1:8: error: `suite` is `Big Suite`
              1 | suite: Big Suite
                |        ^^^^^^^^^
                = expected: lower-case letters, digits, `-` and `.`

            x.yaml:2:1: error: unknown key `abuot` in the suite file
              2 | abuot: x
                | ^^^^^
                = expected: `about`
                = did you mean `about`?

            x.yaml:3:21: error: `within` is `5`, which has no unit
              3 | defaults: { within: 5, timout: 3s }
                |                     ^
                = expected: a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`
                = did you mean `5s`?

            x.yaml:3:24: error: unknown key `timout` in `defaults`
              3 | defaults: { within: 5, timout: 3s }
                |                        ^^^^^^
                = expected: one of `timeout`, `matrix`, `needs`, `tags`, `network`
                = did you mean `timeout`?

            x.yaml:4:1: error: the suite has no scenarios
              4 | scenarios: {}
                | ^^^^^^^^^
                = expected: a list, each scenario after a `- `

            5 errors
            """#, of: result)
    }

    @Test func aScenarioHasNothing() {
        let result = load(
            #"""
            suite: s
            about: x
            scenarios:
              - id: s.a

            """#)
        expectText(
            #"""
            x.yaml:4:5: error: `scenario` needs `title`, `requirements`, `actors` and `steps`
              4 |   - id: s.a
                |     ^

            1 error
            """#, of: result)
    }

    @Test func anIdBelongsToNobody() {
        let result = load(
            #"""
            suite: s
            about: x
            scenarios:
              - id: other
                title: t
                requirements: []
                actors: { a: session }
                steps:
                  - a.connect: {}

            """#)
        expectText(
            #"""
            x.yaml:4:9: warning: the id does not begin with that of its suite
              4 |   - id: other
                |         ^^^^^
                = expected: `s.` and a name
                = did you mean `s.other`?

            x.yaml:6:5: warning: the scenario checks no requirement
              6 |     requirements: []
                |     ^^^^^^^^^^^^

            2 warnings
            """#, of: result)
    }

    @Test func theListIsAMapping() {
        let result = load(
            #"""
            suite: s
            about: x
            scenarios:
              - id: s.a
                title: t
                requirements: [r]
                actors: { a: sesion, relay: session, b.c: session }
                steps: { a.connect: {} }

            """#)
        expectText(
            #"""
            x.yaml:7:18: error: `sesion` is not a kind of actor
              7 |     actors: { a: sesion, relay: session, b.c: session }
                |                  ^^^^^^
                = expected: one of `session`, `raw`, `relay`, `network`, `publisher`, `player`, `moqom`, `program`
                = did you mean `session`?

            x.yaml:7:26: error: `relay` is the name of the relay itself
              7 |     actors: { a: sesion, relay: session, b.c: session }
                |                          ^^^^^
                = expected: another name

            x.yaml:7:42: error: `b.c` cannot be the name of an actor
              7 |     actors: { a: sesion, relay: session, b.c: session }
                |                                          ^^^
                = expected: a letter, then letters, digits, `_` and `-`

            x.yaml:8:12: error: the steps of `scenario` are a mapping
              8 |     steps: { a.connect: {} }
                |            ^
                = expected: a list, each step after a `- `

            4 errors
            """#, of: result)
    }

    @Test func theMatrixIsWrong() {
        let result = load(
            #"""
            suite: s
            about: x
            defaults:
              matrix: { version: [moq-lite-6, 06..04], transport: [quick], size: [] }
            scenarios:
              - id: s.a
                title: t
                requirements: [r]
                actors: { a: session }
                steps:
                  - a.connect: { path: "${pth}" }

            """#)
        expectText(
            #"""
            x.yaml:4:23: error: `version` is `moq-lite-6`, which is not a version
              4 |   matrix: { version: [moq-lite-6, 06..04], transport: [quick], size: [] }
                |                       ^^^^^^^^^^
                = expected: one of `moq-lite-03`, `moq-lite-04`, `moq-lite-05`, `moq-lite-06`
                = did you mean `moq-lite-06`?

            x.yaml:4:35: error: `version` is `06..04`, which is backwards
              4 |   matrix: { version: [moq-lite-6, 06..04], transport: [quick], size: [] }
                |                                   ^^^^^^
                = expected: the older version first

            x.yaml:4:56: error: `transport` is `quick`
              4 |   matrix: { version: [moq-lite-6, 06..04], transport: [quick], size: [] }
                |                                                        ^^^^^
                = expected: one of `quic`, `auto`
                = did you mean `quic`?

            x.yaml:4:70: error: `size` has no values
              4 |   matrix: { version: [moq-lite-6, 06..04], transport: [quick], size: [] }
                |                                                                      ^

            x.yaml:11:28: error: the variable `${pth}` is not defined
              11 |       - a.connect: { path: "${pth}" }
                 |                            ^^^^^^^^
                 = expected: one of `${version}`, `${transport}`

            5 errors
            """#, of: result)
    }

    @Test func capabilitiesAndIsolationAreUnknown() {
        let result = load(
            suite(
                steps: #"""
                    - camera.connect: {}
                    - viewer.connect: {}
                    """#,
                more: #"""
                    needs: [path-scopping]
                        isolation: alone
                        timeout: 3
                        reached: [viewer was behind by 32, network lost some packets, viwer received at least 3 frames]
                    """#))
        expectText(
            #"""
            x.yaml:8:13: error: there is no capability `path-scopping`
              8 |     needs: [path-scopping]
                |             ^^^^^^^^^^^^^
                = expected: one of `path-scoping`, `group-budget`, `datagrams`, `fetch`
                = did you mean `path-scoping`?

            x.yaml:9:16: error: `isolation` is `alone`
              9 |     isolation: alone
                |                ^^^^^
                = expected: one of `path`, `namespace`

            x.yaml:10:14: error: `timeout` is `3`, which has no unit
              10 |     timeout: 3
                 |              ^
                 = expected: a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`
                 = did you mean `3s`?

            x.yaml:11:15: error: `reached` is `32`, which has no unit
              11 |     reached: [viewer was behind by 32, network lost some packets, viwer received at least 3 frames]
                 |               ^^^^^^^^^^^^^^^^^^^^^^^
                 = expected: a size with its unit (`B`, `KB`, `MB`, `KiB` or `MiB`), such as `64 KiB`
                 = did you mean `32B`?

            x.yaml:11:40: error: `reached` is `network lost some packets`
              11 |     reached: [viewer was behind by 32, network lost some packets, viwer received at least 3 frames]
                 |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^
                 = expected: `ACTOR was behind by SIZE`, `network lost at least N packets` (or an actor instead of `network`; or `delayed`, `duplicated`, `reordered`), `ACTOR received at least N frames` (or `groups`, `datagrams`) or `ACTOR was connected at least N times`

            x.yaml:11:67: error: `reached` speaks of `viwer`, which is not an actor
              11 |     reached: [viewer was behind by 32, network lost some packets, viwer received at least 3 frames]
                 |                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                 = expected: one of `camera`, `viewer`, `network`
                 = did you mean `viewer`?

            6 errors
            """#, of: result)
    }
}
