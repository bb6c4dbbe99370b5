import Testing

@testable import MoqScenario

/// Bad input, and the whole text that its author gets.
@Suite struct ValuesDiagnosticTests {
    @Test func valuesHaveTheWrongType() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: { video: { priority: 300, ordered: yes, timescale: "1000" } } }
                    - viewer.subscribe: [game, video]
                    - camera.write: { track: video, frames: many, groups: -1 }
                    """#))
        expectText(
            #"""
            x.yaml:10:73: error: `priority` is `300`
              10 |       - camera.publish: { broadcast: game, tracks: { video: { priority: 300, ordered: yes, timescale: "1000" } } }
                 |                                                                         ^^^
                 = expected: a whole number from 0 to 255

            x.yaml:10:87: error: `ordered` is `yes`
              10 |       - camera.publish: { broadcast: game, tracks: { video: { priority: 300, ordered: yes, timescale: "1000" } } }
                 |                                                                                       ^^^
                 = expected: `true` or `false`
                 = did you mean `true`?

            x.yaml:10:103: error: `timescale` is a text in quotes
              10 |       - camera.publish: { broadcast: game, tracks: { video: { priority: 300, ordered: yes, timescale: "1000" } } }
                 |                                                                                                       ^^^^^^
                 = expected: a whole number
                 = did you mean `1000`?

            x.yaml:11:27: error: `viewer.subscribe` is a list
              11 |       - viewer.subscribe: [game, video]
                 |                           ^
                 = expected: a mapping, such as `{ key: value }`

            x.yaml:12:47: error: `frames` is `many`
              12 |       - camera.write: { track: video, frames: many, groups: -1 }
                 |                                               ^^^^
                 = expected: a whole number from 0 to 10000000

            x.yaml:12:61: error: `groups` is `-1`
              12 |       - camera.write: { track: video, frames: many, groups: -1 }
                 |                                                             ^^
                 = expected: a whole number from 1 to 100000

            6 errors
            """#, of: result)
    }

    @Test func unitsAreMissingOrUnknown() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - camera.write: { track: video, size: 64, pace: fast }
                    - camera.write: { track: video, size: 64 kib, pace: 20sec }
                    - viewer.expect: { announced: game, within: 5 }
                    - network.set: { delay: 10, loss: 0.02, rate: 10 mbps }
                    - viewer.expect: { announced: game, within: 2 days }
                    """#))
        expectText(
            #"""
            x.yaml:11:45: error: `size` is `64`, which has no unit
              11 |       - camera.write: { track: video, size: 64, pace: fast }
                 |                                             ^^
                 = expected: a size with its unit (`B`, `KB`, `MB`, `KiB` or `MiB`), such as `64 KiB`
                 = did you mean `64B`?

            x.yaml:11:55: error: `pace` is `fast`
              11 |       - camera.write: { track: video, size: 64, pace: fast }
                 |                                                       ^^^^
                 = expected: `as_fast_as_possible`, the time between frames (`20ms`), or frames a second (`50/s`)

            x.yaml:12:45: error: `size` is `64 kib`, and `kib` is not a unit here
              12 |       - camera.write: { track: video, size: 64 kib, pace: 20sec }
                 |                                             ^^^^^^
                 = expected: a size with its unit (`B`, `KB`, `MB`, `KiB` or `MiB`), such as `64 KiB`
                 = did you mean `64 KiB`?

            x.yaml:12:59: error: `pace` is `20sec`, and `sec` is not a unit here
              12 |       - camera.write: { track: video, size: 64 kib, pace: 20sec }
                 |                                                           ^^^^^
                 = expected: a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`
                 = did you mean `20s`?

            x.yaml:13:51: error: `within` is `5`, which has no unit
              13 |       - viewer.expect: { announced: game, within: 5 }
                 |                                                   ^
                 = expected: a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`
                 = did you mean `5s`?

            x.yaml:14:31: error: `delay` is `10`, which has no unit
              14 |       - network.set: { delay: 10, loss: 0.02, rate: 10 mbps }
                 |                               ^^
                 = expected: a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`
                 = did you mean `10ms`?

            x.yaml:14:41: error: `loss` is `0.02`, which has no unit
              14 |       - network.set: { delay: 10, loss: 0.02, rate: 10 mbps }
                 |                                         ^^^^
                 = expected: a share in percent, such as `2%`
                 = did you mean `2%`?

            x.yaml:14:53: error: `rate` is `10 mbps`, and `mbps` is not a unit here
              14 |       - network.set: { delay: 10, loss: 0.02, rate: 10 mbps }
                 |                                                     ^^^^^^^
                 = expected: a rate with its unit (`kbit/s`, `Mbit/s`, `Gbit/s`, `KiB/s` or `MiB/s`), such as `10 Mbit/s`
                 = did you mean `10 Mbit/s`?

            x.yaml:15:51: error: `within` is `2 days`, and `days` is not a unit here
              15 |       - viewer.expect: { announced: game, within: 2 days }
                 |                                                   ^^^^^^
                 = expected: a duration with its unit (`us`, `ms`, `s`, `min` or `h`), such as `500ms`

            9 errors
            """#, of: result)
    }

    @Test func codesAreUnknown() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - camera.refuse: { track: nope, code: notfound }
                    - camera.abort: { track: video, code: app(70000) }
                    - viewer.subscribe: { broadcast: game, track: video }
                    - viewer.expect: { track: video, reset: [lagged, old] }
                    - viewer.expect: { track: video, reset: { any_of: [laged, old] } }
                    """#))
        expectText(
            #"""
            x.yaml:11:45: error: `code` is `notfound`, which is not a condition
              11 |       - camera.refuse: { track: nope, code: notfound }
                 |                                             ^^^^^^^^
                 = expected: one of `not_found`, `dropped`, `closed`, `lagged`, `old`, `evicted`, `unauthorized`, `cancelled`, `protocol_violation`, `unroutable`
                 = did you mean `not_found`?

            x.yaml:12:45: error: `code` is `app(70000)`
              12 |       - camera.abort: { track: video, code: app(70000) }
                 |                                             ^^^^^^^^^^
                 = expected: `app(N)` with N from 0 to 65535

            x.yaml:14:47: error: `reset` is a list
              14 |       - viewer.expect: { track: video, reset: [lagged, old] }
                 |                                               ^
                 = expected: a set of codes is written `{ any_of: [...] }`

            x.yaml:15:58: error: `any_of` is `laged`, which is not a condition
              15 |       - viewer.expect: { track: video, reset: { any_of: [laged, old] } }
                 |                                                          ^^^^^
                 = expected: one of `not_found`, `dropped`, `closed`, `lagged`, `old`, `evicted`, `unauthorized`, `cancelled`, `protocol_violation`, `unroutable`
                 = did you mean `lagged`?

            4 errors
            """#, of: result)
    }

    @Test func keysExcludeEachOther() {
        let result = load(
            suite(
                steps: #"""
                    - camera.publish: { broadcast: game, tracks: [video] }
                    - camera.write: { track: video, group: 1, groups: 3 }
                    - camera.write: { track: video, frames: 3, sizes: [1 B, 2 B] }
                    - viewer.send_raw: { stream: bidi, hex: "0g", finish: true, reset: old }
                    """#))
        expectText(
            #"""
            x.yaml:11:49: error: `camera.write` has both `group` and `groups`: `group` writes into one group, `groups` writes whole ones
              11 |       - camera.write: { track: video, group: 1, groups: 3 }
                 |                                                 ^^^^^^
                 = expected: one of the two

            x.yaml:12:50: error: `frames` is 3, but `sizes` has 2
              12 |       - camera.write: { track: video, frames: 3, sizes: [1 B, 2 B] }
                 |                                                  ^^^^^
                 = expected: `sizes` alone: it says how many

            x.yaml:13:47: error: `hex` has `g` where a hexadecimal digit should be
              13 |       - viewer.send_raw: { stream: bidi, hex: "0g", finish: true, reset: old }
                 |                                               ^^^^
                 = expected: pairs of hexadecimal digits, `[ ... ]` or `<WORD ...>`, such as `"02 [ 09 <path game> ff ]"`

            x.yaml:13:67: error: `viewer.send_raw` has both `finish` and `reset`: a stream ends once
              13 |       - viewer.send_raw: { stream: bidi, hex: "0g", finish: true, reset: old }
                 |                                                                   ^^^^^
                 = expected: one of the two

            4 errors
            """#, of: result)
    }
}
