// What becomes of a frame between the subscription and the decoder.
extension PlayerModel {
    func take(_ frame: MediaFrame, of ingest: Ingest) {
        guard hasPipeline, !ingest.isOver else { return }
        ingest.lastArrival = now
        decoder.received(frame, of: ingest.rendition)
        figures(ingest.kind) { $0.arrived(frame, at: now) }
        diagnose(ingest, "frameArrived", [.init("pts", frame.timestamp), .init("bytes", frame.payload.count)])
        if ingest === pending, isTooOldForSwitch(frame) {
            return drop(ingest, stage: "decoder", reason: "renditionSwitch", 1, frame.payload.count)
        }
        switch ingest.timeline.take(frame, at: now) {
        case .accepted: break
        case .stale:
            ingest.lastTimelineDrop = now
            return drop(ingest, stage: "timeline", reason: "staleVsPlayback", 1, frame.payload.count)
        case .gap(let gap):
            figures(ingest.kind) { $0.discontinuity(gap) }
            reset(ingest, reason: "localReset")
        case .rewound:
            figures(ingest.kind) { $0.discontinuity(0) }
            reset(ingest, reason: "publisherRewind")
        }
        admit(frame, ingest)
        advance()
    }

    func drop(_ ingest: Ingest, stage: String, reason: String, _ count: Int, _ bytes: Int) {
        guard count > 0 else { return }
        figures(ingest.kind) { $0.dropped(count) }
        diagnose(
            ingest, "frameDropped",
            [.init("stage", stage), .init("reason", reason), .init("count", count), .init("bytes", bytes)])
    }

    /// The timeline begins anew: what waits is of no use any more.
    private func reset(_ ingest: Ingest, reason: String) {
        diagnose(ingest, "discontinuity", [.init("reason", reason)])
        let flushed = ingest.buffer.flush()
        if platform == .ios {
            drop(ingest, stage: "buffer", reason: "resetFlush", flushed, 0)
        } else {
            drop(
                ingest, stage: "timeline", reason: reason == "localReset" ? "timestampGapReset" : "publisherRewind",
                flushed, 0)
        }
        resetGate(ingest)
        if ingest.kind == .audio { resetRing() } else { clock.stop() }
        diagnose(ingest, "decoderFlushed", [.init("action", "timelineReset")])
    }

    private func admit(_ frame: MediaFrame, _ ingest: Ingest) {
        if let last = ingest.buffer.frames.last?.timestamp, frame.timestamp > last,
            frame.timestamp - last <= MediaTimeline.gapLimit
        {
            ingest.frameInterval = frame.timestamp - last
        }
        let outcome = ingest.buffer.admit(frame)
        for gone in outcome.drops {
            drop(ingest, stage: "buffer", reason: gone.why.rawValue, gone.count, gone.bytes)
        }
        guard outcome.isAdmitted else { return }
        ingest.lastAdmission = now
        if ingest.kind == .video, frame.isKeyframe { recovered(ingest) }
        lookAtGate(ingest, "frame")
        diagnose(
            ingest, "frameAdmitted", [.init("pts", frame.timestamp), .init("depth", ingest.buffer.frames.count)])
        if ingest.kind == .video { becomeReady(ingest, frame) } else { decodeAudio(ingest) }
        if ingest === pending { progressSwitch() }
    }

    func becomeReady(_ ingest: Ingest, _ frame: MediaFrame) {
        guard !ingest.isReady else { return }
        ingest.isReady = true
        trackStep(ingest.kind, "accepted", ["epoch": .number(ingest.epoch)], to: ingest.epoch == 1 ? "ready" : nil)
        figures(ingest.kind) { $0.ready(at: now, since: playedAt, isFirst: ingest.epoch == 1) }
        emit(
            "track.ready",
            fields(of: ingest) + [
                .init("timestamp", frame.timestamp), .init("targetBuffering", target),
                .init("keyframe", frame.isKeyframe), .init("bytes", frame.payload.count),
            ])
        if ingest.kind == .audio, ingest.epoch > 1 {
            trackStep(.audio, "swapped")
            emit("track.switch", fields(of: ingest))
            audioFigures.switchCompleted()
        }
    }

    // MARK: Sound

    /// Sound is decoded as it comes, into the ring.
    private func decodeAudio(_ ingest: Ingest) {
        while let frame = ingest.buffer.removeFirst() {
            diagnose(ingest, "decoderInputQueued", [.init("pts", frame.timestamp)])
            if let problem = decoder.decode(frame, of: ingest.rendition) {
                failed(ingest, problem)
                if ingest.isOver { return }
                continue
            }
            diagnose(ingest, "decoderOutputReady", [.init("pts", frame.timestamp)])
            if writeRing(frame.timestamp, ingest.rendition.audioFrameDuration) {
                becomeReady(ingest, frame)
            } else {
                drop(ingest, stage: "renderer", reason: "staleVsPlayback", 1, frame.payload.count)
            }
        }
        if ring.state == .running, nextRead == nil { nextRead = now }
    }

    // MARK: Decoders that fail

    /// A frame did not decode: the pipeline helps itself, and gives up when it did so too often.
    func failed(_ ingest: Ingest, _ problem: String) {
        if platform == .ios, ingest.kind == .audio {
            emit(
                "decode.error",
                [.init("kind", "audio"), .init("track", ingest.name), .init("epoch", 0)] + message(problem))
        }
        if (trackStates[ingest.kind] ?? "off") != "off" { trackStep(ingest.kind, "decode.failed") }
        let due = recover(ingest)
        let action = port.isBroken(by: .recoveryEndless) && due == .fail ? .flush : due
        diagnose(ingest, "decoderRecovery", [.init("action", action.rawValue)])
        guard action == .fail else {
            decoder.flush(ingest.rendition)
            let flushed = ingest.buffer.flush()
            resetGate(ingest)
            drop(
                ingest, stage: "decoder",
                reason: platform == .ios ? "invalidPayload" : "decoderRecoveryFlush", flushed + 1, 0)
            diagnose(ingest, "decoderFlushed", [.init("action", "decoderRecovery")])
            return
        }
        switch (platform, ingest.kind) {
        case (.ios, .audio):
            diagnose(ingest, "transportClosed", [.init("error", "audio-decoder-failed")])
            unwatch(ingest)
            ingest.isOver = true
            trackStep(.audio, "upstream.ended", to: "over")
            close(ingest)
            endIfAllAreOver()
        case (.ios, .video):
            // The picture is frozen, and the subscription goes on.
            if !ingest.hasFailed { diagnose(ingest, "transportClosed", [.init("error", "video-renderer-failed")]) }
            unwatch(ingest)
            ingest.hasFailed = true
        case (.android, _):
            emit("decode.error", fields(of: ingest) + message(problem))
            let hasSound = audio.map { !$0.isOver && $0 !== ingest } ?? false
            ingest.isOver = true
            ingest.hasFailed = true
            close(ingest)
            guard ingest.kind == .audio || !hasSound else { return }
            tearDown()
            emit("playback.end", [.init("reason", "Playback pipeline failure: \(problem)")])
            move(to: .stopped, by: "pipeline.failed")
        }
    }

    private func message(_ text: String) -> [ModelEvent.Field] { [.init("message", text)] }
}
