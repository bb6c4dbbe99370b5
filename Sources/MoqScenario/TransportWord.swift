/// Words that people use for transports, and the names that scenarios have for what is meant.
public enum TransportWord {
    private static let words: [(word: String, meant: [String])] = [
        ("qmux", ["websocket", "tcp"]), ("ws", ["websocket"]), ("wss", ["websocket"]), ("wt", ["webtransport"]),
        ("h3", ["webtransport"]), ("http3", ["webtransport"]), ("https", ["webtransport"]), ("raw", ["quic"]),
        ("raw-quic", ["quic"]), ("udp", ["quic"]), ("moqt", ["quic"]), ("moql", ["quic"]), ("tls", ["tcp"]),
    ]

    /// The names that a word may mean; nil when it is none of those known.
    public static func meant(by word: String) -> [String]? {
        let lower = word.lowercased()
        return words.first { $0.word == lower }?.meant
    }
}
