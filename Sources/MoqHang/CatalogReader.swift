import MoqBase
import MoqJSON

/// Makes a `Catalog` of a document, as strictly as a given reader of the field.
///
/// Renditions that a reader drops and does not refuse (of an unknown container) stay in the catalog: see
/// `Rendition.playability(on:)`.
public struct CatalogReader: Sendable {
    /// Whose reading it is.
    public enum Profile: String, CaseIterable, Hashable, Sendable {
        /// The original stack in Rust, and with it the FFI, moq-kit and moq-cli (moq-ffi up to 0.4.18).
        case rust
        /// The JavaScript package of hang (August of 2026): takes `video` as a list and `audio` as one track, as
        /// catalogs of 2025 have them, does not look into codecs, and refuses `null`.
        case javascript
        /// Every shape that was ever deployed, beginning with June of 2025.
        case archive
    }

    /// Whose reading it is.
    public let profile: Profile

    /// A reader.
    public init(profile: Profile = .rust) {
        self.profile = profile
    }

    /// Reads the bytes of a catalog. An error tells what is wrong, the path and, of a value that is there, its line and
    /// column. For JSON all profiles are strict alike: UTF-8 without a mark in front, no name twice in an object.
    public func read(_ bytes: [UInt8]) throws(CatalogError) -> Catalog {
        let document = try Self.document(bytes)
        do throws(CatalogError) {
            return try read(document)
        } catch {
            throw error.placed(in: bytes)
        }
    }

    /// Reads a document that has been parsed.
    public func read(_ document: JSONValue) throws(CatalogError) -> Catalog {
        var root = try FieldReader(document, at: JSONPath(), rules: rules)
        var catalog = Catalog()
        if let value = try root.value("video", takesNull: false) {
            catalog.video = try video(value, at: root.path.member("video"))
        }
        if let value = try root.value("audio", takesNull: false) {
            catalog.audio = try audio(value, at: root.path.member("audio"))
        }
        catalog.sections = root.rest
        return catalog
    }

    /// Parses a document of bounded length.
    static func document(_ bytes: [UInt8]) throws(CatalogError) -> JSONValue {
        guard bytes.count <= HangLimits.documentBytes else {
            throw CatalogError(
                .tooLong, "the document has \(bytes.count) bytes; at most \(HangLimits.documentBytes) are read")
        }
        do throws(JSONError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw CatalogError(error)
        }
    }

    var rules: FieldReader.Rules {
        switch profile {
        case .rust: FieldReader.Rules(takesNull: true, takesWholeReals: false)
        case .javascript: FieldReader.Rules(takesNull: false, takesWholeReals: true)
        case .archive: FieldReader.Rules(takesNull: true, takesWholeReals: true)
        }
    }

    // MARK: Sections

    private func video(_ value: JSONValue, at path: JSONPath) throws(CatalogError) -> VideoSection {
        if value.elements != nil, profile != .rust { return try videoList(value, at: path) }
        if profile == .archive, value["track"] != nil {
            return try videoList(.array([value]), at: path)
        }
        var fields = try FieldReader(value, at: path, rules: rules)
        var section = VideoSection()
        for (name, value, path) in try renditions(&fields) {
            section.renditions.append(try video(named: name, value, at: path))
        }
        if let display = try fields.value("display") {
            section.display = try size(display, at: path.member("display"))
        }
        section.rotation = try fields.number("rotation")
        section.flip = try fields.flag("flip")
        section.other = fields.rest
        return section
    }

    private func audio(_ value: JSONValue, at path: JSONPath) throws(CatalogError) -> AudioSection {
        var section = AudioSection()
        let isTrack = value["track"] != nil && value["renditions"] == nil
        if (isTrack && profile != .rust) || (value.elements != nil && profile == .archive) {
            for entry in try listed(value.elements == nil ? .array([value]) : value, at: path) {
                section.renditions.append(try audio(named: entry.name, entry.value, at: entry.path))
            }
            return section
        }
        var fields = try FieldReader(value, at: path, rules: rules)
        for (name, value, path) in try renditions(&fields) {
            section.renditions.append(try audio(named: name, value, at: path))
        }
        section.other = fields.rest
        return section
    }

    private func renditions(
        _ fields: inout FieldReader
    ) throws(CatalogError) -> [(name: String, value: JSONValue, path: JSONPath)] {
        let value = try fields.required("renditions", "the map of tracks by name, which may be empty")
        let path = fields.path.member("renditions")
        guard let members = value.members else {
            throw CatalogError(
                .wrongType, at: path, "expected a map of tracks by name, not \(value.kindDescription)")
        }
        return members.map { ($0.name, $0.value, path.member($0.name)) }
    }

    /// A list of `{track: {name, priority}, config}`, as it was from June to October of 2025. Rotation, mirroring and
    /// the size to show stood in the first one's config then.
    private func videoList(_ value: JSONValue, at path: JSONPath) throws(CatalogError) -> VideoSection {
        var section = VideoSection()
        for entry in try listed(value, at: path) {
            section.renditions.append(try video(named: entry.name, entry.value, at: entry.path))
        }
        guard let first = section.renditions.first else { return section }
        section.display = first.displayAspect
        guard profile == .archive else { return section }
        for member in first.other {
            switch (member.name, member.value) {
            case ("rotation", .integer(let degrees)): section.rotation = Double(degrees)
            case ("rotation", .real(let degrees)): section.rotation = degrees
            case ("flip", .bool(let flip)): section.flip = flip
            default: continue
            }
        }
        return section
    }

    private func listed(
        _ value: JSONValue, at path: JSONPath
    ) throws(CatalogError) -> [(name: String, value: JSONValue, path: JSONPath)] {
        var entries: [(String, JSONValue, JSONPath)] = []
        for (index, element) in (value.elements ?? []).enumerated() {
            let place = path.element(index)
            var entry = try FieldReader(element, at: place, rules: rules)
            let track = try entry.required("track", "an object with the track's name")
            var fields = try FieldReader(track, at: place.member("track"), rules: rules)
            let name = try fields.requiredText("name", "the name of the track")
            entries.append((name, try entry.required("config", "what describes the track"), place.member("config")))
        }
        return entries
    }

    private func size(_ value: JSONValue, at path: JSONPath) throws(CatalogError) -> VideoSection.Size {
        var fields = try FieldReader(value, at: path, rules: rules)
        let width = try fields.requiredInteger("width", limit: numberLimit, "in pixels")
        let height = try fields.requiredInteger("height", limit: numberLimit, "in pixels")
        return VideoSection.Size(width: Int(width), height: Int(height))
    }

    /// The largest size, rate or count: 32 bits in Rust, 53 in JavaScript.
    var numberLimit: Int64 {
        profile == .rust ? Int64(UInt32.max) : FieldReader.largestSafeInteger
    }

    /// The largest bit rate or duration: 64 bits in Rust, of which this reader has 63.
    var longLimit: Int64 {
        profile == .rust ? Int64.max : FieldReader.largestSafeInteger
    }
}

extension CatalogError {
    /// The error with the line and column of its path in a text.
    func placed(in bytes: [UInt8]) -> CatalogError {
        var error = self
        if error.place == nil { error.place = path.place(in: bytes) }
        return error
    }
}
