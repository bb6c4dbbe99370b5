import Foundation
import MoqBase
import Testing

@testable import MoqEvents

struct RedactionTests {
    static let secret = "s3cr3t-Value_9"
    static let webToken = "eyJhbGciOiJFUzI1NiJ9.eyJyb290IjoiYW5vbiJ9.c2lnbmF0dXJl"

    @Test(arguments: [
        "https://relay.example/anon?jwt=s3cr3t-Value_9",
        "https://relay.example/anon?a=b&JWT=s3cr3t-Value_9&c=d",
        "https://relay.example/?jwt%3Ds3cr3t-Value_9",
        "https://user:s3cr3t-Value_9@relay.example/anon",
        "https://s3cr3t-Value_9@relay.example",
        "Authorization: Bearer s3cr3t-Value_9",
        "authorization: Basic s3cr3t-Value_9",
        "bearer s3cr3t-Value_9",
        "{\"token\": \"s3cr3t-Value_9\"}",
        "{\\\"access_token\\\":\\\"s3cr3t-Value_9\\\"}",
        "- viewer.connect: { token: s3cr3t-Value_9, path: / }",
        "token: s3cr3t-Value_9", "/etc/passwd: s3cr3t-Value_9", "auth.token: s3cr3t", "x/token:s3cr3t",
        "the bearer s3cr3t",
        "moqspec run --relay 'https://r/?jwt=s3cr3t-Value_9' --filter x",
        "password='s3cr3t-Value_9'",
        "jwt=s3cr3t-Value_9 and jwt=s3cr3t-Value_9",
    ])
    func `a secret does not survive, and what surrounds it does`(text: String) {
        let redacted = Redaction.text(text)
        #expect(!redacted.contains("s3cr3t"))
        #expect(redacted.contains(Redaction.mark))
        #expect(Redaction.text(redacted) == redacted)
    }

    @Test func `only the secret is taken`() {
        #expect(
            Redaction.text("GET https://r/anon?a=1&jwt=\(Self.secret)&b=2 (code 13)")
                == "GET https://r/anon?a=1&jwt=REDACTED&b=2 (code 13)")
        #expect(Redaction.text("{ token: \(Self.secret), path: / }") == "{ token: REDACTED, path: / }")
    }

    @Test func `a web token is known by its looks wherever it stands`() {
        #expect(Redaction.text("path /\(Self.webToken)/video") == "path /REDACTED/video")
        #expect(Redaction.text("say eyJ and ey.J.x") == "say eyJ and ey.J.x")
    }

    @Test func `a secret in hexadecimal or base64 does not survive either`() {
        let plain = Array("..../anon?jwt=\(Self.secret)".utf8)
        for cut in 0..<4 {
            let hexadecimal = Hex.text(plain.dropFirst(cut))
            for digits in [hexadecimal, String(hexadecimal.dropFirst()), hexadecimal.uppercased()] {
                #expect(Redaction.text("bytes \(digits) (38)") == "bytes REDACTED (38)")
            }
            let base64 = Data(plain.dropFirst(cut)).base64EncodedString()
            #expect(Redaction.text("x: \(base64)").hasPrefix("x: REDACTED"))
            let token = Data(("..." + Self.webToken).utf8.dropFirst(cut)).base64EncodedString()
            #expect(Redaction.text("'\(token)'").hasPrefix("'REDACTED"))
        }
        let fingerprint = Hex.text((0..<32).map { UInt8($0 * 7) })
        #expect(Redaction.text("sha256 \(fingerprint)") == "sha256 \(fingerprint)")
        let path = "aLongNameOfATrackThatLooksLikeBase64/and/goes/on/AAAA"
        #expect(Redaction.text(path) == path)
    }

    @Test(arguments: [
        "a subscription without a token: refused", "code=13 reset=24", "https://127.0.0.1:4443/anon", "bearing left",
        "scenarios/a.yaml:3:7", "the token is late", "tokens=3", "12:00:00", "path=/anon@x",
        "guest: { kind: session, token: { key: wrong } }", "token: {}", "guest: { path: /private, token: none }",
        "token: nonsense", "--key /etc/passwd: the key cannot be used", "--key /run/secrets/jwt: No such file",
        "--token-file ./token: Permission denied", "relay.secret: it is a folder", "--token: there is no token",
        "a bearer token is missing", "The bearer of it may publish",
    ])
    func `plain text is left alone`(text: String) {
        #expect(Redaction.text(text) == text)
    }

    @Test func `bytes keep their number and place`() {
        let bytes = Array("\u{1}\u{5}/anon?jwt=\(Self.secret)\0rest".utf8)
        let redacted = Redaction.bytes(bytes)
        #expect(redacted.count == bytes.count)
        #expect(!String(decoding: redacted, as: UTF8.self).contains(Self.secret))
        #expect(redacted.starts(with: Array("\u{1}\u{5}/anon?jwt=x".utf8)))
        #expect(redacted.suffix(5) == bytes.suffix(5))
    }

    @Test func `no field of any event lets a secret into the stream or into results`() {
        for text in ["?jwt=\(Self.secret)", "Bearer \(Self.secret)", Self.webToken] {
            let events = EventSamples.everyKind(text: text)
            for event in events {
                let line = String(decoding: EventCodec.encode(event), as: UTF8.self)
                #expect(!line.contains(Self.secret) && !line.contains(Self.webToken), "in \(event.kind)")
            }
            let results = "\(RunResults(of: events))"
            #expect(!results.contains(Self.secret) && !results.contains(Self.webToken))
        }
        let named = RunEvent.trace(
            TraceEntry(
                caseID: "c", at: .zero, actor: "a", category: .session, text: "t",
                data: ["JWT": Self.secret, "code": "13"]
            ))
        guard case .trace(let entry) = named.published() else { return }
        #expect(entry.data == ["JWT": "REDACTED", "code": "13"])
    }

    @Test func `random text is redacted once and for all`() {
        var random = SeededRandom(seed: 11)
        let pieces = [
            "jwt", "=", ":", "token", " ", "\"", "bearer ", "eyJ", ".", "https://", "@", "%3D", "x", "\n", "\\", "é",
        ]
        for _ in 0..<5000 {
            let text = (0..<random.next() % 12).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            let redacted = Redaction.text(text)
            #expect(Redaction.text(redacted) == redacted, "\(text.debugDescription)")
        }
    }
}
