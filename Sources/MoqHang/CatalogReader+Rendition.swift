import MoqBase
import MoqJSON

extension CatalogReader {
    func video(named name: String, _ value: JSONValue, at path: JSONPath) throws(CatalogError) -> VideoRendition {
        var fields = try FieldReader(value, at: path, rules: rules)
        var rendition = VideoRendition(name: name, codec: try codec(&fields, .video))
        rendition.broadcast = try fields.text("broadcast")
        rendition.description = try description(&fields)
        rendition.codedWidth = try number("codedWidth", &fields)
        rendition.codedHeight = try number("codedHeight", &fields)
        rendition.displayAspectWidth = try aspect("Width", &fields)
        rendition.displayAspectHeight = try aspect("Height", &fields)
        rendition.bitrate = try fields.integer("bitrate", limit: longLimit)
        rendition.framerate = try fields.number("framerate")
        rendition.stalled = try fields.flag("stalled")
        rendition.optimizeForLatency = try fields.flag("optimizeForLatency")
        rendition.container = try container(&fields)
        rendition.jitter = try jitter(&fields)
        rendition.timeline = try timeline(&fields)
        rendition.other = fields.rest
        return rendition
    }

    func audio(named name: String, _ value: JSONValue, at path: JSONPath) throws(CatalogError) -> AudioRendition {
        var fields = try FieldReader(value, at: path, rules: rules)
        let codec = try codec(&fields, .audio)
        let rate = try fields.requiredInteger("sampleRate", limit: numberLimit, "in samples a second")
        let channels = try fields.requiredInteger("numberOfChannels", limit: numberLimit, "such as 2")
        var rendition = AudioRendition(
            name: name, codec: codec, sampleRate: Int(rate), numberOfChannels: Int(channels))
        rendition.broadcast = try fields.text("broadcast")
        rendition.bitrate = try fields.integer("bitrate", limit: longLimit)
        rendition.description = try description(&fields)
        rendition.container = try container(&fields)
        rendition.jitter = try jitter(&fields)
        rendition.timeline = try timeline(&fields)
        rendition.other = fields.rest
        return rendition
    }

    private func codec(_ fields: inout FieldReader, _ kind: MediaKind) throws(CatalogError) -> CodecString {
        let text = try fields.requiredText("codec", "such as \(kind == .video ? "avc1.64001f" : "opus")")
        if profile == .javascript { return CodecString(anything: text, kind: kind) }
        do throws(CodecError) {
            return try CodecString(text, kind: kind)
        } catch {
            throw CatalogError(.invalidCodec, at: fields.path.member("codec"), "invalid codec \(error)")
        }
    }

    private func description(_ fields: inout FieldReader) throws(CatalogError) -> [UInt8]? {
        guard let text = try fields.text("description") else { return nil }
        guard let bytes = Hexadecimal.decode(text) else {
            let isBase64 = Base64.decode(text) != nil
            throw CatalogError(
                .notHex, at: fields.path.member("description"),
                "expected hex, two digits a byte\(isBase64 ? "; this could be base64, which only `init` is in" : "")")
        }
        return bytes
    }

    private func number(_ name: String, _ fields: inout FieldReader) throws(CatalogError) -> Int? {
        try fields.integer(name, limit: numberLimit).map(Int.init)
    }

    /// `displayAspect*` was `displayRatio*` until July of 2026, and is still read so in Rust.
    private func aspect(_ side: String, _ fields: inout FieldReader) throws(CatalogError) -> Int? {
        let name = "displayAspect\(side)"
        let current = try number(name, &fields)
        guard profile != .javascript else { return current }
        let former = try number("displayRatio\(side)", &fields)
        guard current == nil || former == nil else {
            throw CatalogError(
                .duplicate, at: fields.path.member(name), "is there twice: `displayRatio\(side)` is its former name")
        }
        return current ?? former
    }

    /// `jitter` was `minBuffer` until the end of January of 2026.
    private func jitter(_ fields: inout FieldReader) throws(CatalogError) -> Int64? {
        let current = try fields.integer("jitter", limit: longLimit)
        guard profile == .archive, current == nil else { return current }
        return try fields.integer("minBuffer", limit: longLimit)
    }

    private func timeline(_ fields: inout FieldReader) throws(CatalogError) -> TimelineReference? {
        guard let value = try fields.value("timeline") else { return nil }
        let path = fields.path.member("timeline")
        var timeline = try FieldReader(value, at: path, rules: rules)
        let track = try timeline.requiredText("track", "the name of the track with the records")
        let scale = try timeline.integer("timescale", limit: numberLimit) ?? Int64(TimelineReference.usualTimescale)
        let wall = try timeline.integer("wall", limit: longLimit)
        return TimelineReference(track: track, timescale: Int(scale), wall: wall)
    }

    private func container(_ fields: inout FieldReader) throws(CatalogError) -> Container {
        guard let value = try fields.value("container", takesNull: false) else { return .legacy }
        let path = fields.path.member("container")
        if profile == .archive, let word = value.string { return word == "legacy" ? .legacy : .unknown(value) }
        guard value.members != nil else {
            throw CatalogError(
                .wrongType, at: path, "expected an object such as {\"kind\": \"legacy\"}, not \(value.kindDescription)")
        }
        switch value["kind"] {
        case .string("legacy"): return .legacy
        case .string("loc"): return .loc
        case .string("cmaf"): return try cmaf(value, at: path)
        case .string: return .unknown(value)
        case nil where profile != .javascript: return .unknown(value)
        case nil: throw CatalogError(.missing, at: path, "`kind` is missing, such as \"legacy\"")
        case .some(let kind) where profile == .javascript:
            throw CatalogError(.wrongType, at: path.member("kind"), "expected a text, not \(kind.kindDescription)")
        case .some: return .unknown(value)
        }
    }

    private func cmaf(_ value: JSONValue, at path: JSONPath) throws(CatalogError) -> Container {
        guard let initialisation = value["init"] else {
            // From January to May of 2026 it was {timescale, trackId}, which no reader of today can use.
            if profile == .archive { return .unknown(value) }
            throw CatalogError(.missing, at: path, "`init` is missing, the ftyp and moov as base64")
        }
        guard let text = initialisation.string else {
            throw CatalogError(
                .wrongType, at: path.member("init"), "expected base64, not \(initialisation.kindDescription)")
        }
        // The original stack takes base64 without its padding too.
        guard let bytes = Base64.decode(text, padded: profile == .javascript) else {
            throw CatalogError(.notBase64, at: path.member("init"), "expected base64 (RFC 4648, 4)")
        }
        return .cmaf(initialisation: bytes)
    }
}
