import Testing

@testable import MoqHTTP3

@Suite struct StructuredStringsTests {
    @Test(
        arguments: [
            ("", []), ("\"a\"", ["a"]), ("\"moq-lite-05\", \"moq-lite-04\"", ["moq-lite-05", "moq-lite-04"]),
            ("  \"a\"\t,\t\"b\"  ", ["a", "b"]), ("\"a\";q=1;x=\"y,z\";t, \"b\"", ["a", "b"]),
            ("\"a\\\"b\\\\c\"", ["a\"b\\c"]), ("\"\"", [""]),
        ] as [(String, [String])])
    func listsAreRead(value: String, strings: [String]) {
        #expect(StructuredStrings.decodeList(value) == strings)
    }

    @Test(arguments: [
        "a", "\"a", "\"a\",", "\"a\" \"b\"", ",", "\"a\", b", "\"\\a\"", "\"é\"", "(\"a\")", "1", "\"a\";", "\"a\";k=",
        "\"\(String(repeating: "x", count: 300))\"",
    ])
    func whatIsNoListOfStringsIsIgnored(value: String) {
        #expect(StructuredStrings.decodeList(value) == nil)
        #expect(StructuredStrings.decodeItem(value) == nil)
    }

    @Test func anItemIsOneString() {
        #expect(StructuredStrings.decodeItem("\"moq-lite-06\"") == "moq-lite-06")
        #expect(StructuredStrings.decodeItem(" \"a\";v=1 ") == "a")
        #expect(StructuredStrings.decodeItem("\"a\", \"b\"") == nil)
        #expect(StructuredStrings.decodeItem("") == nil)
    }

    @Test func whatIsWrittenIsQuoted() {
        #expect(StructuredStrings.encode(["moq-lite-05", "a\"b\\"]) == #""moq-lite-05", "a\"b\\""#)
        #expect(StructuredStrings.decodeList(StructuredStrings.encode(["a\"b\\", "é\n"])) == ["a\"b\\", ""])
    }

    @Test func aListHasABound() {
        let names = [String](repeating: "a", count: HTTP3Limits.protocols)
        #expect(StructuredStrings.decodeList(StructuredStrings.encode(names)) == names)
        #expect(StructuredStrings.decodeList(StructuredStrings.encode(names + ["a"])) == nil)
    }
}

@Suite struct MessageTests {
    @Test func theLinesOfAListAreOneList() throws {
        let section = [
            HTTPField(":method", "CONNECT"), HTTPField(":protocol", "webtransport"), HTTPField(":scheme", "https"),
            HTTPField(":authority", "a"), HTTPField(":path", "/"), HTTPField("wt-available-protocols", "\"a\""),
            HTTPField("x", "y"), HTTPField("wt-available-protocols", "\"b\""),
        ]
        #expect(try HTTP3Request(section: section).offeredProtocols == ["a", "b"])
    }

    @Test func aRequestMayNameItsHostInsteadOfAnAuthority() throws {
        let section = [
            HTTPField(":method", "GET"), HTTPField(":scheme", "https"), HTTPField(":path", "/"), HTTPField("host", "a"),
        ]
        #expect(try HTTP3Request(section: section).fields == [HTTPField("host", "a")])
        #expect(throws: HTTP3Error.self) { try HTTP3Request(section: Array(section.dropLast())) }
    }

    @Test(arguments: ["20", "2000", "abc", "-10", "099", ""]) func aStatusHasThreeDigits(text: String) {
        #expect { try HTTP3Response(section: [HTTPField(":status", text)]) } throws: {
            ($0 as? HTTP3Error)?.code == .messageError && ($0 as? HTTP3Error)?.scope == .stream
        }
    }

    @Test func theAnswerNamesTheProtocolThatWasChosen() throws {
        let answer = HTTP3Response.webTransport(choosing: "moq-lite-06")
        #expect(answer.section.map(\.description).contains("wt-protocol: \"moq-lite-06\""))
        #expect(try HTTP3Response(section: answer.section) == answer)
        #expect(answer.protocolName == "moq-lite-06")
        #expect(HTTP3Response.webTransport(choosing: nil).protocolName == nil)
    }
}
