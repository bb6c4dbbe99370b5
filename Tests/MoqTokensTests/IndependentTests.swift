import Foundation
import MoqBase
import Testing

@testable import MoqTokens

/// PyJWT, where MOQSPEC_PYTHON names a Python that has it (ci/peers/tools.txt), reads our tokens and we read its.
struct IndependentTests {
    @Test func anotherImplementationAgreesOnEveryAlgorithm() throws {
        let claims = TokenClaims(root: "room", publish: ["a"], subscribe: [""], expires: 4_102_444_800, issued: 1)
        let lines = try TokenAlgorithm.allCases.map { algorithm in
            let key = try Keys.key(algorithm)
            return "\(String(decoding: key.json, as: UTF8.self))\t\(try key.sign(claims))"
        }
        guard let answers = try PythonTokens.answers(lines) else { return }
        try #require(answers.count == lines.count)
        for (algorithm, answer) in zip(TokenAlgorithm.allCases, answers) {
            #expect(answer.first == "room a 4102444800", "\(algorithm)")
            let token = try #require(answer.last)
            let read = try Keys.key(algorithm).verify(token, at: .zero)
            #expect(read == TokenClaims(root: "theirs", publish: ["b"], subscribe: ["c", "d"]), "\(algorithm)")
        }
    }
}

private enum PythonTokens {
    /// For each key and token: what the token says, and a token of its own.
    private static let script = """
        import json, sys
        try:
            import jwt
        except ImportError:
            sys.exit(0)
        for line in sys.stdin:
            key, token = line.rstrip("\\n").split("\\t")
            jwk = json.loads(key)
            key = jwt.PyJWK.from_dict(jwk)
            private = key.key
            public = private.public_key() if hasattr(private, "public_key") else private
            read = jwt.decode(token, public, algorithms=[jwk["alg"]])
            said = "%s %s %d" % (read["root"], read["put"][0], read["exp"])
            own = jwt.encode({"root": "theirs", "put": "b", "get": ["c", "d"]}, private, algorithm=jwk["alg"])
            print(said + "\\t" + own)
        """

    /// Nil where there is no Python, or it has no PyJWT.
    static func answers(_ lines: [String]) throws -> [[String]]? {
        guard let python = ProcessInfo.processInfo.environment["MOQSPEC_PYTHON"], !python.isEmpty else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [python, "-c", script]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data((lines.joined(separator: "\n") + "\n").utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let answers = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        return answers.isEmpty && process.terminationStatus == 0 ? nil : answers
    }
}
