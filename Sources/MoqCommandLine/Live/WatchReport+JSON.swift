import MoqBase
import MoqJSON
import MoqKit
import MoqLive
import MoqPlayback

// What is seen while watching, one object a line.
extension WatchReport {
    func line(_ event: String, at now: Instant, _ members: (inout JSONWriter) -> Void = { _ in }) -> String {
        LiveJSON.line(event, began.duration(to: now), members)
    }

    func json(_ event: WatchEvent) -> String {
        switch event.kind {
        case .found(let path): line("found", at: event.at) { $0.member("broadcast", path) }
        case .gone(let path): line("gone", at: event.at) { $0.member("broadcast", path) }
        case .catalog(let path, let renditions):
            line("catalog", at: event.at) { writer in
                writer.member("broadcast", path)
                for kind in TrackKind.allCases {
                    writer.name(kind.rawValue)
                    writer.array { writer in
                        for rendition in renditions where rendition.kind == kind { Self.write(rendition, to: &writer) }
                    }
                }
            }
        case .offline(let path, let error):
            line("offline", at: event.at) { writer in
                writer.member("broadcast", path)
                writer.member("error", error)
            }
        case .state(let object, let machine, let state):
            line("state", at: event.at) { writer in
                writer.member("object", object)
                writer.member("machine", machine)
                writer.member("state", state)
            }
        case .player(let told):
            line("player", at: event.at) { writer in
                writer.member("name", told.name)
                for field in told.fields {
                    // Sequence numbers, epochs and times are numbers; names of tracks that look like some are not.
                    if Self.numbers.contains(field.name), let number = Int64(field.value) {
                        writer.member(field.name, number)
                    } else if field.value == "true" || field.value == "false", field.name == "keyframe" {
                        writer.name(field.name)
                        writer.value(field.value == "true")
                    } else {
                        writer.member(field.name, field.value)
                    }
                }
            }
        case .statistics(let figures): line("stats", at: event.at) { Self.write(figures, to: &$0) }
        case .undecoded(let fault): line("undecoded", at: event.at) { Self.members(of: fault, to: &$0) }
        case .problem(let text): line("problem", at: event.at) { $0.member("text", text) }
        case .ended(let outcome):
            line("ended", at: event.at) { writer in
                writer.member("reason", Self.name(of: outcome.reason))
                writer.name("played")
                writer.value(outcome.hasPlayed)
                writer.member("undecoded", outcome.faults)
                Self.write(newest.reasons, to: &writer)
                writer.member("text", Self.words(of: outcome.reason))
            }
        }
    }

    private static func members(of fault: DecodeFault, to writer: inout JSONWriter) {
        writer.member("kind", fault.kind.rawValue)
        writer.member("rendition", fault.rendition)
        writer.member("cause", fault.cause.rawValue)
        writer.member("text", fault.text)
        if let timestamp = fault.timestamp { writer.member("timestamp", timestamp) }
    }

    private static func write(_ reasons: [DecodeFault], to writer: inout JSONWriter) {
        guard !reasons.isEmpty else { return }
        writer.name("reasons")
        writer.array { writer in
            for fault in reasons {
                writer.object { writer in
                    members(of: fault, to: &writer)
                    writer.member("frames", fault.frames)
                }
            }
        }
    }

    private static let numbers = ["sequence", "epoch", "timestamp", "targetBuffering", "output", "bytes"]

    private static func name(of reason: WatchOutcome.Reason) -> String {
        switch reason {
        case .ended: "ended"
        case .stopped: "stopped"
        case .nothingPlayed: "nothing-played"
        case .unplayable: "unplayable"
        case .sessionLost: "session-lost"
        }
    }

    private static func write(_ rendition: Rendition, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", rendition.name)
            writer.member("codec", rendition.codec)
            if let width = rendition.width { writer.member("width", width) }
            if let height = rendition.height { writer.member("height", height) }
            if let rate = rendition.frameRate {
                writer.name("frameRate")
                writer.value(rate)
            }
            if let rate = rendition.sampleRate { writer.member("sampleRate", rate) }
            if let channels = rendition.channels { writer.member("channels", channels) }
            if let bitrate = rendition.bitrate { writer.member("bitrate", bitrate) }
            writer.member("container", LiveText.container(rendition))
            writer.name("playable")
            writer.value(rendition.isPlayable)
        }
    }

    private static func write(_ figures: WatchFigures, to writer: inout JSONWriter) {
        writer.member("frames", figures.frames)
        writer.member("bytes", figures.bytes)
        writer.member("decoded", figures.decoded)
        writer.member("undecoded", figures.faults)
        write(figures.reasons, to: &writer)
        writer.member("saved", figures.recorded)
        for kind in TrackKind.allCases {
            let statistics = figures.statistics[kind]
            guard statistics != TrackStatistics() else { continue }
            writer.name(kind.rawValue)
            writer.object { writer in
                for (name, value) in times(statistics) {
                    guard let value else { continue }
                    writer.name(name)
                    writer.value(seconds: .microseconds(value))
                }
                for (name, value) in numbers(statistics) {
                    guard let value else { continue }
                    writer.name(name)
                    if let whole = Int64(exactly: value) { writer.value(whole) } else { writer.value(value) }
                }
            }
        }
    }

    private static func times(_ statistics: TrackStatistics) -> [(String, Int64?)] {
        [
            ("latency", statistics.latency), ("stallTime", statistics.stallTime), ("buffered", statistics.buffered),
            ("firstFrame", statistics.firstFrame), ("firstPlaying", statistics.firstPlaying),
        ]
    }

    private static func numbers(_ statistics: TrackStatistics) -> [(String, Double?)] {
        [
            ("stalls", statistics.stalls.map(Double.init)), ("rebufferingRatio", statistics.rebufferingRatio),
            ("bitrate", statistics.bitrate.map { $0 * 1000 }), ("framesPerSecond", statistics.framesPerSecond),
            ("framesDropped", statistics.framesDropped.map(Double.init)), ("arrivalRate", statistics.arrivalRate),
            ("outOfOrder", Double(statistics.outOfOrder)), ("discontinuities", Double(statistics.discontinuities)),
        ]
    }
}
