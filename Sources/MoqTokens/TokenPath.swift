/// A path as claims have it: parts between slashes, empty ones dropped, compared byte by byte.
struct TokenPath: Equatable {
    let parts: [[UInt8]]

    init(_ text: String) {
        parts = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    private init(parts: [[UInt8]]) {
        self.parts = parts
    }

    var text: String { parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/") }

    /// What is left behind a prefix of whole parts; nil when it is none.
    func suffix(after prefix: TokenPath) -> TokenPath? {
        parts.starts(with: prefix.parts) ? TokenPath(parts: Array(parts.dropFirst(prefix.parts.count))) : nil
    }

    func appending(_ path: TokenPath) -> TokenPath { TokenPath(parts: parts + path.parts) }

    static let empty = TokenPath(parts: [])

    /// The paths without those that another one covers, in their order.
    static func withoutCovered(_ paths: [TokenPath]) -> [TokenPath] {
        var kept: [TokenPath] = []
        for (index, path) in paths.enumerated() {
            let isCovered = paths.enumerated().contains { other, prefix in
                path.suffix(after: prefix) != nil && (prefix != path || other < index)
            }
            if !isCovered { kept.append(path) }
        }
        return kept
    }
}
