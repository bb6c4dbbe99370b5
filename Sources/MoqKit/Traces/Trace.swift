import MoqBase
import MoqJSON

/// A recorded trace: what was observed of objects, line by line, and what its recorder says about it.
public struct Trace: Equatable, Sendable {
    /// The most bytes of a name or an id; those of SDKs have some tens. All of them stand in what is shown.
    public static let longestText = 1024

    /// The version of the form.
    public static let version = 1
    /// Lines above this are no trace of a client: an hour of every frame of a video has a tenth of it.
    public static let mostLines = 2_000_000

    /// What a recorder sees of an object.
    public enum Aspect: String, CaseIterable, Sendable {
        /// The calls of the application.
        case calls
        /// Everything that happens to it, calls included.
        case triggers
        /// The states it is in.
        case states
        /// The events it shows.
        case events
        /// What calls are refused with.
        case errors
    }

    /// Whose behaviour it is; nil when the recorder does not say.
    public var profile: MachineProfile?
    /// What was recorded; nil when it is to be seen from the lines.
    public var observes: [Aspect]?
    /// Whether objects may have lived before it begins.
    public var beginsAnywhere = false
    /// Whether it may end in the middle of what an object shows at once.
    public var isCut = false
    /// Whether lines of different objects stand in the order in which they happened.
    public var isOrdered = true
    /// The observations.
    public var lines: [TraceLine]

    /// A trace of lines.
    public init(profile: MachineProfile? = nil, observes: [Aspect]? = nil, lines: [TraceLine]) {
        self.profile = profile
        self.observes = observes
        self.lines = lines
    }

    /// Reads a trace. Fields that are not known are ignored, so are empty lines.
    public init(parsing bytes: [UInt8]) throws(TraceError) {
        lines = []
        var number = 0
        var hasHeader = false
        // Editors of Windows put a mark of the encoding in front.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        for part in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let isBlank = part.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
            guard !isBlank else { continue }
            let value: JSONValue
            do {
                value = try JSONValue(parsing: Array(part))
            } catch {
                if !hasHeader { throw .noHeader }
                throw .notJSON(line: number, column: error.column, problem: error.problem)
            }
            if hasHeader {
                guard lines.count < Self.mostLines else { throw .tooMuch(what: "lines", most: Self.mostLines) }
                lines.append(try Self.line(TraceFields(value: value, line: number)))
            } else {
                try readHeader(TraceFields(value: value, line: number))
                hasHeader = true
            }
        }
        guard hasHeader else { throw .empty }
    }

    private mutating func readHeader(_ fields: TraceFields) throws(TraceError) {
        guard fields.value["format"]?.string == "moqspec-trace" else { throw .noHeader }
        guard let version = fields.value["version"]?.integer else { throw .noHeader }
        guard version <= Self.version else { throw .newer(version: Int(version)) }
        if let word = try fields.text("profile") { profile = try Self.profile(word) }
        if let list = fields.value["observes"]?.elements {
            var aspects: [Aspect] = []
            for element in list {
                let word = element.string ?? ""
                guard let aspect = Aspect(rawValue: word) else {
                    throw Self.unknown("aspect", word, Aspect.allCases.map(\.rawValue))
                }
                aspects.append(aspect)
            }
            observes = aspects
        }
        if let word = try fields.text("begins") {
            guard word == "anywhere" else { throw Self.unknown("word for `begins`", word, ["anywhere"]) }
            beginsAnywhere = true
        }
        isCut = try fields.flag("cut") ?? false
        isOrdered = try fields.flag("ordered") ?? true
    }

    private static func line(_ fields: TraceFields) throws(TraceError) -> TraceLine {
        guard fields.value.members != nil else { throw .wrongLine(line: fields.line, problem: "it is no JSON object") }
        guard let object = try fields.text("object") else {
            throw .wrongLine(line: fields.line, problem: "`object` is missing: the id of what was observed")
        }
        return TraceLine(
            object: object, of: try fields.text("of"), machine: try fields.text("machine"),
            from: try fields.text("from"),
            to: try fields.text("to"), trigger: try fields.text("trigger"), event: try fields.text("event"),
            payload: try fields.payload(), code: try fields.integer("code").map { Int($0) },
            error: try fields.text("error"), atNs: try fields.integer("atNs"), time: try fields.text("time"),
            objectKind: try fields.text("objectKind"), line: fields.line)
    }

    /// The profile of a word.
    public static func profile(_ word: String) throws(TraceError) -> MachineProfile {
        guard let profile = MachineProfile(rawValue: word) else {
            throw unknown("profile", word, MachineProfile.allCases.map(\.rawValue))
        }
        return profile
    }

    static func unknown(_ what: String, _ word: String, _ known: [String]) -> TraceError {
        .unknown(what: what, word: word, known: known, suggestion: NearestWord.of(word, among: known))
    }

    /// The line that it begins with, with its line feed.
    public func header() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", "moqspec-trace")
            writer.member("version", Self.version)
            writer.member("profile", profile?.rawValue)
            if let observes { writer.member("observes", observes.map(\.rawValue)) }
            if beginsAnywhere { writer.member("begins", "anywhere") }
            if isCut {
                writer.name("cut")
                writer.value(true)
            }
            if !isOrdered {
                writer.name("ordered")
                writer.value(false)
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// The trace as a file.
    public func json() -> [UInt8] {
        lines.reduce(into: header()) { $0 += $1.json() }
    }
}

/// The fields of one line, with their types.
private struct TraceFields {
    let value: JSONValue
    let line: Int

    func text(_ name: String) throws(TraceError) -> String? {
        guard let found = value[name], found != .null else { return nil }
        guard let text = found.string else { throw .wrongLine(line: line, problem: "`\(name)` is not a string") }
        guard text.utf8.count <= Trace.longestText else {
            throw .wrongLine(
                line: line, problem: "`\(name)` has \(text.utf8.count) bytes; at most \(Trace.longestText) are read")
        }
        return text
    }

    func flag(_ name: String) throws(TraceError) -> Bool? {
        guard let found = value[name], found != .null else { return nil }
        guard case .bool(let flag) = found else {
            throw .wrongLine(line: line, problem: "`\(name)` is not true or false")
        }
        return flag
    }

    func integer(_ name: String) throws(TraceError) -> Int64? {
        guard let found = value[name], found != .null else { return nil }
        guard let number = found.integer else { throw .wrongLine(line: line, problem: "`\(name)` is not an integer") }
        return number
    }

    func payload() throws(TraceError) -> MachineValues {
        guard let found = value["payload"], found != .null else { return [:] }
        guard let members = found.members else { throw .wrongLine(line: line, problem: "`payload` is not an object") }
        var values = MachineValues()
        for member in members {
            switch member.value {
            case .bool(let flag): values[member.name] = .flag(flag)
            case .integer(let number): values[member.name] = .number(Int(number))
            case .string(let text): values[member.name] = .word(text)
            case .null: values[member.name] = .word("none")
            case .real(let number): values[member.name] = .word("\(number)")
            // No machine asks about values within values.
            case .array, .object: break
            }
        }
        return values
    }
}
