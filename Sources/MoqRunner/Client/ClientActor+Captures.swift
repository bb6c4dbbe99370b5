import MoqBase
import MoqKit
import MoqPlayback
import MoqScenario

// Where the frames of a publisher come from, and what becomes of those of a player.
extension ClientActor {
    func add(_ action: AddTrackAction) throws(CallProblem) {
        guard let kind = TrackKind(rawValue: action.kind.rawValue) else {
            // The emitter is the application's: one that it has is used again.
            if let kept = emitters.last(where: { $0.name == action.name })?.emitter {
                publisher.addData(action.name, kept)
            } else {
                let emitter = try refusing { () throws(ModelError) in try publisher.addData(action.name) }
                emitters.append((action.name, emitter))
            }
            return
        }
        let source = try source(kind, action.source, codec: action.codec)
        let usual = SyntheticSource.usual(kind, platform, codec: action.codec)
        let configuration = try (source?.configuration ?? usual).described(as: action)
        _ = try refusing { () throws(ModelError) in try publisher.addMedia(action.name, configuration) }
        if let source { encoders.append(run(action.name, kind, source)) }
    }

    private func run(_ label: String, _ kind: TrackKind, _ source: any CaptureSource) -> EncoderRun {
        EncoderRun(label, kind, source, clockStart: kind == .video ? capture?.videoStart : capture?.audioStart)
    }

    /// Cameras that come after their tracks.
    func bind(_ capture: CaptureAction) throws(CallProblem) {
        for track in publisher.tracks where !track.isData && !encoders.contains(where: { $0.label == track.label }) {
            guard let kind = track.mediaKind, let source = try source(kind, nil, codec: nil) else { continue }
            encoders.append(run(track.label, kind, source))
        }
    }

    private func source(
        _ kind: TrackKind, _ own: CaptureAction.Source?, codec: String?
    ) throws(CallProblem) -> (any CaptureSource)? {
        guard let capture, let wanted = own ?? (kind == .video ? capture.video : capture.audio) else { return nil }
        switch wanted {
        case .synthetic:
            let seed = scene.seed ^ StableHash.of("\(actor.name)/\(kind.rawValue)/\(encoders.count)")
            return kind == .video
                ? SyntheticSource(camera: capture, codec: codec, seed: seed)
                : SyntheticSource(microphoneOf: platform, codec: codec, seed: seed)
        case .file(let path):
            do throws(RunnerError) {
                let file = try scene.mediaFile(path)
                return try FileSource(file, kind, loops: capture.loops, codec: codec)
            } catch {
                throw .unusable(error.description)
            }
        }
    }

    /// What stands in the place of a device's decoders.
    func newDecoder() -> any FrameDecoding {
        guard actor.definition.decodes else { return PassThroughDecoder() }
        let decoder = RenditionDecoder()
        decoder.sightings = Sightings()
        self.decoder = decoder
        return decoder
    }

    /// What was seen and heard by the names that scenarios have for it; durations in nanoseconds.
    var seen: [ClientSight: Double] {
        guard let decoder, let sightings = decoder.sightings else { return [:] }
        let newest = sightings.newestPictures.last
        let all: [(ClientSight, Int64?)] = [
            (.pictures, Int64(sightings.pictures)), (.firstPicture, sightings.firstPicture?.number.map { Int64($0) }),
            (.firstInGroup, sightings.firstInGroup.map { Int64($0) }),
            (.newestPicture, newest?.number.map { Int64($0) }),
            (.pictureHeight, newest.map { Int64($0.height) }), (.missingPictures, Int64(sightings.missingPictures)),
            (.disorderedPictures, Int64(sightings.disorderedPictures)),
            (.decoded, Int64(sightings.decodedPictures)), (.missingFrames, Int64(sightings.missingFrames)),
            (.disorderedFrames, Int64(sightings.disorderedFrames)),
            (.unreadableFrames, Int64(sightings.unreadableFrames)), (.tones, Int64(sightings.tones)),
            (.missingTones, Int64(sightings.missingTones)), (.offset, sightings.offset.map { abs($0) * 1000 }),
            (.greatestOffset, sightings.greatestOffset.map { $0 * 1000 }), (.undecodable, Int64(decoder.faults)),
        ]
        var figures = [ClientSight: Double](minimumCapacity: all.count)
        for (sight, value) in all { if let value { figures[sight] = Double(value) } }
        return figures
    }
}

extension EncoderConfiguration {
    /// With the container and the description that a step asks for.
    fileprivate func described(as action: AddTrackAction) throws(CallProblem) -> EncoderConfiguration {
        var described = self
        switch action.container {
        case nil, .legacy: break
        case .loc: described.container = .loc
        case .cmaf:
            do throws(CatalogProblem) {
                described.container = try .cmaf(initializationOf: self)
            } catch {
                throw .unusable("`\(action.name)` cannot be packed as cmaf: \(error.text)")
            }
            // What decodes it is in the initialisation, and nowhere else.
            described.description = nil
        }
        switch action.description {
        case .whole: break
        case .damaged: described.description = Self.noDescription
        case .none: described.description = nil
        }
        return described
    }

    /// The beginning of an avcC, or of no description of anything.
    private static let noDescription: [UInt8] = [0x01, 0x64, 0x00]
}
