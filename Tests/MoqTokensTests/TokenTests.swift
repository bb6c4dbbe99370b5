import MoqBase
import Testing

@testable import MoqTokens

struct TokenTests {
    private func verify(_ payload: String, at seconds: Int64 = 0) throws -> TokenClaims {
        let key = try Keys.key(.hs256)
        return try key.verify(key.sign(payload: Array(payload.utf8)), at: .seconds(seconds))
    }

    @Test(arguments: [
        (#"{"put":"a","get":["b","c"]}"#, TokenClaims(publish: ["a"], subscribe: ["b", "c"])),
        (#"{"root":"/r/","put":""}"#, TokenClaims(root: "/r/", publish: [""])),
        (#"{"get":"","exp":null,"iat":null}"#, TokenClaims(subscribe: [""])),
        (#"{"get":"","exp":17,"iat":-1}"#, TokenClaims(subscribe: [""], expires: 17, issued: -1)),
        (#"{"get":"","cluster":true,"sub":"x","nbf":99,"more":{"a":[1]}}"#, TokenClaims(subscribe: [""])),
    ])
    func claimsAreReadAsTheReferenceReadsThem(_ payload: String, _ claims: TokenClaims) throws {
        #expect(try verify(payload) == claims)
    }

    @Test(arguments: [
        "[]", "", "{", #"{"put":7}"#, #"{"put":[7]}"#, #"{"put":null}"#, #"{"root":7,"put":""}"#,
        #"{"put":"","exp":1.5}"#, #"{"put":"","exp":"9"}"#, #"{"put":"","aud":"x"}"#, #"{"put":"a","put":"b"}"#,
        #"{"put":[\#((0...TokenLimits.prefixes).map { "\"\($0)\"" }.joined(separator: ","))]}"#,
    ])
    func claimsThatCannotBeUnderstoodAreRefused(_ payload: String) throws {
        let error = try #require(throws: TokenError.self) { try verify(payload) }
        guard case .unusableClaims = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: ["{}", #"{"put":[],"get":[]}"#, #"{"publish":[""],"subscribe":[""]}"#])
    func aTokenThatGrantsNothingIsUseless(_ payload: String) throws {
        #expect(throws: TokenError.grantsNothing) { try verify(payload) }
        #expect(throws: TokenError.grantsNothing) { try Keys.key(.hs256).sign(TokenClaims(root: "x")) }
    }

    @Test func aTokenIsGoodUntilTheInstantAtWhichItExpires() throws {
        let key = try Keys.key(.hs256)
        let token = try key.sign(TokenClaims(publish: [""], expires: 100))
        _ = try key.verify(token, at: .seconds(99))
        _ = try key.verify(token, at: .seconds(100))
        #expect(throws: TokenError.expired(ago: .nanoseconds(1))) {
            try key.verify(token, at: .seconds(100) + .nanoseconds(1))
        }
        _ = try key.verify(key.sign(TokenClaims(publish: [""])), at: .seconds(1 << 40))
        let last = try key.sign(TokenClaims(publish: [""], expires: .max))
        #expect(try key.verify(last, at: .seconds(1 << 40)).expires == .max)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "a.b.c", "!!.e30.AA", "e30.e30.AA", "e30.e30.A", "bnVsbA.e30.AA",
        "eyJhbGciOiJIUzI1NiIsImNyaXQiOlsiYiJdfQ.e30.AA", "eyJhbGciOiJIUzI1NiJ9.e30=.AA",
        String(repeating: "a", count: TokenLimits.token + 1),
    ])
    func whatIsNoTokenIsToldInWordsWithoutIt(_ text: String) throws {
        let error = try #require(throws: TokenError.self) { try Keys.key(.hs256).verify(text, at: .zero) }
        guard case .malformed = error else {
            Issue.record("\(error)")
            return
        }
        #expect(text.count < 4 || !error.description.contains(text))
    }

    // MARK: Paths

    @Test(arguments: [
        ("demo", "/demo", ["", "a"], [""]), ("demo", "/demo/", ["a", "b"], ["a", "b"]),
        ("demo", "/demo/room", [""], [""]), ("demo", "/demo/room", ["room/x", "other"], ["x"]),
        ("demo", "/demo/room/x", ["room"], [""]), ("demo", "/", ["", "a"], ["demo"]),
        ("demo/deep", "demo", ["a"], ["deep/a"]), ("", "/any/where", [""], [""]),
        ("//demo//x/", "demo/x", ["/a//b/"], ["a/b"]), ("", "/anon", ["anon"], [""]),
        ("demo", "/demo", ["a/b", "a", "a"], ["a"]),
    ])
    func permissionsFollowFromRootAndPath(
        _ root: String, _ path: String, _ granted: [String], _ allowed: [String]
    ) throws {
        let claims = TokenClaims(root: root, publish: granted)
        #expect(try claims.permissions(at: path) == TokenPermissions(publish: allowed, subscribe: []))
        let other = TokenClaims(root: root, subscribe: granted)
        #expect(try other.permissions(at: path) == TokenPermissions(publish: [], subscribe: allowed))
    }

    @Test func aTokenForAnotherRootOrPathAllowsNothing() {
        #expect(throws: TokenError.otherRoot(path: "foobar")) {
            try TokenClaims(root: "foo", publish: [""]).permissions(at: "/foobar")
        }
        #expect(throws: TokenError.noAccess(path: "foo/bar")) {
            try TokenClaims(root: "foo", publish: ["a"], subscribe: ["barn"]).permissions(at: "/foo/bar")
        }
    }

    // MARK: Requests

    @Test(arguments: [
        ("/a?jwt=x", "/a", "x"), ("/a", "/a", nil), ("/a?jwt=", "/a", nil), ("/a?b=1&jwt=x%2Ey&c", "/a", "x.y"),
        ("?jwt=first&jwt=second&jwt=", "", "second"), ("/a?jwt=a+b%zz", "/a", "a b%zz"), ("/a?JWT=x", "/a", nil),
        ("/a?j%77t=x#jwt=y", "/a", "x"), ("/a#f?jwt=x", "/a", "x"),
    ])
    func theTokenOfARequestIsTheLastOne(_ request: String, _ path: String, _ token: String?) {
        #expect(RequestToken.path(of: request) == path)
        #expect(RequestToken.token(of: request) == token)
    }

    @Test func aTokenIsPutIntoARequest() {
        #expect(RequestToken.request("/a", with: "x.y-z_") == "/a?jwt=x.y-z_")
        #expect(RequestToken.request("/a?b=1&jwt=old&c", with: "new") == "/a?b=1&c&jwt=new")
        #expect(RequestToken.request("/a?jwt=old", with: nil) == "/a")
        #expect(RequestToken.request("/a", adding: "new") == "/a?jwt=new")
        #expect(RequestToken.request("/a?jwt=old&jwt=", adding: "new") == "/a?jwt=old&jwt=&jwt=new")
        #expect(RequestToken.names("/a?b&jwt=") && RequestToken.names("/?%6awt=x"))
        #expect(!RequestToken.names("/jwt=x") && !RequestToken.names("/a?ajwt=x#jwt=y"))
        #expect(RequestToken.token(of: RequestToken.request("", with: "a b&c=%")) == "a b&c=%")
    }
}
