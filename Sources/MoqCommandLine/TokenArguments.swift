import MoqTokens

/// The token and the key that a command line names. What it says of them never holds them.
struct TokenArguments: Equatable, Sendable {
    /// The token of every session that says nothing else (`--token`, `--token-file`).
    var token: String?
    /// The key with which the relay verifies tokens (`--token-key`).
    var key: JSONWebKey?

    /// Reads the flags of `moqspec run`, and the files that they name.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.has("token"), arguments.has("token-file") {
            throw UsageError("--token and --token-file name two tokens; give one of them")
        }
        if let text = arguments.value(of: "token") { token = try Self.checked(text, flag: "token") }
        if let file = arguments.value(of: "token-file") {
            let bytes = try Self.read(file, flag: "token-file", limit: TokenLimits.token + 2)
            token = try Self.checked(String(decoding: bytes, as: UTF8.self), flag: "token-file \(file)")
        }
        if let file = arguments.value(of: "token-key") { key = try Self.key(file, flag: "token-key") }
    }

    /// The key in a file.
    static func key(_ file: String, flag: String) throws(UsageError) -> JSONWebKey {
        let bytes = try read(file, flag: flag, limit: TokenLimits.keyFile + 1)
        do {
            return try JSONWebKey(reading: bytes)
        } catch {
            throw UsageError("--\(flag) \(file): \(error)")
        }
    }

    private static func read(_ file: String, flag: String, limit: Int) throws(UsageError) -> [UInt8] {
        try InputFile.check(file, flag: flag)
        return try InputFile.read(file, limit: limit)
    }

    /// A token without what surrounds it. It may be of any sort: what it is is for the relay to judge.
    private static func checked(_ text: String, flag: String) throws(UsageError) -> String {
        var token = Substring(text)
        while let last = token.last, last.isWhitespace { token.removeLast() }
        token = token.drop { $0.isWhitespace }
        guard !token.isEmpty else { throw UsageError("--\(flag): there is no token") }
        guard token.utf8.count <= TokenLimits.token else {
            throw UsageError("--\(flag): the token has more than \(TokenLimits.token) bytes")
        }
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw UsageError("--\(flag): a token is one word of ASCII; give it alone")
        }
        return String(token)
    }
}
