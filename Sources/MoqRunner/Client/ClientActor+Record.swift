import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqScenario

// What the models tell, in the record that expectations are held against.
extension ClientActor {
    func note(_ step: ModelStep) {
        if let object = object(of: step),
            actor.record.client?.states[object]?.last ?? object.states[0] != step.state
        {
            actor.record.client?.states[object, default: []].append(step.state)
            scene.note(.session, actor.name, "\(step.object): \(step.state)")
        }
        guard step.machine == "published-track", step.object.hasPrefix("\(publisher.name)/") else { return }
        let label = String(step.object.dropFirst(publisher.name.count + 1))
        let last = actor.record.client?.trackStates[label]?.last ?? ClientObject.trackStates[0]
        if last != step.state { actor.record.client?.trackStates[label, default: []].append(step.state) }
    }

    private func object(of step: ModelStep) -> ClientObject? {
        switch step.machine {
        case "session" where step.object == session.name: .session
        case "publisher" where step.object == publisher.name: .publisher
        case "player" where step.object == player?.name: .player
        default: nil
        }
    }

    func refreshRecord() {
        refreshBroadcasts()
        for (name, subscription) in dataTracks {
            let new = subscription.count - dataTaken[name, default: 0]
            let wasOpen = actor.record.client?.data[name]?.endedCleanly == nil
            guard new > 0 || wasOpen != (subscription.end == nil) else { continue }
            var data = actor.record.client?.data[name] ?? ClientRecord.DataTrack()
            data.groups += subscription.objects.suffix(new).map(\.group)
            data.last = subscription.objects.last?.payload ?? []
            data.endedCleanly = subscription.end.map { $0.text == nil }
            if case .code(let code)? = subscription.end { data.code = code }
            dataTaken[name] = subscription.count
            actor.record.client?.data[name] = data
        }
        if let player, isDue(player) {
            playerTaken = (player.samples, port.now)
            actor.record.client?.statistics = player.figures
            actor.record.client?.seen = seen
            let reasons = decoder?.reasons.entries ?? []
            if actor.record.client?.undecoded.isEmpty != reasons.isEmpty || !reasons.isEmpty {
                actor.record.client?.undecoded = reasons.map(\.summary)
            }
            noteDiagnostics(of: player)
        }
        if let audioStream { refreshAudio(audioStream) }
    }

    private func refreshAudio(_ stream: AudioDataStream) {
        var audio = ClientRecord.Audio()
        audio.chunks = stream.decoded
        audio.waiting = stream.waiting.count
        audio.lost = stream.lost
        audio.endedCleanly = stream.state == .open ? nil : stream.state != .failed
        if let failure = stream.failure {
            audio.cause = failure.cause == .decode ? .decode : .upstream
            audio.problem = failure.text
            audio.code = failure.code
            if actor.record.client?.audio?.problem != failure.text {
                scene.note(.check, actor.name, "audio data ended by \(failure.cause.rawValue): \(failure.text)")
            }
        }
        if actor.definition.decodes {
            var heard = ClientRecord.Audio.Heard()
            heard.samples = hearing.samples
            heard.sizes = hearing.sizes
            heard.sampleRate = hearing.sampleRate
            heard.channels = hearing.channelCount
            heard.format = hearing.sampleFormat.map { $0 == .int16 ? .int16 : .float32 }
            (heard.gaps, heard.overlaps, heard.malformed) = (hearing.gaps, hearing.overlaps, hearing.malformed)
            (heard.tones, heard.missingTones) = (hearing.tones, hearing.missingTones)
            audio.heard = heard
        }
        actor.record.client?.audio = audio
    }

    private func noteDiagnostics(of player: PlayerModel) {
        guard diagnosticsTaken != (player.name, player.diagnostics.total) else { return }
        diagnosticsTaken = (player.name, player.diagnostics.total)
        actor.record.client?.diagnosticsHeld = player.diagnostics.held.count
        actor.record.client?.diagnostics = player.diagnostics.counts.map { entry in
            ClientRecord.Diagnostic(
                name: entry.name, fields: entry.fields.map { .init(name: $0.name, value: $0.value) },
                count: entry.count)
        }
    }

    /// The pipeline tells hundreds of things a second: it is looked at with each sample, and now and then.
    private func isDue(_ player: PlayerModel) -> Bool {
        player.samples != playerTaken.samples
            || playerTaken.at.duration(to: port.now) >= Self.lookInterval || player.state != .playing
    }
    private static let lookInterval = Duration.milliseconds(50)

    private func refreshBroadcasts() {
        // Each was found once, and revisions only grow.
        let revision = found.reduce(0) { $0 + $1.catalogs.revision }
        guard revision != broadcastsTaken else { return }
        broadcastsTaken = revision
        var broadcasts: [ClientRecord.Broadcast] = []
        for entry in found {
            let path = entry.broadcast.path
            let index = broadcasts.firstIndex { $0.path == path }
            var broadcast = index.map { broadcasts[$0] } ?? ClientRecord.Broadcast(path: path)
            // By whichever session and subscription of the actor.
            if index != nil { broadcast.found += 1 }
            broadcast.video = entry.catalogs.newest?.renditions(.video).map(\.name)
            broadcast.audio = entry.catalogs.newest?.renditions(.audio).map(\.name)
            broadcast.isLive =
                switch entry.catalogs.state {
                case .ended: false
                case .live: true
                case .subscribing, .waiting: nil
                }
            if case .code(let code)? = entry.catalogs.end { broadcast.code = code } else { broadcast.code = nil }
            if let index { broadcasts[index] = broadcast } else { broadcasts.append(broadcast) }
        }
        actor.record.client?.broadcasts = broadcasts
    }
}

extension PlayerModel {
    /// Its statistics by the names that scenarios have for them; durations in nanoseconds.
    var figures: [ClientStatistic: Double] {
        let (video, audio) = (statistics.video, statistics.audio)
        func time(_ value: Int64?) -> Double? { value.map { Double($0) * 1000 } }
        func count(_ value: Int?) -> Double? { value.map(Double.init) }
        let all: [(ClientStatistic, Double?)] = [
            (.stalls, Double((video.stalls ?? 0) + (audio.stalls ?? 0))),
            (.droppedFrames, Double((video.framesDropped ?? 0) + (audio.framesDropped ?? 0))),
            (.latency, [time(video.latency), time(audio.latency)].compactMap { $0 }.max()),
            (.videoLatency, time(video.latency)), (.audioLatency, time(audio.latency)),
            (.videoStalls, count(video.stalls)), (.audioStalls, count(audio.stalls)),
            (.videoStallTime, time(video.stallTime)), (.audioStallTime, time(audio.stallTime)),
            (.videoRebufferingRatio, video.rebufferingRatio), (.audioRebufferingRatio, audio.rebufferingRatio),
            (.videoBitrate, video.bitrate), (.audioBitrate, audio.bitrate), (.videoFPS, video.framesPerSecond),
            (.videoFramesDropped, count(video.framesDropped)), (.audioFramesDropped, count(audio.framesDropped)),
            (.firstVideoFrame, time(video.firstFrame)), (.firstAudioFrame, time(audio.firstFrame)),
            (.firstVideoPlaying, time(video.firstPlaying)), (.firstAudioPlaying, time(audio.firstPlaying)),
            (.videoJitterBuffer, time(video.buffered)), (.audioRingBuffer, time(audio.buffered)),
            (.videoArrivalRate, video.arrivalRate), (.audioArrivalRate, audio.arrivalRate),
            (.videoOutOfOrder, Double(video.outOfOrder)), (.audioOutOfOrder, Double(audio.outOfOrder)),
            (.videoDiscontinuities, Double(video.discontinuities)),
            (.audioDiscontinuities, Double(audio.discontinuities)),
            (.videoSwitchesRequested, count(video.switchesRequested)),
            (.videoSwitchesCompleted, count(video.switchesCompleted)),
            (.audioSwitchesRequested, count(audio.switchesRequested)),
            (.audioSwitchesCompleted, count(audio.switchesCompleted)), (.samples, Double(samples)),
        ]
        var figures = [ClientStatistic: Double](minimumCapacity: all.count)
        for (statistic, value) in all { if let value { figures[statistic] = value } }
        return figures
    }
}
