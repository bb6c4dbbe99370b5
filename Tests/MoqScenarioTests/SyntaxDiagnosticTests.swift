import Testing

@testable import MoqScenario

/// Bad input, and the whole text that its author gets.
@Suite struct SyntaxDiagnosticTests {
    @Test func aTabIndents() {
        let result = load(
            #"""
            suite: s
            about: x
            scenarios:
            \#t- id: a

            """#)
        expectText(
            #"""
            x.yaml:4:1: error: YAML does not allow a tab here
              4 |  - id: a
                | ^
                = expected: spaces

            1 error
            """#, of: result)
    }

    @Test func aFlowMappingIsNotClosed() {
        let result = load(
            #"""
            suite: s
            about: { a: 1
            scenarios: []

            """#)
        expectText(
            #"""
            x.yaml:3:10: error: this is not YAML: did not find expected ',' or '}' (while parsing a flow mapping at line 2)
              3 | scenarios: []
                |          ^

            1 error
            """#, of: result)
    }

    @Test func aVariableInsideBracesHasNoQuotes() {
        let result = load(
            #"""
            suite: s
            about: x
            scenarios:
              - { id: s.a, title: ${i} }

            """#)
        expectText(
            #"""
            x.yaml:4:24: error: this is not YAML: did not find expected ',' or '}'
              4 |   - { id: s.a, title: ${i} }
                |                        ^
                = expected: quotes around a variable inside `{ }` and `[ ]`: `"${i}"`

            1 error
            """#, of: result)
    }

    @Test func aKeyIsThereTwice() {
        let result = load(
            #"""
            suite: s
            about: x
            about: y
            scenarios: []

            """#)
        expectText(
            #"""
            x.yaml:3:1: error: the key `about` is here twice: it is already on line 2
              3 | about: y
                | ^^^^^
                = expected: every key once

            x.yaml:4:1: error: the suite has no scenarios
              4 | scenarios: []
                | ^^^^^^^^^
                = expected: a list, each scenario after a `- `

            2 errors
            """#, of: result)
    }

    @Test func theFileIsEmpty() {
        let result = load(
            #"""
            # nothing

            """#)
        expectText(
            #"""
            x.yaml:1:1: error: the file is empty
              1 | # nothing
                | ^
                = expected: a suite: `suite`, `about` and `scenarios`

            1 error
            """#, of: result)
    }

    @Test func anAliasHasNoAnchor() {
        let result = load(
            #"""
            suite: s
            x-base: &base { a: 1 }
            about: *bsae

            """#)
        expectText(
            #"""
            x.yaml:3:8: error: there is no anchor `&bsae` before this alias
              3 | about: *bsae
                |        ^^^^^
                = did you mean `*base`?

            1 error
            """#, of: result)
    }

    @Test func aControlCharacterIsInTheFile() {
        let result = load(
            #"""
            suite: s
            about: a\#u{7}b

            """#)
        expectText(
            #"""
            x.yaml:2:9: error: this is not text that YAML allows: control characters are not allowed
              2 | about: a�b
                |         ^
                = expected: UTF-8 without control characters

            1 error
            """#, of: result)
    }

    @Test func thereAreTwoDocuments() {
        let result = load(
            #"""
            suite: s
            about: x
            scenarios: []
            ---
            suite: t

            """#)
        expectText(
            #"""
            x.yaml:3:1: error: the suite has no scenarios
              3 | scenarios: []
                | ^^^^^^^^^
                = expected: a list, each scenario after a `- `

            x.yaml:4:1: error: the file holds more than one document
              4 | ---
                | ^^^
                = expected: one suite in a file

            2 errors
            """#, of: result)
    }
}
