import Testing

@testable import MoqScenario

/// `token` of an actor: what it means, and what its author hears of mistakes.
@Suite struct TokenTests {
    private func suite(_ token: String) -> String {
        """
        suite: s
        about: A test.
        scenarios:
          - id: s.one
            title: One
            requirements: [r]
            matrix: { version: 06 }
            actors:
              camera: { kind: session, token: \(token) }
            steps:
              - camera.connect: { expect: any }
        """
    }

    private func token(_ text: String) -> ActorToken? {
        let result = load(suite(text))
        guard !result.hasErrors else { return nil }
        return result.suites.first?.cases.first?.actors.first { $0.name == "camera" }?.token
    }

    @Test func whatATokenSaysIsRead() {
        #expect(token("none") == ActorToken.none)
        #expect(token("nonsense") == .nonsense)
        #expect(token("{}") == .minted(TokenDefinition()))
        var full = TokenDefinition()
        full.root = "/room"
        full.publish = .none
        full.subscribe = .prefixes(["a", "b/c"])
        full.expires = .after(.milliseconds(1500))
        full.key = .wrong
        full.algorithm = .none
        #expect(
            token(
                "{ root: /room, publish: none, subscribe: [a, b/c], expires: 1500ms, key: wrong, algorithm: none }")
                == .minted(full))
        var other = TokenDefinition()
        other.publish = .prefixes(["none"])
        other.expires = .before(.seconds(60))
        #expect(token("{ publish: \"none\", subscribe: all, expired: 1min }") == .minted(other))
    }

    @Test(arguments: [
        ("nonsens", "9:39: error: `nonsens` is no token", "did you mean `nonsense`?"),
        ("[a]", "error: `token` is a list", "expected: `none`, `nonsense`"),
        ("{ roots: a }", "9:41: error: unknown key `roots` in `token`", "did you mean `root`?"),
        ("{ expires: 5 }", "`expires` is `5`, which has no unit", "did you mean `5s`?"),
        ("{ expires: 5s, expired: 5s }", "has both `expires` and `expired`: a token expires once", "one of the two"),
        ("{ key: wrog }", "`key` is `wrog`", "did you mean `wrong`?"),
        ("{ algorithm: HS256 }", "`algorithm` is `HS256`", "right"),
        (
            "{ publish: none, subscribe: none }", "9:32: error: the token allows neither to publish nor to subscribe",
            "relays refuse"
        ),
    ])
    func mistakesAreToldWithTheirPlace(_ text: String, _ complaint: String, _ advice: String) {
        let told = DiagnosticRenderer.text(load(suite(text)).diagnostics)
        #expect(told.contains(complaint), "\(told)")
        #expect(told.contains(advice), "\(told)")
    }
}
