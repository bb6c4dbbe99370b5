/// What may break a rule of the house, each with its reason. A path stands for the file, or for all under it when it
/// ends with a slash.
enum HouseExceptions {
    /// Where clocks are read, chance is drawn and threads rest.
    static let clocks = [
        "Sources/MoqDrivers/": "the drivers give time and chance to everything else",
        "Sources/moqspec/": "the command line starts things",
        "Sources/moqspec-bench/": "a benchmark measures time",
        "Tests/MoqQUICTests/IdentityTests.swift": "GnuTLS judges certificates by the time of the day",
        "Tests/MoqTLSTests/": "OpenSSL judges certificates by the time of the day",
    ]

    /// Rooms and files that wrap C, behind safe types.
    static let pointers = [
        "Sources/CShim/": "C",
        "Sources/MoqQUIC/": "wraps ngtcp2, GnuTLS and OpenSSL",
        "Sources/MoqDrivers/": "wraps the system's calls",
        "Sources/MoqScenario/YAMLDocument.swift": "wraps libyaml",
        "Sources/MoqJSON/JSONValue.swift": "wraps Jansson",
        "Sources/MoqHang/GroupDeflater.swift": "wraps zlib",
        "Sources/MoqHang/GroupInflater.swift": "wraps zlib",
        "Sources/MoqHTTP3/": "wraps the QPACK of nghttp3",
        "Sources/MoqTLS/": "wraps OpenSSL",
        "Sources/MoqTokens/": "wraps OpenSSL",
        "Sources/CMediaShim/": "C",
        "Sources/MoqMedia/": "wraps libavformat and libavcodec",
    ]

    /// Files of more than 400 lines.
    static let length: [String: String] = [:]

    /// Imports of Foundation outside of tests, which makes every start of the program slower by tens of milliseconds.
    static let foundation: [String: String] = [:]

    /// Files that hold the words and paths that are looked for.
    static let words = ["Tests/HouseTests/": "the tests of the rules need examples of what is against them"]

    /// Members that are public because a protocol of the standard library asks for them, which documents them.
    static let standardMembers = [
        "description", "debugDescription", "hash", "next", "startIndex", "endIndex", "index", "makeIterator",
        "advanced", "duration", "==", "<", "<=", ">", ">=", "rawValue", "id", "errorDescription", "allCases",
    ]

    /// Whether a path is under an entry of a list.
    static func has(_ list: [String: String], _ path: String) -> Bool {
        list.keys.contains { $0.hasSuffix("/") ? path.hasPrefix($0) : path == $0 }
    }
}
