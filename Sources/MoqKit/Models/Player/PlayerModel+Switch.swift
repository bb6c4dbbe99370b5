/// How far the change to another video rendition has come.
struct RenditionSwitch: Hashable, Sendable {
    /// Where it stands.
    enum Phase: String, Hashable, Sendable {
        case steady, preparing
        case cuttingIn = "cutIn"
        case flushSwap
    }

    /// How long a usable keyframe, and on iOS the swap, may take.
    static let patience: Int64 = 5_000_000
    /// Deltas of the new rendition older than this against the old position are of no use.
    static let reach: Int64 = 500_000
    /// A keyframe further behind the old position than this is not waited for: everything is flushed.
    static let cutLimit: Int64 = 2_000_000

    var phase = Phase.steady
    var deadline: Int64?
    var keyTime: Int64?
    /// What was selected before.
    var previous: String?
}

// Another rendition while playing.
extension PlayerModel {
    /// `switchTrack`: `name` nil for none of the kind.
    public func switchTrack(_ kind: TrackKind, to name: String?) throws(ModelError) {
        try checkOpen("switch")
        guard selected[kind] != name else { return move(to: state, by: "switch", ["to": "same"]) }
        let other = selected[kind == .video ? .audio : .video]
        guard name != nil || other != nil else {
            port.step(
                "player", self.name, of: hubs.session, "switch", ["to": "nothing"], to: state.rawValue, isRefused: true)
            throw ModelError(.noTracksSelected, "at least one audio or video track is expected", on: platform)
        }
        var wanted: Rendition?
        if let name {
            guard let rendition = catalog.rendition(kind, name) else {
                throw ModelError(
                    .unknownTrack, "Unknown \(kind.rawValue) track '\(name)' for catalog \(path)", on: platform)
            }
            guard rendition.isPlayable else {
                throw ModelError(
                    .unsupportedCodec, "track '\(name)' is not playable: unsupported codec \(rendition.codec)",
                    on: platform)
            }
            wanted = rendition
        }
        let before = selected[kind]
        move(to: state, by: "switch", ["to": "other"])
        guard hasPipeline else { return select(kind, name) }
        guard let wanted, before != nil, let old = ingest(kind), isInPlace(kind, old.rendition, wanted) else {
            if switching.phase != .steady, kind == .video {
                switchStep("request", to: "steady")
                switching = RenditionSwitch()
            }
            return restart(selecting: kind, name)
        }
        figures(kind) { $0.switchRequested(wanted.name) }
        let ingest = Ingest(wanted, epoch: nextEpoch(kind), isPending: kind == .video, as: platform)
        if kind == .video {
            pending = ingest
            switchStep("request", to: "preparing")
            switching = RenditionSwitch(
                phase: .preparing, deadline: now + RenditionSwitch.patience, keyTime: nil, previous: before)
            diagnose(ingest, "switchProgress", [.init("phase", "preparing")])
            open(ingest)
            select(kind, wanted.name)
        } else {
            let edge = old.timeline
            close(old)
            old.isOver = true
            audio = ingest
            // iOS keeps the timeline, which sees a new epoch; Android has a fresh one.
            if platform == .ios {
                ingest.timeline = edge
                diagnose(ingest, "discontinuity", [.init("reason", "publisherRewind")])
                audioFigures.discontinuity(0)
            }
            resetRing()
            nextRead = nil
            open(ingest)
            select(kind, wanted.name)
        }
    }

    private func select(_ kind: TrackKind, _ name: String?) {
        selected[kind] = name
        emit("track.select", [.init("kind", kind.rawValue), .init("track", name ?? "none")])
    }

    /// Whether a rendition can take over without a new session.
    private func isInPlace(_ kind: TrackKind, _ old: Rendition, _ new: Rendition) -> Bool {
        if port.isBroken(by: .switchTears) { return false }
        if kind == .video { return pending == nil }
        guard platform == .android else { return true }
        return old.codec == new.codec && old.sampleRate == new.sampleRate && old.channels == new.channels
            && old.description == new.description
    }

    private func restart(selecting kind: TrackKind, _ name: String?) {
        if port.isBroken(by: .restartForgotten) { return select(kind, name) }
        tearDown()
        select(kind, name)
        if state == .playing { move(to: .playing, by: "restart") }
        startSession()
    }

    // MARK: Progress

    /// Whether a frame of the new rendition is too far behind to be of use.
    func isTooOldForSwitch(_ frame: MediaFrame) -> Bool {
        guard !frame.isKeyframe, let old = video, let position = position(of: old) else { return false }
        return position - frame.timestamp > RenditionSwitch.reach
    }

    func progressSwitch() {
        guard let next = pending, let old = video else { return }
        if let deadline = switching.deadline, now >= deadline { return abortSwitch(next, old) }
        guard !next.isOver else { return }
        if switching.phase == .preparing, let key = next.buffer.frames.first, key.isKeyframe {
            let position = position(of: old) ?? key.timestamp
            switching.keyTime = key.timestamp
            if platform == .android { switching.deadline = nil }
            let isFar = position - key.timestamp > RenditionSwitch.cutLimit
            switching.phase = isFar ? .flushSwap : .cuttingIn
            switchStep(
                "keyframe", ["old_ahead_ms": .number(Int((Double(position - key.timestamp) / 1000).rounded(.up)))],
                to: isFar ? "flushSwap" : "cuttingIn")
            diagnose(next, "switchProgress", [.init("phase", switching.phase.rawValue)])
        }
        guard let key = switching.keyTime else { return }
        let hasReached = old.isOver || position(of: old).map { $0 >= key } ?? true
        guard switching.phase == .flushSwap || switching.phase == .cuttingIn && hasReached else { return }
        swap(next, old)
    }

    private func swap(_ next: Ingest, _ old: Ingest) {
        let left = old.buffer.flush()
        drop(old, stage: "renderer", reason: "renditionSwitch", left, 0)
        close(old)
        next.gate.swapIn()
        gateStep(next, "swap")
        next.submittedEnd = old.submittedEnd
        switchStep(switching.phase == .flushSwap ? "flushed" : "reached", to: "steady")
        trackStep(.video, "swapped")
        if switching.phase == .flushSwap { clock.stop() }
        video = next
        pending = nil
        switching = RenditionSwitch()
        videoFigures.switchCompleted()
        emit("track.switch", fields(of: next))
        diagnose(next, "switchProgress", [.init("phase", "steady")])
    }

    private func abortSwitch(_ next: Ingest, _ old: Ingest) {
        let text = "Timed out waiting for a usable video keyframe"
        let previous = switching.previous
        switchStep("timeout", to: "steady")
        trackStep(.video, "switch.aborted")
        close(next)
        pending = nil
        switching = RenditionSwitch()
        videoFigures.switchFailed(text)
        diagnose(next, "switchProgress", [.init("phase", "aborted")])
        if platform == .ios {
            emit("track.subscribe.error", fields(of: next) + [.init("message", text)])
            selected[.video] = previous
        } else {
            select(.video, previous)
        }
        endIfAllAreOver()
    }
}
