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
                = expected: a `,` before the next item, or the `}` that closes what line 2 opens

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

    @Test func theColonOfAKeyHasNoBlank() {
        expectSyntaxError(
            "suite: s\nabout: x\nscenarios:\n  - id: s.a\n    steps:\n      - a.write:{ track: v, groups: 1 }\n",
            #"""
            x.yaml:6:35: error: this is not YAML: mapping values are not allowed in this context
              6 |       - a.write:{ track: v, groups: 1 }
                |                                   ^
                = expected: a blank after the colon of a key

            1 error
            """#)
    }

    @Test func aTextHasAColon() {
        expectSyntaxError(
            "suite: s\nabout: one: two\n",
            #"""
            x.yaml:2:11: error: this is not YAML: mapping values are not allowed in this context
              2 | about: one: two
                |           ^
                = expected: quotes around a text that has a colon and a blank in it

            1 error
            """#)
    }

    @Test func aKeyStandsInAnotherColumn() {
        expectSyntaxError(
            "suite: s\n about: x\nscenarios:\n  - id: a\n     title: b\n",
            #"""
            x.yaml:2:7: error: this is not YAML: mapping values are not allowed in this context
              2 |  about: x
                |       ^
                = expected: the keys of one mapping in one column, and a value before what is indented

            1 error
            """#)
    }

    @Test func aKeyStandsLeftOfTheOthers() {
        expectSyntaxError(
            "scenarios:\n  - id: a\n    matrix: { version: 06 }\n     actors: {}\n",
            #"""
            x.yaml:4:6: error: this is not YAML: did not find expected key (while parsing a block mapping at line 2)
              4 |      actors: {}
                |      ^
                = expected: the keys of one mapping in one column; those since line 2 are in column 5

            1 error
            """#)
    }

    @Test func aValueBeginsWithASign() {
        expectSyntaxError(
            "suite: s\nabout: { frames: >= 1 }\n",
            #"""
            x.yaml:2:18: error: this is not YAML: found character that cannot start any token (while scanning for the next token at line 2)
              2 | about: { frames: >= 1 }
                |                  ^
                = expected: quotes around a text that begins with `>`

            1 error
            """#)
    }

    @Test func aQuoteIsNotClosed() {
        expectSyntaxError(
            "suite: s\nabout: \"x\nscenarios: []\n",
            #"""
            x.yaml:2:8: error: this is not YAML: a text in quotes has no end
              2 | about: "x
                |        ^
                = expected: a quotation mark at its end

            1 error
            """#)
    }

    @Test func aFileBeginsWithTheMarkOfUTF8() {
        #expect(load("\u{FEFF}suite: s\nabout: x\nscenarios: []\n").diagnostics.map(\.location.line) == [3])
    }

    private func expectSyntaxError(_ text: String, _ expected: String) {
        expectText(expected, of: load(text))
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
                = expected: one in a file

            2 errors
            """#, of: result)
    }
}
