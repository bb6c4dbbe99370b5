// The parts of the pipeline on their machines. An application sees them only by what they do; a run counts their steps.
extension PlayerModel {
    /// The gate before the pictures.
    func gateStep(_ ingest: Ingest, _ input: String, _ values: MachineValues = [:]) {
        guard ingest.kind == .video else { return }
        port.step("jitter-gate", ingest.object, input, values, to: ingest.gate.state.rawValue)
    }

    /// A frame is in, or the target is another one: the gate may open.
    func lookAtGate(_ ingest: Ingest, _ input: String) {
        guard ingest.kind == .video else { return }
        if ingest.gate.look(at: ingest.buffer, target: target) {
            diagnose(ingest, "bufferDepthChanged", [.init("depth", ingest.buffer.frames.count)])
        }
        var values: MachineValues = ["span_reaches_target": .flag(ingest.buffer.span >= target)]
        if input == "frame" { values["frames"] = .number(ingest.buffer.frames.count) }
        gateStep(ingest, input, values)
    }

    /// The gate closes: what was behind it is gone.
    func resetGate(_ ingest: Ingest) {
        ingest.gate.reset()
        gateStep(ingest, "reset")
    }

    // MARK: The ring of samples

    private func ringStep(_ input: String, _ values: MachineValues = [:]) {
        port.step("pcm-ring", "\(name)/ring", input, values, to: ring.state.rawValue)
    }

    /// Writes samples; false when all of them are too old.
    func writeRing(_ timestamp: Int64, _ duration: Int64) -> Bool {
        let isNew = ring.write(timestamp, duration)
        ringStep("write", ["old": .flag(!isNew), "reaches_capacity": .flag(isNew && ring.isFull)])
        return isNew
    }

    /// Reads samples; how much there was, in microseconds.
    func readRing() -> Int64 {
        let available = ring.fill
        let given = ring.read(Self.readInterval)
        ringStep("read", ["available": .number(Int(clamping: available))])
        return given
    }

    func resizeRing() {
        let isSame = ring.capacity == target
        ring.resize(to: target)
        ringStep("resize", ["same_capacity": .flag(isSame)])
    }

    func resetRing() {
        ring.reset()
        ringStep("reset")
    }

    // MARK: Stalls and recovery

    /// The monitor of stalls; nothing once the track is over.
    func stallStep(_ ingest: Ingest, _ input: String, _ values: MachineValues = [:], to state: String) {
        guard !ingest.isUnwatched else { return }
        port.step("stall", ingest.object, input, values, to: state)
    }

    /// The transport of a track is over: a stall that is open gets no end.
    func unwatch(_ ingest: Ingest) {
        stallStep(ingest, "closed", to: "gone")
        ingest.isUnwatched = true
    }

    private func recoveryStep(_ ingest: Ingest, _ input: String, _ values: MachineValues = [:]) {
        port.step("recovery", ingest.object, input, values, to: ingest.recovery.state.rawValue)
    }

    /// What is done about a frame that did not decode.
    func recover(_ ingest: Ingest) -> RecoveryBudget.Action {
        forgetRecoveries(ingest)
        let action = ingest.recovery.next(now: now)
        recoveryStep(ingest, "fault", ["media": .word(ingest.kind.rawValue)])
        return action
    }

    /// A keyframe is in: what was awaited has come.
    func recovered(_ ingest: Ingest) {
        ingest.recovery.keyframe()
        recoveryStep(ingest, "keyframe")
    }

    /// Recoveries of long ago count no more.
    func forgetRecoveries(_ ingest: Ingest) {
        for _ in 0..<ingest.recovery.forget(now: now) { recoveryStep(ingest, "window") }
    }
}
