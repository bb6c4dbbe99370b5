import MoqBase
import MoqConformance
import MoqKit
import MoqPlayback
import MoqScenario
import MoqWire

/// Why a call came to nothing.
enum CallProblem: Error {
    /// The kit turned it down.
    case refused(ModelError)
    /// The scenario or the machine is at fault.
    case unusable(String)
}

// The calls that steps make. What takes time (connecting, waiting for a broadcast, a pace) is the step's.
extension ClientActor {
    func call(_ action: ClientAction) throws(CallProblem) {
        port.now = scene.driver.now
        defer { settle() }
        if player == nil, action.needsPlayer { throw .unusable("\(actor.name) has no player at this point") }
        do throws(ModelError) {
            switch action {
            case .connect: try session.connect()
            case .disconnect: session.close()
            case .newSession:
                isResting = false
                makeSession()
            case .vanish:
                // The whole process is gone, and with it everything that would still do something.
                actor.vanish()
                rest()
            case .startCapture(let capture):
                self.capture = capture
                isCapturing = true
            case .stopCapture:
                isCapturing = false
                for encoder in encoders { encoder.pause() }
            case .moveClock(let jump):
                for encoder in encoders { encoder.moveClock(by: encoder.kind == .video ? jump.video : jump.audio) }
            case .publish(let path): try session.publish(path, publisher)
            case .start: try publisher.start()
            case .stop: publisher.stop()
            case .unpublish(let path): session.unpublish(path)
            case .stopTrack(let name): publisher.stopTrack(name)
            case .newPublisher: makePublisher()
            case .subscribe(let prefix, let form):
                catalogForm = CatalogFollower.Form(rawValue: form.rawValue) ?? .json
                _ = try session.subscribe(prefix: prefix)
            case .unsubscribe(let prefix): session.subscriptions.last { $0.prefix == prefix }?.cancel()
            case .pause: try player?.pause()
            case .stopAll(let reason): try player?.stopAll(reason: reason)
            case .closePlayer: player?.close()
            case .setTargetBuffering(let duration):
                target = duration
                player?.setTargetBuffering(duration)
            case .closeTrack(let name):
                if let track = dataTracks.last(where: { $0.name == name }) { session.close(track.subscription) }
            case .closeAudio: audioStream?.close()
            case .switch(let action): try `switch`(action)
            case .addTrack, .damage, .send, .catalog, .subscribeTrack, .closeBroadcast, .play, .readAudio, .moqom: break
            }
        } catch {
            throw .refused(error)
        }
        switch action {
        case .startCapture(let capture): try bind(capture)
        case .addTrack(let track): try add(track)
        case .damage(let damage):
            guard let encoder = encoders.last(where: { $0.label == damage.name }) else {
                throw .unusable("nothing is captured for \(damage.name) at this point")
            }
            encoder.damage(damage.kind, count: damage.count)
        case .catalog(let changes):
            guard let path = publisher.path else { throw .unusable("\(actor.name) has not published yet") }
            writeCatalog(path, changes)
        case .subscribeTrack(let wanted): try subscribe(wanted)
        case .closeBroadcast(let path):
            let index = try index(of: path)
            found[index].isClosed = true
            session.close(found[index].catalogs)
        case .play(let action): try play(action)
        case .readAudio(let action): try readAudio(action)
        default: break
        }
    }

    func refusing<Value>(_ body: () throws(ModelError) -> Value) throws(CallProblem) -> Value {
        do throws(ModelError) { return try body() } catch { throw .refused(error) }
    }

    // MARK: Publishing

    /// The emitter that a step sends with.
    func emitter(_ name: String) throws(CallProblem) -> DataTrackEmitter {
        guard let emitter = emitters.last(where: { $0.name == name })?.emitter else {
            throw .unusable("\(actor.name) has no data track `\(name)`")
        }
        return emitter
    }

    // MARK: Playing

    /// The newest broadcast at a path, or the only one.
    func index(of path: String?) throws(CallProblem) -> Int {
        guard let index = found.lastIndex(where: { path == nil || $0.broadcast.path == path }) else {
            throw .unusable(
                path.map { "\(actor.name) has found no broadcast `\($0)`" } ?? "\(actor.name) has found no broadcast")
        }
        return index
    }

    private func open(_ path: String?) throws(CallProblem) -> WatchedBroadcast {
        let watched = found[try index(of: path)]
        guard !watched.isClosed || platform == .ios else {
            throw .refused(
                ModelError(
                    .broadcastClosed, "Broadcast '\(watched.broadcast.path)' is already closed", on: platform))
        }
        return watched
    }

    private func subscribe(_ wanted: SubscribeTrackAction) throws(CallProblem) {
        let watched = try open(wanted.broadcast)
        let delivery: TrackSubscription.Delivery = wanted.delivery == .monotonic ? .monotonic : .arrival
        let subscription = session.subscribeTrack(
            wanted.track, of: watched.broadcast, delivery,
            object: "\(actor.name)/\(wanted.track) \(dataTracks.count + 1)")
        dataTracks.removeAll { $0.name == wanted.track }
        dataTaken[wanted.track] = 0
        actor.record.client?.data[wanted.track] = ClientRecord.DataTrack()
        dataTracks.append((wanted.track, subscription))
    }

    private func play(_ action: PlayAction) throws(CallProblem) {
        if action.isNew || player == nil {
            player?.abandon()
            let watched = try open(action.broadcast)
            guard let catalog = watched.catalogs.newest else {
                throw .unusable("`\(watched.broadcast.path)` has no catalog at this point")
            }
            func choice(_ wanted: String?, _ kind: TrackKind) -> String? {
                if wanted == PlayAction.none { return nil }
                return wanted ?? catalog.renditions(kind).first(where: \.isPlayable)?.name
            }
            let name = nextPlayerName()
            player = try refusing { () throws(ModelError) in
                try PlayerModel(
                    name, path: watched.broadcast.path, catalog: catalog, video: choice(action.video, .video),
                    audio: choice(action.audio, .audio), targetBuffering: target, hubs: watched.hubs,
                    decoder: newDecoder(), as: platform, port: port)
            }
        }
        try refusing { () throws(ModelError) in try player?.play() }
    }

    private func `switch`(_ action: SwitchAction) throws(ModelError) {
        for (kind, wanted) in [(TrackKind.video, action.video), (.audio, action.audio)] {
            guard let wanted else { continue }
            try player?.switchTrack(kind, to: wanted == PlayAction.none ? nil : wanted)
        }
    }

    private func readAudio(_ action: ReadAudioAction) throws(CallProblem) {
        let watched = try open(action.broadcast)
        let renditions = watched.catalogs.newest?.renditions(.audio) ?? []
        guard let rendition = renditions.first(where: { action.track == nil || $0.name == action.track }) else {
            throw .refused(
                ModelError(.unknownTrack, "Unknown audio track \(action.track ?? "")", on: platform))
        }
        let format = AudioConverter.Output(
            sampleFormat: action.format == .int16 ? .int16 : .float32, sampleRate: action.sampleRate,
            channelCount: action.channels)
        let decoder: any AudioDecoding = actor.definition.decodes ? SampleDecoder() : UndecodedAudio()
        let stream = try refusing { () throws(ModelError) in
            try session.readAudio(
                rendition, hubs: watched.hubs, isRead: !action.isUnread,
                object: "\(actor.name)/audio \(scene.driver.now)", decoder: decoder, format: format
            ) { [weak self] in self?.hearing.take($0) }
        }
        hearing = SampleHearing()
        audioStream = stream
    }

    /// Whether what a call is about is there: a broadcast, and for some calls its first catalog.
    func hasWhatItNeeds(_ action: ClientAction) -> Bool {
        func isThere(_ path: String?, withCatalog: Bool) -> Bool {
            guard let watched = found.last(where: { path == nil || $0.broadcast.path == path }) else { return false }
            return !withCatalog || watched.catalogs.newest != nil || watched.catalogs.state == .ended
        }
        return switch action {
        case .play(let play): !play.isNew && player != nil || isThere(play.broadcast, withCatalog: true)
        case .readAudio(let read): isThere(read.broadcast, withCatalog: true)
        case .subscribeTrack(let track): isThere(track.broadcast, withCatalog: false)
        default: true
        }
    }
}
