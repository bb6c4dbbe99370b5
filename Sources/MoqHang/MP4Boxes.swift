import MoqBase

/// The four letters that name a box (ISO/IEC 14496-12, 4.2).
struct BoxType: Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
    let code: UInt32

    init(code: UInt32) {
        self.code = code
    }

    init(stringLiteral text: StaticString) {
        code = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    init(letters: some StringProtocol) {
        code = letters.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The letters; what is no letter, digit or space is a dot.
    var description: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
        return String(decoding: bytes.map { (32...126).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}

/// One box and the range of its content.
struct MP4Box {
    var type: BoxType
    /// Where the box begins.
    var start: Int
    /// Its content, behind size and type.
    var content: Range<Int>
}

/// Walks over boxes; never beyond the range it is given.
struct MP4Reader {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The boxes that a range consists of.
    func boxes(in range: Range<Int>) throws(ContainerError) -> [MP4Box] {
        var boxes: [MP4Box] = []
        var start = range.lowerBound
        while start < range.upperBound {
            var fields = MP4Fields(bytes, in: start..<range.upperBound, of: "a box's size and type")
            var size = try fields.number(4)
            let type = BoxType(code: UInt32(try fields.number(4)))
            var header = 8
            if size == 1 {
                size = try fields.number(8)
                header = 16
            } else if size == 0 {
                size = range.upperBound - start
            }
            guard size >= header, size <= range.upperBound - start else {
                throw .truncated("box `\(type)`, which says that it has \(size) bytes")
            }
            boxes.append(MP4Box(type: type, start: start, content: start + header..<start + size))
            start += size
        }
        return boxes
    }

    /// The one box of a type in a range; nil when there is none.
    func box(_ type: BoxType, in range: Range<Int>) throws(ContainerError) -> MP4Box? {
        try boxes(in: range).first { $0.type == type }
    }

    /// The one box of a type in a range, which must be there.
    func required(_ type: BoxType, in range: Range<Int>, of parent: String) throws(ContainerError) -> MP4Box {
        guard let box = try box(type, in: range) else { throw .malformed("\(parent) has no box `\(type)`") }
        return box
    }

    /// The fields of a box's content.
    func fields(_ box: MP4Box) -> MP4Fields {
        MP4Fields(bytes, in: box.content, of: "box `\(box.type)`")
    }
}

/// Reads the numbers of a box's content.
struct MP4Fields {
    private var reader: ByteReader
    private let what: String

    init(_ bytes: [UInt8], in range: Range<Int>, of what: String) {
        reader = ByteReader(bytes, in: range)
        self.what = what
    }

    var position: Int { reader.position }
    var end: Int { reader.end }
    var remaining: Int { reader.remaining }

    /// A number of `width` bytes, big-endian, that must be less than 2^63.
    mutating func number(_ width: Int) throws(ContainerError) -> Int {
        var value: UInt64 = 0
        for byte in try take(width) { value = value << 8 | UInt64(byte) }
        guard let number = Int(exactly: value) else { throw .malformed("a number of \(what) exceeds 63 bits") }
        return number
    }

    /// Version and flags, with which a full box begins.
    mutating func versionAndFlags() throws(ContainerError) -> (version: Int, flags: Int) {
        let word = try number(4)
        return (word >> 24, word & 0xFF_FFFF)
    }

    mutating func skip(_ count: Int) throws(ContainerError) {
        _ = try take(count)
    }

    private mutating func take(_ count: Int) throws(ContainerError) -> [UInt8] {
        do throws(ByteError) {
            return try reader.take(count)
        } catch {
            throw .truncated(what)
        }
    }
}

/// Writes boxes.
struct MP4Writer {
    private(set) var bytes: [UInt8] = []

    /// Writes a box; `body` writes its content.
    mutating func box(_ type: BoxType, _ body: (inout MP4Writer) -> Void) {
        let start = bytes.count
        number(0, 4)
        number(Int(type.code), 4)
        body(&self)
        set(bytes.count - start, at: start)
    }

    /// Writes a box that begins with version and flags.
    mutating func fullBox(_ type: BoxType, version: Int = 0, flags: Int = 0, _ body: (inout MP4Writer) -> Void) {
        box(type) { writer in
            writer.number(version << 24 | flags, 4)
            body(&writer)
        }
    }

    /// Writes the lowest `width` bytes of a number, big-endian.
    mutating func number(_ value: Int, _ width: Int) {
        for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Overwrites four bytes with a number.
    mutating func set(_ value: Int, at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
    }
}
