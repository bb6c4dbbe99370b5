import MoqJSON

extension MSFCatalog {
    /// The mirror of a hang catalog, with the fields that 0.4.18 writes.
    public init(mirroring catalog: Catalog) {
        let groups = (catalog.video?.renditions.count ?? 0, catalog.audio?.renditions.count ?? 0)
        var tracks: [Track] = []
        for rendition in catalog.video?.renditions ?? [] {
            var track = Self.track(rendition.name, .video, rendition.codec, rendition.container, rendition.description)
            track.add("width", rendition.codedWidth.map { .integer(Int64($0)) })
            track.add("height", rendition.codedHeight.map { .integer(Int64($0)) })
            track.add("framerate", rendition.framerate.map(JSONValue.real))
            track.add("bitrate", rendition.bitrate.map(JSONValue.integer))
            track.add("stalled", rendition.stalled.map(JSONValue.bool))
            track.addGroups(hasAlternative: groups.0 > 1, startingType: 2, rendition.jitter)
            tracks.append(track)
        }
        for rendition in catalog.audio?.renditions ?? [] {
            var track = Self.track(rendition.name, .audio, rendition.codec, rendition.container, rendition.description)
            track.add("samplerate", .integer(Int64(rendition.sampleRate)))
            track.add("channelConfig", .string(String(rendition.numberOfChannels)))
            track.add("bitrate", rendition.bitrate.map(JSONValue.integer))
            track.addGroups(hasAlternative: groups.1 > 1, startingType: 1, rendition.jitter)
            tracks.append(track)
        }
        self.init(tracks: tracks)
    }

    /// The catalog as bytes; equal initialisations are written once.
    public func written(indented: Bool = false) -> [UInt8] {
        var data: [[UInt8]] = []
        let tracks = tracks.map { track -> JSONValue in
            var members = [
                JSONValue.Member(name: "name", value: .string(track.name)),
                JSONValue.Member(name: "packaging", value: .string(track.packaging)),
            ]
            if let role = track.role { members.append(.init(name: "role", value: .string(role))) }
            if let codec = track.codec { members.append(.init(name: "codec", value: .string(codec))) }
            if let initialisation = track.initialisation {
                let index = data.firstIndex(of: initialisation) ?? data.count
                if index == data.count { data.append(initialisation) }
                members.append(.init(name: "initRef", value: .string("init\(index)")))
            }
            return .object(members + track.other)
        }
        var root = [
            JSONValue.Member(name: "version", value: .string(Self.version)),
            JSONValue.Member(name: "tracks", value: .array(tracks)),
        ]
        if !data.isEmpty {
            let entries = data.enumerated().map { index, bytes in
                JSONValue.object([
                    .init(name: "id", value: .string("init\(index)")), .init(name: "type", value: .string("inline")),
                    .init(name: "data", value: .string(Base64.encode(bytes))),
                ])
            }
            root.append(.init(name: "initDataList", value: .array(entries)))
        }
        return JSONValue.object(root + other).written(indented: indented)
    }

    /// What the mirror says otherwise than the hang catalog: a line each, none when they agree. Compared are the names
    /// of media tracks, how they are packed, their codecs, and descriptions by their bytes.
    public func differences(from catalog: Catalog) -> [String] {
        let expected = MSFCatalog(mirroring: catalog).tracks
        let mirrored = tracks.filter { $0.role == "video" || $0.role == "audio" }
        var lines: [String] = []
        for track in expected {
            guard let other = mirrored.first(where: { $0.name == track.name }) else {
                lines.append("`\(track.name)` is in the hang catalog only")
                continue
            }
            if other.role != track.role {
                lines.append("`\(track.name)` is \(other.role ?? "nothing"), not \(track.role ?? "nothing")")
            }
            if other.packaging != track.packaging {
                lines.append("`\(track.name)` is packed as \(other.packaging), not \(track.packaging)")
            }
            if other.codec != track.codec {
                lines.append("`\(track.name)` has the codec \(other.codec ?? "none"), not \(track.codec ?? "none")")
            }
            if other.initialisation != track.initialisation {
                lines.append("`\(track.name)` has another description")
            }
        }
        for track in mirrored where !expected.contains(where: { $0.name == track.name }) {
            lines.append("`\(track.name)` is in the mirror only")
        }
        return lines
    }

    private static func track(
        _ name: String, _ kind: MediaKind, _ codec: CodecString, _ container: Container, _ description: [UInt8]?
    ) -> Track {
        var track = Track(
            name: name, packaging: container.kind ?? "legacy", role: kind.rawValue, codec: codec.text,
            initialisation: description)
        if case .cmaf(let initialisation) = container { track.initialisation = initialisation }
        track.add("isLive", .bool(true))
        return track
    }
}

extension MSFCatalog.Track {
    fileprivate mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { other.append(.init(name: name, value: value)) }
    }

    fileprivate mutating func addGroups(hasAlternative: Bool, startingType: Int64, _ jitter: Int64?) {
        add("renderGroup", .integer(1))
        if hasAlternative { add("altGroup", .integer(1)) }
        add("maxGrpSapStartingType", .integer(startingType))
        add("maxObjSapStartingType", .integer(startingType))
        add("jitter", jitter.map(JSONValue.integer))
    }
}
