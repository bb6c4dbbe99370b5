import MoqBase

// Time goes on: sound is read, pictures are shown, stalls begin and end, samples are taken.
extension PlayerModel {
    /// When `advance` has something to do at the latest; nil while there is no pipeline.
    public var deadline: Instant? {
        guard hasPipeline else { return nil }
        var due = nextRead
        func take(_ other: Int64?) { if let other { due = min(due ?? other, other) } }
        take(nextSample)
        take(nextLook)
        take(switching.deadline)
        if usesOwnClock, let video, video.gate.state == .playing, clock.isRunning {
            if let first = video.buffer.frames.first, let at = clock.instant(of: first.timestamp - lead) {
                take(at)
            } else if platform == .ios, video.isPlaying, !stalledKinds.contains(.video), !video.isOver,
                let end = video.submittedEnd, let at = clock.instant(of: end)
            {
                take(at)
            }
        }
        // What is due was done: what rounding leaves for later is never asked for at once.
        return due.map { Instant(nanoseconds: UInt64(max(0, $0, now + Self.leastWait)) * 1000) }
    }

    /// Whether pictures follow a clock of their own: no sound is selected, or none comes any more.
    var usesOwnClock: Bool { audio.map(\.isOver) ?? true }

    /// How far ahead pictures are handed to the output.
    var lead: Int64 {
        guard platform == .ios else { return Self.androidLead }
        let usual = video.map { 3 * $0.frameInterval } ?? Self.fallbackLead
        return min(Self.greatestLead, usual)
    }
    private static let leastWait: Int64 = 1000
    private static let fallbackLead: Int64 = 50_000
    private static let greatestLead: Int64 = 100_000
    /// Android decodes up to 500 ms ahead, and hands over when a picture is due.
    private static let androidLead: Int64 = 0
    /// A picture later than this is not shown (Android).
    private static let latest: Int64 = 50_000

    /// Does what is due.
    public func advance() {
        guard hasPipeline else { return }
        readSound()
        showPictures()
        lookForStall()
        progressSwitch()
        guard hasPipeline else { return }
        if let due = nextSample, now >= due {
            sample()
            nextSample = due + Self.sampleInterval
        }
    }

    // MARK: Sound

    private func readSound() {
        guard let audio, !audio.isOver else {
            nextRead = nil
            return
        }
        while let due = nextRead, now >= due {
            nextRead = due + Self.readInterval
            let start = ring.cursor ?? 0
            let given = readRing()
            if given > 0 {
                decoder.heard(audio.rendition, from: start, to: start + given, at: due)
                audioFigures.output(at: now)
                diagnose(audio, "frameRendered", [.init("pts", ring.cursor ?? 0)])
                becomePlaying(audio, timestamp: ring.cursor ?? 0)
                endStall(audio)
            } else if audio.isPlaying {
                beginStall(audio)
            }
        }
        audio.timeline.playPosition = audio.isPlaying ? ring.cursor : nil
    }

    // MARK: Pictures

    /// Where pictures are, in the time of the video track; nil before playback.
    func position(of video: Ingest) -> Int64? {
        if usesOwnClock { return clock.position(at: now) }
        guard let audio, audio.isPlaying, let cursor = ring.cursor else { return nil }
        let offset = DomainMapping.offset(
            audioEdge: audio.timeline.liveEdge(at: now), videoEdge: video.timeline.liveEdge(at: now))
        return max(0, cursor - offset)
    }

    private func showPictures() {
        guard let video, video.gate.state == .playing, !video.hasFailed, !port.isBroken(by: .clockStuck) else { return }
        if usesOwnClock, !clock.isRunning, let first = video.buffer.frames.first {
            clock.start(at: first.timestamp, now: now)
        }
        if usesOwnClock, now >= nextRetarget, let wanted = video.timeline.target(target, at: now), !video.isOver {
            nextRetarget = now + Self.retargetInterval
            if let change = clock.retarget(wanted, now: now) { diagnose(video, "clockRetarget", [change.field]) }
        }
        while let position = position(of: video), let first = video.buffer.frames.first,
            first.timestamp <= position + lead
        {
            video.timeline.playPosition = position
            guard let frame = video.buffer.removeFirst() else { return }
            submit(frame, video, position)
            if video.hasFailed || video.isOver && !hasPipeline { return }
        }
    }

    private func submit(_ frame: MediaFrame, _ video: Ingest, _ position: Int64) {
        diagnose(video, "decoderInputQueued", [.init("pts", frame.timestamp)])
        if let problem = decoder.decode(frame, of: video.rendition) { return failed(video, problem) }
        video.lastSubmitted = frame.timestamp
        video.submittedEnd = max(video.submittedEnd ?? .min, frame.timestamp + video.frameInterval)
        let isLate =
            platform == .ios
            ? frame.timestamp < video.timeline.target(target, at: now) ?? .min
            : position - frame.timestamp > Self.latest
        if isLate {
            drop(
                video, stage: "renderer", reason: platform == .ios ? "staleVsPlayback" : "lateRender", 1,
                frame.payload.count)
            return
        }
        diagnose(video, "decoderOutputReady", [.init("pts", frame.timestamp)])
        diagnose(video, "frameRendered", [.init("pts", frame.timestamp)])
        decoder.shown(frame, of: video.rendition, at: now + max(0, frame.timestamp - position))
        videoFigures.output(at: now)
        becomePlaying(video, timestamp: frame.timestamp)
        endStall(video)
    }

    private func becomePlaying(_ ingest: Ingest, timestamp: Int64) {
        guard !ingest.isPlaying else { return }
        ingest.isPlaying = true
        if trackStates[ingest.kind] == "stalled" { beforeStall[ingest.kind] = "playing" }
        trackStep(
            ingest.kind, "output", ["epoch": .number(ingest.epoch)],
            to: trackStates[ingest.kind] == "ready" ? "playing" : nil)
        if ingest.epoch == 1 { figures(ingest.kind) { $0.playing(at: now, since: playedAt) } }
        let output =
            fields(of: ingest) + [
                .init("timestamp", timestamp), .init("targetBuffering", target), .init("output", now),
            ]
        emit("track.playing", output)
        guard ingest.kind == rebufferKind, ingest.epoch == 1, !hasStarted else { return }
        hasStarted = true
        emit("playback.start", output)
        move(to: state, by: "output")
    }

    // MARK: Stalls

    private func lookForStall() {
        guard platform == .android else {
            // The playhead has reached the end of what was submitted.
            if let video, video.isPlaying, !video.isOver, !stalledKinds.contains(.video), video.buffer.frames.isEmpty,
                let end = video.submittedEnd, let position = position(of: video), position >= end
            {
                beginStall(video)
            }
            return
        }
        guard let due = nextLook, now >= due else { return }
        nextLook = now + StallMonitor.interval
        for ingest in [video, audio].compactMap({ $0 })
        where !ingest.isOver && !ingest.isUnwatched && ingest.lastArrival != nil {
            let cause = cause(of: ingest)
            let changes = ingest.monitor.look(cause, now: now)
            let state = ingest.monitor.candidate == nil ? "clear" : "candidate"
            let hasBegun = changes.contains { if case .started = $0 { true } else { false } }
            let isStalled = ingest.monitor.stalled != nil && !hasBegun
            stallStep(
                ingest, "check", ["cause": .word(cause?.rawValue ?? "none")], to: isStalled ? "stalled" : state)
            if hasBegun { stallStep(ingest, "held", to: "stalled") }
            for change in changes { take(change, ingest) }
        }
    }

    private func take(_ change: StallMonitor.Change, _ ingest: Ingest) {
        switch change {
        case .started(let cause):
            diagnose(ingest, "stallStarted", [.init("cause", cause.rawValue)])
            // Of a track of which nothing was accepted no stall is told, nor counted: it has not begun.
            if cause != .switchStall, trackStates[ingest.kind] != "subscribed" { tellStall(ingest, true) }
        case .ended(let cause, let time):
            diagnose(ingest, "stallEnded", [.init("cause", cause.rawValue), .init("time", time)])
            if cause != .switchStall { tellStall(ingest, false) }
        }
    }

    /// Why a track on Android stands still at this moment; nil when it does not.
    private func cause(of ingest: Ingest) -> StallCause? {
        if ingest === video, pending != nil, ingest.buffer.frames.isEmpty { return .switchStall }
        if ingest.lastArrival.map({ now - $0 >= StallMonitor.idleLimit }) ?? true { return .publisherIdle }
        if ingest.buffer.frames.isEmpty, let dropped = ingest.lastTimelineDrop, dropped >= ingest.lastAdmission ?? .min
        {
            return .policyStarvation
        }
        return nil
    }

    private func beginStall(_ ingest: Ingest) {
        guard platform == .ios, !ingest.isUnwatched else { return }
        var cause = pending != nil ? StallCause.switchStall : .renderStall
        if ingest.lastArrival.map({ now - $0 >= StallMonitor.idleLimit }) ?? true {
            cause = .publisherIdle
        } else if ingest.buffer.frames.isEmpty, let dropped = ingest.lastTimelineDrop,
            dropped >= ingest.lastAdmission ?? .min
        {
            cause = .policyStarvation
        }
        stallStep(ingest, "starved", ["cause": .word(cause.rawValue)], to: "stalled")
        guard !stalledKinds.contains(ingest.kind) else { return }
        diagnose(ingest, "stallStarted", [.init("cause", cause.rawValue)])
        tellStall(ingest, true)
    }

    private func endStall(_ ingest: Ingest) {
        guard platform == .ios else { return }
        stallStep(ingest, "fed", to: "clear")
        guard stalledKinds.contains(ingest.kind) else { return }
        diagnose(ingest, "stallEnded")
        tellStall(ingest, false)
    }

    private func tellStall(_ ingest: Ingest, _ isStalled: Bool) {
        guard stalledKinds.contains(ingest.kind) != isStalled, !port.isBroken(by: .stallUnseen) else { return }
        if isStalled { stalledKinds.insert(ingest.kind) } else { stalledKinds.remove(ingest.kind) }
        if isStalled { beforeStall[ingest.kind] = trackStates[ingest.kind] }
        trackStep(
            ingest.kind, isStalled ? "starved" : "fed",
            to: isStalled ? "stalled" : beforeStall[ingest.kind] ?? "playing")
        figures(ingest.kind) { isStalled ? $0.stallStarted(at: now) : $0.stallEnded(at: now) }
        emit(isStalled ? "track.stall.start" : "track.stall.end", fields(of: ingest))
        if ingest.kind == rebufferKind { emit(isStalled ? "rebuffer.start" : "rebuffer.end", fields(of: ingest)) }
    }

    // MARK: Statistics

    func sample() {
        samples += 1
        for ingest in [video, audio, pending].compactMap({ $0 }) { forgetRecoveries(ingest) }
        let shown = video.flatMap { $0.isPlaying ? position(of: $0) : nil }
        statistics.video = videoFigures.sample(
            at: now, latency: video?.timeline.latency(of: shown, at: now),
            buffered: video.map { $0.buffer.span })
        statistics.audio = audioFigures.sample(
            at: now, latency: audio?.timeline.latency(of: audio?.isPlaying == true ? ring.cursor : nil, at: now),
            buffered: audio.map { _ in ring.fill })
        statistics = port.shown(statistics)
        if platform == .ios {
            for ingest in [video, audio].compactMap({ $0 }) {
                diagnose(ingest, "latencySample", [.init("target", target)])
            }
        }
    }
}

extension PlayoutClock.Retarget {
    fileprivate var field: ModelEvent.Field {
        switch self {
        case .noOp: .init("action", "noOp")
        case .nudge: .init("action", "nudge")
        case .jump: .init("action", "jump")
        }
    }
}
