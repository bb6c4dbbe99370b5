import Testing

@testable import MoqScenario

/// Reads one file of the registry from its text.
func readRequirements(_ text: String, path: String = "fetch.yaml") -> RequirementReading {
    RequirementReader(vocabulary: words).read([ScenarioFile(path: path, bytes: Array(text.utf8))])
}

/// A file of one requirement that is right, with some lines of it replaced or added.
private func file(_ changes: [String: String?] = [:]) -> String {
    let keys = ["id", "says", "level", "binds", "versions", "transports", "source", "checked"]
    var values: [String: String] = [
        "id": "fetch.answer", "says": "A fetch is answered.", "level": "must", "binds": "relay",
        "source": "{ draft: \"moq-lite-06, FETCH\", peer: moq-ffi 0.4.18 }", "checked": "both",
    ]
    for (key, value) in changes { values[key] = value }
    let all = keys + changes.keys.filter { !keys.contains($0) }.sorted()
    let lines = all.compactMap { key in values[key].map { "\(key): \($0)" } }
    return "area: fetch\nabout: Fetching.\nrequirements:\n  - " + lines.joined(separator: "\n    ") + "\n"
}

@Suite struct RequirementReaderTests {
    @Test func aRowIsReadWithAllThatItSays() throws {
        let reading = readRequirements(
            file(["versions": "[..03, 05..]", "transports": "[quic]", "checked": "no", "because": "it is invisible"]))
        #expect(reading.diagnostics.isEmpty)
        let row = try #require(reading.registry["fetch.answer"])
        #expect(row.area == "fetch" && row.says == "A fetch is answered.")
        #expect(row.level == .must && row.binds == .relay && row.checked == .no)
        #expect(row.versions == ["moq-lite-03", "moq-lite-05", "moq-lite-06"])
        #expect(row.transports == ["quic"] && row.because == "it is invisible")
        #expect(row.source == RequirementSource(draft: "moq-lite-06, FETCH", peer: "moq-ffi 0.4.18"))
        #expect("\(row.source)" == "moq-lite-06, FETCH; seen with moq-ffi 0.4.18")
        #expect(row.location == SourceLocation(file: "fetch.yaml", line: 4, column: 5))
        #expect(reading.registry.area(named: "fetch")?.about == "Fetching.")
    }

    @Test func withoutVersionsAndTransportsItIsAboutAll() throws {
        let row = try #require(readRequirements(file()).registry["fetch.answer"])
        #expect(row.versions == words.versions && row.transports == nil)
        #expect(row.applies(version: "moq-lite-03", transport: "tcp"))
    }

    @Test(
        arguments: [
            (["level": "most"], "4:5", "`level` is `most`", "must"),
            (["binds": "realy"], "", "`binds` is `realy`", "relay"),
            (["checked": "monitr"], "", "`checked` is `monitr`", "monitor"),
            (["versions": "06..03"], "", "`versions` is `06..03`, which is backwards", ""),
            (["versions": "07"], "", "`versions` is `07`, which is not a version", ""),
            (["versions": "[03.., 05]"], "", "`moq-lite-05` is twice in `versions`", ""),
            (["transports": "[quick]"], "", "there is no transport `quick`", "quic"),
            (["says": "No full stop"], "", "`says` is no sentence", ""),
            (["id": "Fetch.x"], "", "`id` is `Fetch.x`", ""),
            (["id": "group.x"], "", "`id` is `group.x`", ""),
            (["checked": "no"], "", "the requirement is not checked, and does not say why", ""),
            (["because": "x"], "", "`because` says why nothing is checked, and `checked` is `both`", ""),
            (["becuse": "x", "checked": "no"], "", "unknown key `becuse` in `requirement`", "because"),
            (["source": "{}"], "", "`source` names nothing", ""),
            (["source": "{ draft: moq-lite-06 }"], "", "`draft` is `moq-lite-06`", ""),
            (["source": "{ draft: \"a, b\" }", "level": "observed"], "", "nobody is named who was seen to do it", ""),
            (["profile": "draft"], "", "a requirement with a `profile` stands in place of another", ""),
            (["differs_from": "fetch.answer"], "", "`differs_from` without `profile`", ""),
            (
                ["profile": "draft", "differs_from": "fetch.answr"], "", "there is no requirement `fetch.answr`",
                "fetch.answer"
            ),
        ] as [([String: String], String, String, String)])
    func aMistakeIsSaid(_ changes: [String: String], _ place: String, _ message: String, _ meant: String) throws {
        let reading = readRequirements(file(changes))
        let found = reading.diagnostics.first { $0.message == message }
        let diagnostic = try #require(found, "\(reading.diagnostics.map(\.message))")
        #expect(diagnostic.suggestion ?? "" == meant)
        #expect(diagnostic.location.line >= 4 && diagnostic.location.column >= 5)
        #expect(reading.hasErrors)
    }

    @Test(arguments: ["id", "says", "level", "binds", "source", "checked"])
    func whatIsMissingIsNamed(_ key: String) {
        let reading = readRequirements(file([key: nil]))
        #expect(reading.diagnostics.map(\.message).contains("`requirement` needs `\(key)`"))
        #expect(reading.registry.requirements.isEmpty)
    }

    @Test func allMistakesOfAllFilesComeInOneGo() {
        let files = [
            ScenarioFile(path: "a/fetch.yaml", bytes: Array(file(["level": "x", "binds": "y"]).utf8)),
            ScenarioFile(path: "a/group.yaml", bytes: Array("area: group\nabout: x\nrequirements: []\n".utf8)),
            ScenarioFile(path: "a/track.yaml", bytes: Array("area: rack\nabout: x\n".utf8)),
            ScenarioFile(path: "b/fetch.yaml", bytes: Array(file().utf8)),
        ]
        let reading = RequirementReader(vocabulary: words).read(files)
        let lines = reading.diagnostics.map { "\($0.location) \($0.message)" }
        #expect(
            lines == [
                "a/fetch.yaml:6:12 `level` is `x`",
                "a/fetch.yaml:7:12 `binds` is `y`",
                "a/group.yaml:3:1 the area has no requirements",
                "a/track.yaml:1:1 the requirement file needs `requirements`",
                "a/track.yaml:1:7 `area` is `rack`, and the file is not called by it",
                "b/fetch.yaml:1:7 there is already an area `fetch`, at a/fetch.yaml:1:7",
                "b/fetch.yaml:4:9 there is already a requirement `fetch.answer`, at a/fetch.yaml:4:9",
            ])
    }

    @Test func aRowWithMistakesIsKnownByItsId() {
        let registry = readRequirements(file(["level": "x"])).registry
        #expect(registry.requirements.isEmpty && registry.ids == ["fetch.answer"])
        #expect(registry.nearest(to: "fetch.anser") == "fetch.answer")
    }

    @Test(arguments: [("deployed", "fetch.other", 0), ("draft", "fetch.other", 2), ("deployed", "fetch.other2", 1)])
    func whatDiffersIsTwoRowsThatNameEachOther(_ profile: String, _ other: String, _ mistakes: Int) {
        let second = """
              - id: fetch.other
                says: Another.
                level: must
                binds: relay
                source: { draft: "a, b" }
                checked: both
                profile: \(profile)
                differs_from: fetch.answer
            """
        let text = file(["profile": "draft", "differs_from": other]) + second + "\n"
        let reading = readRequirements(text)
        #expect(reading.diagnostics.count { $0.severity == .error } >= mistakes)
        #expect(reading.hasErrors == (mistakes > 0), "\(reading.diagnostics.map(\.message))")
    }

    @Test func profilesSayWhatARelayIsHeldTo() throws {
        let both = try #require(readRequirements(file()).registry["fetch.answer"])
        var draft = both
        draft.profile = .draft
        #expect(both.isHeld(under: .draft) && both.isHeld(under: .deployed))
        #expect(draft.isHeld(under: .draft) && !draft.isHeld(under: .deployed))
        let registry = RequirementRegistry(areas: [RequirementArea(name: "x", about: "x", requirements: [both, draft])])
        #expect(registry.held(under: .deployed).count == 1)
        #expect(registry.applying(version: "moq-lite-09", transport: "quic").isEmpty)
    }

    @Test(arguments: [
        (["1", "2", "3", "4"], "all"), (["2"], "2"), (["3", "4"], "3 and later"), (["1", "2"], "up to 2"),
        (["2", "3"], "2 to 3"), (["1", "3", "4"], "1, 3 and later"), (["1"], "1"), (["4"], "4"),
    ])
    func versionsAreToldInShort(_ versions: [String], _ text: String) throws {
        var row = try #require(readRequirements(file()).registry["fetch.answer"])
        row.versions = versions
        #expect(row.versionText(among: ["1", "2", "3", "4"]) == text)
    }

    @Test func scenariosNameWhatIsInTheRegistry() {
        var vocabulary = words
        vocabulary.requirements = ["fetch.answer", "r"]
        let text = suite(steps: "- camera.publish: { broadcast: b, tracks: [t] }\n- viewer.expect: { announced: b }")
        #expect(!load(text, vocabulary: vocabulary).hasErrors)
        let wrong = load(
            text.replacing("requirements: [r]", with: "requirements: [fetch.anser]"), vocabulary: vocabulary)
        #expect(wrong.diagnostics.first?.message == "there is no requirement `fetch.anser`")
        #expect(wrong.diagnostics.first?.suggestion == "fetch.answer")
    }
}
