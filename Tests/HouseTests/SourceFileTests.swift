import Testing

@Suite struct SourceFileTests {
    private func file(_ text: String) -> SourceFile {
        SourceFile(path: "Sources/MoqX/X.swift", text: text)
    }

    @Test func commentsAreNoCode() {
        let file = file("let a = 1 // b\n/* c\n/* d */ e */ let f = 2\n/// g\n")
        #expect(file.code == ["let a = 1     ", "    ", "             let f = 2", "     "])
        #expect(file.comments[0] == "          // b")
        #expect(file.comments[1] == "/* c")
        #expect(file.comments[2].hasPrefix("/* d */ e */   "))
    }

    @Test func whatStandsInLiteralsIsNoCode() {
        #expect(file(#"let a = "x // y" + b"#).code == [#"let a = "      " + b"#])
        #expect(file(#"let a = "\"x" + b"#).code == [#"let a = "   " + b"#])
        #expect(file("let a = \"\"\"\n  \"x\" // y\n  \"\"\" + b").code.last == "  \"\"\" + b")
        #expect(file("let a = \"\"\"\n  \"x\" // y\n  \"\"\" + b").code[1] == "          ")
        #expect(file(##"let a = #"x"\n"# + b"##).code == [##"let a = #"    "# + b"##])
    }

    @Test func interpolationsAreCode() {
        let file = file(#"let a = "x \(b("y", (1))) z" + c // d"#)
        #expect(file.code == [#"let a = "   (b(" ", (1)))  " + c     "#])
    }

    @Test func theRoomIsTheFolder() {
        #expect(file("").room == "MoqX")
        #expect(SourceFile(path: "Package.swift", text: "").room == "")
    }
}
