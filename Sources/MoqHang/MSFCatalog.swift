import MoqBase
import MoqJSON

/// The mirror of a hang catalog for players of MSF (draft-ietf-moq-msf), on the track `catalog`, as far as it is needed to
/// hold it against the hang catalog. The original stack writes it by itself (0.3.19, 0.4.18); moq-kit does not read it.
public struct MSFCatalog: Equatable, Sendable {
    /// The track that carries it.
    public static let trackName = "catalog"
    /// The version that is written; read is any text, and the number 1.
    public static let version = "draft-01"

    /// One track.
    public struct Track: Equatable, Sendable {
        /// The track's name.
        public var name: String
        /// `legacy`, `loc`, `cmaf`, or what else there is.
        public var packaging: String
        /// `video`, `audio` or another role; nil for none.
        public var role: String?
        /// What decodes it.
        public var codec: String?
        /// The description, or the initialisation of a cmaf track, decoded.
        public var initialisation: [UInt8]?
        /// All other fields, untouched.
        public var other: [JSONValue.Member]

        /// A track of its parts.
        public init(
            name: String, packaging: String, role: String? = nil, codec: String? = nil, initialisation: [UInt8]? = nil,
            other: [JSONValue.Member] = []
        ) {
            self.name = name
            self.packaging = packaging
            self.role = role
            self.codec = codec
            self.initialisation = initialisation
            self.other = other
        }
    }

    /// The tracks in the order of the document.
    public var tracks: [Track]
    /// All other members of the root: `generatedAt`, `isComplete`, and sections of applications, which are mirrored.
    public var other: [JSONValue.Member]

    /// A catalog of its parts.
    public init(tracks: [Track] = [], other: [JSONValue.Member] = []) {
        self.tracks = tracks
        self.other = other
    }

    /// Reads a catalog.
    public init(parsing bytes: [UInt8]) throws(CatalogError) {
        do throws(CatalogError) {
            try self.init(try CatalogReader.document(bytes))
        } catch {
            throw error.placed(in: bytes)
        }
    }

    private init(_ document: JSONValue) throws(CatalogError) {
        let rules = FieldReader.Rules(takesNull: true, takesWholeReals: true)
        var root = try FieldReader(document, at: JSONPath(), rules: rules)
        switch try root.required("version", "such as \"\(Self.version)\"") {
        case .string, .integer(1), .real(1): break
        case let other:
            throw CatalogError(
                .wrongType, at: root.path.member("version"),
                "expected a draft's name or 1, not \(other.kindDescription)")
        }
        var data: [String: [UInt8]] = [:]
        for (path, value) in try Self.elements("initDataList", &root) {
            var entry = try FieldReader(value, at: path, rules: rules)
            let id = try entry.requiredText("id", "by which tracks name it")
            guard try entry.requiredText("type", "such as inline") == "inline" else { continue }
            data[id] = try Self.base64(try entry.requiredText("data", "as base64"), at: path.member("data"))
        }
        var tracks: [Track] = []
        for (path, value) in try Self.elements("tracks", &root) {
            var fields = try FieldReader(value, at: path, rules: rules)
            var track = Track(
                name: try fields.requiredText("name", "the track's name"),
                packaging: try fields.requiredText("packaging", "such as legacy"))
            track.role = try fields.text("role")
            track.codec = try fields.text("codec")
            if let text = try fields.text("initData") {
                track.initialisation = try Self.base64(text, at: path.member("initData"))
            }
            if let id = try fields.text("initRef") {
                guard let bytes = data[id] else {
                    throw CatalogError(.missing, at: path.member("initRef"), "`initDataList` has no inline `\(id)`")
                }
                track.initialisation = bytes
            }
            track.other = fields.rest
            tracks.append(track)
        }
        self.init(tracks: tracks, other: root.rest)
    }

    private static func elements(
        _ name: String, _ root: inout FieldReader
    ) throws(CatalogError) -> [(JSONPath, JSONValue)] {
        guard let value = try root.value(name) else { return [] }
        let path = root.path.member(name)
        guard let elements = value.elements else {
            throw CatalogError(.wrongType, at: path, "expected a list, not \(value.kindDescription)")
        }
        return elements.enumerated().map { (path.element($0.offset), $0.element) }
    }

    private static func base64(_ text: String, at path: JSONPath) throws(CatalogError) -> [UInt8] {
        guard let bytes = Base64.decode(text) else {
            throw CatalogError(.notBase64, at: path, "expected base64 with its padding (RFC 4648)")
        }
        return bytes
    }
}
