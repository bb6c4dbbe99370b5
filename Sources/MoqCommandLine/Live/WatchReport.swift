import MoqBase
import MoqKit
import MoqLive
import MoqPlayback

/// What `moqspec watch` says: lines for people, or JSON Lines (docs/live.md).
public struct WatchReport {
    let isJSON: Bool
    let began: Instant
    var newest = WatchFigures()
    private var playing: String?

    /// A report of something that begins at an instant.
    public init(isJSON: Bool, began: Instant) {
        self.isJSON = isJSON
        self.began = began
    }

    /// The session is there.
    public func connected(relay: String, version: String, transport: String, at now: Instant) -> String {
        if isJSON {
            return line("connected", at: now) { writer in
                writer.member("relay", relay)
                writer.member("version", version)
                writer.member("transport", transport)
            }
        }
        return "watching at \(relay) (\(version) over \(transport))"
    }

    /// The recording is in its file.
    public func saved(_ path: String, frames: Int, bytes: Int, at now: Instant) -> String {
        if isJSON {
            return line("saved", at: now) { writer in
                writer.member("path", path)
                writer.member("frames", frames)
                writer.member("bytes", bytes)
            }
        }
        return "saved \(frames) frames in \(path) (\(bytes) bytes)"
    }

    /// The lines of an event.
    public mutating func lines(for event: WatchEvent) -> [String] {
        if case .statistics(let figures) = event.kind { newest = figures }
        if isJSON { return [json(event)] }
        return texts(event.kind).map { "\(LiveText.time(began.duration(to: event.at)))  \($0)" }
    }

    private mutating func texts(_ kind: WatchEvent.Kind) -> [String] {
        switch kind {
        case .found(let path): return ["found `\(path)`"]
        case .gone(let path): return ["`\(path)` is not announced any more"]
        case .catalog(let path, let renditions):
            guard !renditions.isEmpty else { return ["the catalog of `\(path)` has no rendition"] }
            return ["the catalog of `\(path)`:"] + renditions.map { "  \(LiveText.rendition($0))" }
        case .offline(let path, let error): return ["`\(path)` is offline" + (error.map { ": \($0)" } ?? "")]
        case .state(let object, let machine, let state):
            guard machine == "session" || machine == "player" else { return [] }
            return ["\(object) \(state)"]
        case .player(let event):
            if event.name == "playback.start" { playing = event["track"] }
            let shown = event.fields.filter { !Self.fieldsLeftOut.contains($0.name) }
            return (["\(event.name)"] + shown.map { "\($0.name)=\($0.value)" }).joined(separator: " ").split(
                separator: "\n"
            ).map(String.init)
        case .statistics: return []
        case .undecoded(let fault):
            return ["\(fault.kind.rawValue) `\(fault.rendition)` does not decode: \(fault.cause.words): \(fault.text)"]
        case .problem(let text): return [text]
        case .ended(let outcome): return ended(outcome)
        }
    }

    /// What would only repeat what stands beside it.
    private static let fieldsLeftOut = ["sequence", "targetBuffering", "path"]

    private func ended(_ outcome: WatchOutcome) -> [String] {
        var lines = [Self.words(of: outcome.reason)]
        let figures = newest
        let reasons = figures.reasons.map(\.summary)
        guard outcome.hasPlayed else { return lines + reasons }
        for kind in TrackKind.allCases {
            let statistics = figures.statistics[kind]
            guard let first = statistics.firstPlaying else { continue }
            var parts = ["first \(kind == .video ? "picture" : "sound") after \(LiveText.milliseconds(first))"]
            if let latency = statistics.latency { parts.append("latency \(LiveText.milliseconds(latency))") }
            parts.append("\(statistics.stalls ?? 0) stalls")
            if let time = statistics.stallTime, time > 0 { parts.append("\(LiveText.milliseconds(time)) of them") }
            parts.append("\(statistics.framesDropped ?? 0) frames dropped")
            lines.append("\(kind.rawValue): \(parts.joined(separator: ", "))")
        }
        lines.append("\(figures.frames) frames came, \(figures.decoded) decoded, \(outcome.faults) did not")
        return lines + reasons
    }

    /// The sentence of an end.
    public static func words(of reason: WatchOutcome.Reason) -> String {
        switch reason {
        case .ended: "the broadcast ended"
        case .stopped: "stopped"
        case .nothingPlayed(let text), .unplayable(let text), .sessionLost(let text): text
        }
    }

    /// The status of this moment, for people.
    public func status(_ figures: WatchFigures, standing: String, at now: Instant) -> String {
        guard playing != nil else { return "\(LiveText.decimals(began.duration(to: now).inSeconds, 1)) s  \(standing)" }
        var parts = ["\(LiveText.decimals(began.duration(to: now).inSeconds, 1)) s"]
        for kind in TrackKind.allCases {
            let statistics = figures.statistics[kind]
            guard statistics.firstPlaying != nil else { continue }
            var words = [kind.rawValue]
            if kind == .video, let rate = statistics.framesPerSecond {
                words.append("\(LiveText.decimals(rate, 1)) fps")
            }
            if let bitrate = statistics.bitrate { words.append(LiveText.rate(bitrate * 1000)) }
            if let latency = statistics.latency { words.append("behind \(LiveText.milliseconds(latency))") }
            if let stalls = statistics.stalls, stalls > 0 { words.append("stalls \(stalls)") }
            if let dropped = statistics.framesDropped, dropped > 0 { words.append("dropped \(dropped)") }
            parts.append(words.joined(separator: " "))
        }
        parts.append("\(figures.frames) frames")
        if let most = figures.reasons.max(by: { $0.frames < $1.frames }) {
            let others = figures.reasons.count > 1 ? " and others" : ""
            parts.append("\(figures.faults) undecodable (\(most.cause.words)\(others))")
        }
        if figures.recorded > 0 { parts.append("\(figures.recorded) saved") }
        return parts.joined(separator: "  ")
    }
}
