import Testing

@testable import MoqScenario

@Suite struct MatrixTests {
    private func file(defaults: String, matrix: String, title: String = "One", path: String = "/") -> String {
        """
        suite: s
        about: A test.
        defaults: { \(defaults) }
        scenarios:
          - id: s.one
            title: "\(title)"
            requirements: [r]
            matrix: { \(matrix) }
            actors: { camera: { kind: session, path: "\(path)" } }
            steps:
              - camera.connect: {}
        """
    }

    private func ids(_ text: String) -> [String] {
        load(text).suites.flatMap(\.cases).map(\.id)
    }

    @Test func withoutAMatrixThereIsOneCaseForEveryVersion() {
        let expected = ["03", "04", "05", "06"].map { "s.one[version=\($0)]" }
        #expect(ids(file(defaults: "", matrix: "")) == expected)
    }

    @Test func aRangeOfVersionsTakesBothItsEnds() {
        #expect(ids(file(defaults: "", matrix: "version: 05..")) == ["s.one[version=05]", "s.one[version=06]"])
        #expect(ids(file(defaults: "", matrix: "version: ..04")) == ["s.one[version=03]", "s.one[version=04]"])
        #expect(
            ids(file(defaults: "", matrix: "version: moq-lite-04..05")) == ["s.one[version=04]", "s.one[version=05]"])
    }

    @Test func aVariableOfTheScenarioReplacesThatOfTheSuiteAndOthersAreAdded() {
        let text = file(
            defaults: "matrix: { version: [03, 04], size: [1 B] }", matrix: "size: [2 B, 3 B], mode: [a, b]")
        #expect(
            ids(text) == [
                "s.one[version=03,size=2 B,mode=a]", "s.one[version=03,size=2 B,mode=b]",
                "s.one[version=03,size=3 B,mode=a]", "s.one[version=03,size=3 B,mode=b]",
                "s.one[version=04,size=2 B,mode=a]", "s.one[version=04,size=2 B,mode=b]",
                "s.one[version=04,size=3 B,mode=a]", "s.one[version=04,size=3 B,mode=b]",
            ])
    }

    @Test func variablesAreFilledInEverywhere() throws {
        let text = file(
            defaults: "", matrix: "version: 06, where: [east, west]", title: "From the ${where}",
            path: "/${where}/${version}")
        let cases = load(text).suites.flatMap(\.cases)
        #expect(cases.map(\.title) == ["From the east", "From the west"])
        #expect(cases.map { $0.actors[0].path } == ["/east/moq-lite-06", "/west/moq-lite-06"])
        #expect(cases[1].variables == [MatrixVariable(name: "where", value: "west")])
    }

    /// The words with all transports.
    private var everyTransport: Vocabulary {
        var all = words
        all.transports = ["quic", "webtransport", "websocket", "tcp"]
        return all
    }

    @Test func allStandsForEveryVersionAndEveryTransport() {
        let text = file(defaults: "matrix: { version: all, transport: all }", matrix: "")
        let cases = load(text, vocabulary: everyTransport).suites.flatMap(\.cases)
        #expect(cases.count == 16)
        #expect(cases.prefix(4).map(\.transport) == ["quic", "webtransport", "websocket", "tcp"])
        #expect(cases[0].id == "s.one[version=03]")
        #expect(cases[3].id == "s.one[version=03,transport=tcp]")
        #expect(cases[3].idOnAnyTransport == cases[0].id)
        #expect(cases[3].over("websocket").id == cases[2].id)
        #expect(cases[3].over("quic").id == cases[0].id)
    }

    @Test func aScenarioThatNamesNoTransportIsOnEach() {
        let text = file(defaults: "", matrix: "version: 06")
        let cases = load(text, vocabulary: everyTransport).suites.flatMap(\.cases)
        #expect(cases.map(\.transport) == ["quic", "webtransport", "websocket", "tcp"])
    }

    @Test func aVariableOfAnActorTakesVersionsAndTransportsInTheSameWords() {
        let text = file(
            defaults: "", matrix: "version: 03, transport: quic, viewer_version: 05.., viewer_transport: all"
        ).replacing(
            "kind: session, path: \"/\"",
            with: "kind: session, version: \"${viewer_version}\", transport: \"${viewer_transport}\"")
        let cases = load(text, vocabulary: everyTransport).suites.flatMap(\.cases)
        #expect(cases.count == 8)
        #expect(cases[7].id == "s.one[version=03,viewer_version=06,viewer_transport=tcp]")
        #expect(cases[7].actors[0].version == "moq-lite-06")
        #expect(cases[7].actors[0].transport == "tcp")
        #expect(cases[7].over("tcp").id == "s.one[version=03,transport=tcp,viewer_version=06,viewer_transport=tcp]")
        #expect(cases[7].over("tcp").idOnAnyTransport == cases[7].id)
        let wrong = load(file(defaults: "", matrix: "viewer_version: 09.., viewer_transport: qmux")).diagnostics
        #expect(
            wrong.prefix(2).map(\.message) == [
                "`viewer_version` is `09..`, and `09` is not a version",
                "`viewer_transport` is `qmux`, which is not the name of a transport",
            ])
    }

    @Test func otherWordsForATransportAreAnsweredWithTheRightOnes() {
        func complaint(_ word: String) -> Diagnostic? {
            load(file(defaults: "", matrix: "transport: \(word)"), vocabulary: everyTransport).diagnostics.first
        }
        #expect(complaint("qmux")?.message == "`transport` is `qmux`, which is not the name of a transport")
        #expect(complaint("qmux")?.expected == "`websocket` or `tcp`")
        #expect(complaint("ws")?.suggestion == "websocket")
        #expect(complaint("h3")?.suggestion == "webtransport")
        #expect(complaint("tcq")?.suggestion == "tcp")
    }

    @Test func anActorMayHaveAVersionAndATransportOfItsOwn() {
        let text = file(defaults: "", matrix: "version: 06").replacing(
            "kind: session, path: \"/\"", with: "kind: session, version: 03, transport: auto")
        let actor = load(text).suites.first?.cases.first?.actors.first
        #expect(actor?.version == "moq-lite-03")
        #expect(actor?.transport == "auto")
    }

    @Test func aVariableMayStandForANumber() throws {
        let text = suite(
            steps: """
                - camera.publish: { broadcast: game, tracks: [video] }
                - camera.write: { track: video, group: "${first}", frames: "${first+2}", size: "${first*10} KiB" }
                - viewer.expect: { announced: game }
                """
        ).replacing("version: 06", with: "version: 06, first: [4]")
        let step = try #require(load(text).suites.first?.cases.first?.steps[1])
        guard case .session(_, .write(let write)) = step.kind else {
            Issue.record("the step is no write")
            return
        }
        #expect(write.groups == .numbers([4]))
        #expect(write.frames == .uniform(count: 6, size: 40 << 10))
    }

    @Test func aMistakeOfAllCasesIsReportedOnceAndThatOfOneCaseIsReportedToo() {
        let text = suite(
            steps: """
                - camera.connect: { pth: x }
                - viewer.expect: { announced: game, within: "${time}" }
                """
        ).replacing("version: 06", with: "version: [05, 06], time: [1s, 2, 3]")
        #expect(
            load(text).diagnostics.map(\.message) == [
                "unknown key `pth` in `camera.connect`", "`within` is `2`, which has no unit",
                "`within` is `3`, which has no unit",
            ])
    }

    @Test func idsThatAreThereTwiceAreFoundAcrossFiles() {
        let text = file(defaults: "", matrix: "")
        let files = ["a.yaml", "b.yaml"].map { ScenarioFile(path: $0, bytes: Array(text.utf8)) }
        let messages = SuiteLoader(vocabulary: words).load(files).diagnostics
        #expect(
            messages.map { "\($0.location): \($0.message)" } == [
                "b.yaml:1:8: there is already a suite `s`, at a.yaml:1:8",
                "b.yaml:5:9: there is already a scenario `s.one`, at a.yaml:5:9",
            ])
    }
}
