import MoqBase

/// A part of bytes that a scenario spells out. What depends on the case (its version, its path) is filled in when the
/// case runs.
public enum RawBytes: Hashable, Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// `[ ... ]`: the number of bytes that follow inside, as a varint, and these.
    case message([RawBytes])
    /// `<path game>`: the path of a broadcast of the case with its length; without a name, the path of the case.
    case path(String)
    /// `<text video>`: a text with its length.
    case text(String)
    /// `<group 0 5>`: the type of a group's stream and GROUP, for a subscription (its id) and with a number.
    case group(subscription: UInt64, sequence: UInt64)
    /// `<frame 10>`: the head of a frame of so many bytes, at the time of the one before where it has a time.
    case frame(size: UInt64)
    /// `<announcements game>`: the type of an Announce stream and ANNOUNCE_REQUEST for a prefix of the case.
    case announcements(prefix: String)
    /// `<subscribe 0 game video>`: the type of a Subscribe stream and SUBSCRIBE, without wishes.
    case subscribe(id: UInt64, TrackReference)
    /// `<track game video>`: the type of a Track stream and TRACK.
    case track(TrackReference)
    /// `<fetch game video 3>`: the type of a Fetch stream and FETCH of a group.
    case fetch(TrackReference, group: UInt64)
}

/// Reads bytes as scenarios spell them: hexadecimal digits, `[ ]` around what its length precedes, and words in `< >`.
struct RawBytesReader {
    /// What is wrong with the text.
    struct Mistake: Error {
        let what: String
        var expected = "pairs of hexadecimal digits, `[ ... ]` or `<WORD ...>`, such as `\"02 [ 09 <path game> ff ]\"`"
    }

    /// Messages in messages: more than any format has.
    private static let deepest = 8

    private let characters: [Character]
    private var position = 0

    init(_ text: String) {
        characters = Array(text)
    }

    /// All of it.
    mutating func read() throws(Mistake) -> [RawBytes] {
        let parts = try parts(depth: 0)
        guard position == characters.count else { throw Mistake(what: "a `]` without its `[`") }
        return parts
    }

    private mutating func parts(depth: Int) throws(Mistake) -> [RawBytes] {
        guard depth <= Self.deepest else { throw Mistake(what: "more than \(Self.deepest) `[` inside each other") }
        var parts: [RawBytes] = []
        var bytes: [UInt8] = []
        func settle() {
            if !bytes.isEmpty { parts.append(.bytes(bytes)) }
            bytes = []
        }
        while position < characters.count {
            let character = characters[position]
            switch character {
            case _ where character.isWhitespace:
                position += 1
            case "]":
                settle()
                return parts
            case "[":
                settle()
                position += 1
                let inner = try self.parts(depth: depth + 1)
                guard position < characters.count else { throw Mistake(what: "a `[` without its `]`") }
                position += 1
                parts.append(.message(inner))
            case "<":
                settle()
                parts.append(try word())
            default:
                bytes.append(try byte())
            }
        }
        settle()
        return parts
    }

    /// Two digits, with blanks between them as one likes.
    private mutating func byte() throws(Mistake) -> UInt8 {
        var value = 0
        for _ in 0..<2 {
            while position < characters.count, characters[position].isWhitespace { position += 1 }
            guard position < characters.count, let digit = characters[position].hexDigitValue else {
                let seen = position < characters.count ? "`\(characters[position])`" : "the end"
                throw Mistake(what: "\(seen) where a hexadecimal digit should be")
            }
            value = value << 4 | digit
            position += 1
        }
        return UInt8(value)
    }

    private mutating func word() throws(Mistake) -> RawBytes {
        guard let end = characters[position...].firstIndex(of: ">") else {
            throw Mistake(what: "a `<` without its `>`")
        }
        let words = String(characters[position + 1..<end]).split(separator: " ").map(String.init)
        position = end + 1
        let arguments = Array(words.dropFirst())
        switch (words.first, arguments.count) {
        case ("path", 0...1): return .path(arguments.first ?? "")
        case ("text", 0...1): return .text(arguments.first ?? "")
        case ("announcements", 0...1): return .announcements(prefix: arguments.first ?? "")
        case ("frame", 1): return .frame(size: try number(arguments[0]))
        case ("group", 2):
            return .group(subscription: try number(arguments[0]), sequence: try number(arguments[1]))
        case ("track", 2): return .track(TrackReference(broadcast: arguments[0], track: arguments[1]))
        case ("subscribe", 3):
            return .subscribe(
                id: try number(arguments[0]), TrackReference(broadcast: arguments[1], track: arguments[2]))
        case ("fetch", 3):
            return .fetch(
                TrackReference(broadcast: arguments[0], track: arguments[1]), group: try number(arguments[2]))
        default:
            throw Mistake(
                what: "`<\(words.joined(separator: " "))>`, which is no word",
                expected:
                    "`<path NAME>`, `<text TEXT>`, `<group ID NUMBER>`, `<frame SIZE>`, `<announcements PREFIX>`, "
                    + "`<subscribe ID BROADCAST TRACK>`, `<track BROADCAST TRACK>` or `<fetch BROADCAST TRACK GROUP>`")
        }
    }

    private func number(_ text: String) throws(Mistake) -> UInt64 {
        guard let number = UInt64(text), number <= VarInt.maximum else {
            throw Mistake(what: "`\(text)` where a number should be", expected: "a number from 0 to 2^62 - 1")
        }
        return number
    }
}

extension ReadingContext {
    /// Bytes that may depend on the case.
    func rawBytes(_ node: YAMLNode, _ name: String) -> [RawBytes]? {
        if notes(.text, node.span) { return [] }
        let usual = RawBytesReader.Mistake(what: "").expected
        guard case .scalar(let text, _) = node.content else { return wrong(node, name, expected: usual) }
        var reader = RawBytesReader(text)
        do throws(RawBytesReader.Mistake) {
            return try reader.read()
        } catch {
            self.error(node.span, "`\(name)` has \(error.what)", expected: error.expected)
            return nil
        }
    }
}
