import MoqBase
import MoqJSON
import MoqLive
import MoqMedia

/// What `moqspec publish` says: lines for people, or JSON Lines.
public struct PublishReport {
    private let isJSON: Bool
    private let began: Instant
    private var firstPacket: Instant?

    /// A report of something that begins at an instant.
    public init(isJSON: Bool, began: Instant) {
        self.isJSON = isJSON
        self.began = began
    }

    /// What is going to be sent, to where.
    public func beginning(
        _ file: MediaFile, _ publisher: FilePublisher, path: String, relay: String, version: String, transport: String,
        at now: Instant
    ) -> [String] {
        let names = publisher.trackNames
        if isJSON {
            return [
                line("connected", at: now) { writer in
                    writer.member("relay", relay)
                    writer.member("version", version)
                    writer.member("transport", transport)
                },
                line("file", at: now) { writer in
                    writer.member("path", path)
                    writer.name("duration")
                    writer.value(seconds: .microseconds(file.duration))
                    writer.name("tracks")
                    writer.array { writer in
                        for (track, name) in zip(file.tracks, names) {
                            writer.object { writer in
                                writer.member("name", name)
                                writer.member("codec", track.format.codecString)
                                writer.member("packets", track.packetCount)
                            }
                        }
                    }
                    writer.member("skipped", file.skippedStreams.map(\.description))
                    writer.member("damage", file.damage)
                },
            ]
        }
        var lines = ["publishing \(path) at \(relay) as `\(publisher.settings.path)` (\(version) over \(transport))"]
        for (track, name) in zip(file.tracks, names) { lines.append("  \(name): \(LiveText.track(track.format))") }
        for stream in file.skippedStreams { lines.append("  left out: \(stream)") }
        if let damage = file.damage { lines.append("  the file is damaged, and used up to there: \(damage)") }
        return lines
    }

    /// The lines of an event.
    public mutating func lines(for event: PublishEvent) -> [String] {
        if event.kind == .began { firstPacket = event.at }
        if isJSON { return [json(event)] }
        guard let text = text(event.kind) else { return [] }
        return ["\(LiveText.time(began.duration(to: event.at)))  \(text)"]
    }

    private func text(_ kind: PublishEvent.Kind) -> String? {
        switch kind {
        case .announced(let path): "`\(path)` is announced"
        case .asked(let track): "asked for \(track)"
        case .left(let track): "nobody asks for \(track) any more"
        case .began: "the first packet goes out"
        case .lap(let lap): "the file begins anew (lap \(lap + 1))"
        case .problem(let text): text
        case .finished(let packets): "finished: \(packets) packets"
        case .closed(let close): "the session is over: \(close)"
        }
    }

    private func json(_ event: PublishEvent) -> String {
        switch event.kind {
        case .announced(let path): line("announced", at: event.at) { $0.member("broadcast", path) }
        case .asked(let track): line("asked", at: event.at) { $0.member("track", track) }
        case .left(let track): line("left", at: event.at) { $0.member("track", track) }
        case .began: line("began", at: event.at)
        case .lap(let lap): line("lap", at: event.at) { $0.member("lap", lap) }
        case .problem(let text): line("problem", at: event.at) { $0.member("text", text) }
        case .finished(let packets): line("finished", at: event.at) { $0.member("packets", packets) }
        case .closed(let close): line("closed", at: event.at) { $0.member("text", close.description) }
        }
    }

    /// The status of this moment; nil while there is nothing to tell in JSON.
    public func status(_ figures: PublishFigures, state: FilePublisher.State, at now: Instant) -> String {
        if isJSON {
            return line("stats", at: now) { writer in
                writer.member("state", state.rawValue)
                writer.member("packets", figures.packets)
                writer.member("bytes", figures.bytes)
                writer.name("position")
                writer.value(seconds: .microseconds(figures.position))
                writer.member("laps", figures.laps)
                writer.member("subscriptions", figures.subscriptions)
                writer.name("latest")
                writer.value(seconds: figures.latest)
            }
        }
        guard let firstPacket else { return "waiting for somebody to ask for the media" }
        let elapsed = firstPacket.duration(to: now).inSeconds
        var parts = [
            "\(LiveText.decimals(Double(figures.position) / 1_000_000, 1)) s", "\(figures.packets) packets",
            LiveText.rate(elapsed > 0 ? Double(figures.bytes) * 8 / elapsed : 0),
            "\(figures.subscriptions) \(figures.subscriptions == 1 ? "track" : "tracks") asked for",
        ]
        if figures.laps > 0 { parts.append("lap \(figures.laps + 1)") }
        if figures.latest > Self.notable {
            parts.append("up to \(LiveText.decimals(figures.latest.milliseconds, 0)) ms late")
        }
        return parts.joined(separator: "  ")
    }

    /// By how much a packet is late before that is worth a word.
    private static let notable = Duration.milliseconds(50)

    private func line(
        _ event: String, at now: Instant, _ members: (inout JSONWriter) -> Void = { _ in }
    ) -> String {
        LiveJSON.line(event, began.duration(to: now), members)
    }
}

/// One line of JSON for an event.
enum LiveJSON {
    static func line(_ event: String, _ since: Duration, _ members: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("event", event)
            writer.name("at")
            writer.value(seconds: since)
            members(&writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
