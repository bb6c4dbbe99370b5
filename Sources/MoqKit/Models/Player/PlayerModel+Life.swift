import MoqBase

// The life of a player: what its controls do in which state.
extension PlayerModel {
    /// `play()`. While there is a pipeline, and also after a natural end, it does nothing.
    public func play() throws(ModelError) {
        try checkOpen("play")
        guard !hasPipeline else { return move(to: state, by: "play") }
        for kind in TrackKind.allCases {
            guard let name = selected[kind], let rendition = catalog.rendition(kind, name), !rendition.isPlayable else {
                continue
            }
            port.step(
                "player", self.name, of: hubs.session, "play", ["playable": false], to: state.rawValue, isRefused: true)
            throw ModelError(
                .unsupportedCodec,
                "\(kind == .video ? "Video" : "Audio") track '\(name)' is not playable: unsupported codec \(rendition.codec)",
                on: platform)
        }
        isResuming = state == .paused
        if port.isBroken(by: .trackBeforePlay) {
            startSession()
            return move(to: .playing, by: "play", ["playable": true])
        }
        move(to: .playing, by: "play", ["playable": true])
        startSession()
    }

    /// A pipeline from nothing: `playback.request` and everything after it.
    func startSession() {
        hasPipeline = true
        hasStarted = false
        playedAt = now
        epochs = [:]
        stalledKinds = []
        videoFigures.resetSession()
        audioFigures.resetSession()
        ring = SampleRing(capacity: target)
        clock.stop()
        emit("playback.request", summary)
        if isResuming, platform == .android { emit("playback.resume", summary) }
        for kind in platform == .ios ? [TrackKind.video, .audio] : [.audio, .video] {
            guard let name = selected[kind], let rendition = catalog.rendition(kind, name) else { continue }
            let ingest = Ingest(rendition, epoch: nextEpoch(kind), as: platform)
            if kind == .video { video = ingest } else { audio = ingest }
            open(ingest)
        }
        if isResuming, platform == .ios { emit("playback.resume", summary) }
        isResuming = false
        sample()
        nextSample = now + Self.sampleInterval
        nextLook = platform == .android ? now + StallMonitor.interval : nil
        nextRetarget = now + Self.retargetInterval
    }

    func nextEpoch(_ kind: TrackKind) -> Int {
        epochs[kind, default: 0] += 1
        return epochs[kind, default: 1]
    }

    /// Opens the subscription of a rendition.
    func open(_ ingest: Ingest) {
        if ingest.epoch == 1 {
            trackStep(
                ingest.kind, "subscribe", ["rebuffer_kind": .flag(ingest.kind == rebufferKind)], to: "subscribed")
        } else {
            trackStep(ingest.kind, "switch", ["epoch": .number(ingest.epoch)])
        }
        emit("track.subscribe.start", fields(of: ingest))
        figures(ingest.kind) { $0.newIngest() }
        ingest.object = "\(name)/\(ingest.name) \(port.newObject())"
        gateStep(ingest, "install", ["as": .word(ingest.gate.state == .pending ? "target" : "first")])
        ingest.media = hubs.subscribe(
            ingest.rendition, maximumAge: .microseconds(target), object: ingest.object,
            onFrame: { [weak self, weak ingest] frame in
                if let self, let ingest { self.take(frame, of: ingest) }
            },
            onEnd: { [weak self, weak ingest] end in
                if let self, let ingest { self.ended(ingest, end) }
            })
    }

    func close(_ ingest: Ingest?) {
        guard let ingest, let media = ingest.media else { return }
        ingest.media = nil
        media.close()
        guard platform == .android else { return }
        if !ingest.isOver { diagnose(ingest, "transportClosed", [.init("error", "none")]) }
        unwatch(ingest)
    }

    /// `pause()`: the subscriptions are left; to go on is to join anew at the live edge.
    public func pause() throws(ModelError) {
        try checkOpen("pause")
        guard platform == .ios || state == .playing || state == .ended else { return move(to: state, by: "pause") }
        tearDown()
        emit("playback.pause", summary)
        switch state {
        case .playing, .ended: move(to: .paused, by: "pause")
        case .created, .paused, .stopped, .destroyed: move(to: state, by: "pause")
        }
    }

    /// `stopAll(reason)`.
    public func stopAll(reason: String) throws(ModelError) {
        try checkOpen("stop_all")
        let hadSession = state != .created && state != .stopped
        tearDown()
        if platform == .ios || hadSession { emit("playback.end", [.init("reason", reason)]) }
        forgetCounters()
        move(to: .stopped, by: "stop_all")
    }

    /// `close()` of Android; on iOS the last reference goes. Idempotent.
    public func close() {
        let input = platform == .android ? "close" : "released"
        guard state != .destroyed else { return platform == .android ? move(to: .destroyed, by: input) : () }
        let hadSession = hasPipeline || state == .paused || state == .ended
        tearDown()
        if platform == .android, hadSession { emit("playback.end", [.init("reason", "close()")]) }
        emit("player.destroy")
        move(to: .destroyed, by: input)
    }

    /// The application is done with it, at the end of everything: nothing is told.
    public func abandon() { tearDown() }

    /// Ends the pipeline. A stall that is open ends in the statistics, and without an event.
    func tearDown() {
        guard hasPipeline else { return }
        for kind in TrackKind.allCases where stalledKinds.contains(kind) {
            figures(kind) { $0.stallEnded(at: now) }
        }
        stalledKinds = []
        hasPipeline = false
        for kind in TrackKind.allCases where ingest(kind) != nil && !port.isBroken(by: .trackOutlivesPause) {
            trackStep(kind, "cancelled", to: "off")
        }
        if switching.phase != .steady { switchStep("torn_down", to: "steady") }
        for ingest in [video, audio, pending] { close(ingest) }
        (video, audio, pending) = (nil, nil, nil)
        switching = RenditionSwitch()
        resetRing()
        clock.stop()
        (nextRead, nextSample, nextLook) = (nil, nil, nil)
    }

    private func forgetCounters() {
        videoFigures = TrackFigures()
        audioFigures = TrackFigures()
        statistics = PlayerStatistics()
    }

    /// `updateTargetLatency`: timelines, ring and jitter gate at once; a subscription that is open keeps its own.
    public func setTargetBuffering(_ duration: Duration) {
        move(to: state, by: "set_latency")
        if port.isBroken(by: .targetIgnored) { return }
        target = max(1, duration.wholeNanoseconds / 1000)
        resizeRing()
        for ingest in [video, pending].compactMap({ $0 }) { lookAtGate(ingest, "retarget") }
        advance()
    }

    // MARK: The end of a track

    func ended(_ ingest: Ingest, _ end: UpstreamEnd) {
        ingest.media = nil
        guard hasPipeline, !ingest.isOver else { return }
        ingest.isOver = true
        let isCurrent = ingest !== pending
        if end.text != nil || end == .clean { unwatch(ingest) }
        if end.text != nil {
            trackStep(
                ingest.kind, "upstream.failed", ["code": .number(end.code)], to: isCurrent ? "over" : nil)
        } else if isCurrent {
            trackStep(ingest.kind, "upstream.ended", to: "over")
        }
        if let text = end.text {
            emit("track.subscribe.error", fields(of: ingest) + [.init("message", text)])
            diagnose(ingest, "transportClosed", [.init("error", text)])
        } else if end == .clean {
            emit("track.subscribe.end", fields(of: ingest))
            diagnose(ingest, "transportClosed", [.init("error", "none")])
        }
        if ingest === pending { return }
        if ingest.kind == .audio, let cursor = ring.cursor { handClockOver(at: cursor) }
        endIfAllAreOver()
    }

    func endIfAllAreOver() {
        let ingests = [video, audio].compactMap { $0 }
        guard state == .playing, !ingests.isEmpty, ingests.allSatisfy(\.isOver), !port.isBroken(by: .endUntold) else {
            return
        }
        emit("playback.end")
        move(to: .ended, by: "tracks.over")
    }

    /// Without sound the pictures get a clock of their own.
    private func handClockOver(at position: Int64) {
        guard let video, !video.isOver, hasStarted else { return }
        let offset = DomainMapping.offset(
            audioEdge: audio?.timeline.liveEdge(at: now), videoEdge: video.timeline.liveEdge(at: now))
        clock.start(at: position - offset, now: now)
    }
}
