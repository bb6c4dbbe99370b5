/// A log of an application with moq-kit, as a trace: its events and states by their documented names, wherever they stand
/// in a line. What is neither is left out and counted.
public struct TraceConversion: Sendable {
    /// The trace.
    public var trace: Trace
    /// Lines of the log.
    public var lines: Int
    /// Lines that say nothing that a trace has.
    public var others: Int

    /// How many lines of each object kind were made, for people.
    public var summary: String {
        "\(lines) lines of log: \(trace.lines.count) observations, \(others) lines with nothing for a trace"
    }

    /// Machines whose events are looked for.
    private static let eventMachines = ["player", "player-track", "publisher", "stall", "rendition-switch", "recovery"]
    /// Machines whose states are looked for, by the words that name their objects.
    private static let stateMachines = [
        "session": "session", "publisher": "publisher", "publishedtrack": "published-track",
        "mediatrack": "media-track",
    ]

    /// Converts a log. `profile` is whose log it is.
    public init(
        _ bytes: [UInt8], profile: MachineProfile?, library: MachineLibrary = .builtIn
    ) throws(TraceError) {
        trace = Trace(profile: profile, lines: [])
        lines = 0
        others = 0
        let names = Names(library, profile ?? .ios)
        var start: Int64?
        for part in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            lines += 1
            guard lines <= Trace.mostLines else { throw .tooMuch(what: "lines", most: Trace.mostLines) }
            let log = LogLine(String(decoding: part, as: UTF8.self))
            var found = names.observations(log, LogMessage(log.message))
            if found.isEmpty { others += 1 }
            if let time = log.timeOfDay {
                let day: Int64 = 86_400_000_000_000
                let first = start ?? time
                start = first
                // Past midnight the clock begins anew.
                for index in found.indices { found[index].atNs = time >= first ? time - first : time - first + day }
            }
            trace.lines += found
        }
        guard lines > 0 else { throw .empty }
        if !trace.lines.contains(where: { $0.event == "decoderRecovery" }) {
            trace.lines.removeAll { $0.machine == "recovery" }
        }
        guard !trace.lines.isEmpty else { throw .nothingKnown(lines: lines) }
        // Whoever listened late did not see how the player began.
        let first = trace.lines.first { $0.machine == "player" || $0.machine == "player-track" }?.event
        trace.beginsAnywhere = first.map { !["player.init", "track.select", "playback.request"].contains($0) } ?? false
    }

    /// The names that are looked for, without case and punctuation: `track.ready`, `trackReady` and `TrackReady` are one.
    private struct Names {
        private var events: [String: [(machine: String, event: String)]] = [:]
        private var states: [String: [String: String]] = [:]

        init(_ library: MachineLibrary, _ profile: MachineProfile) {
            for name in TraceConversion.eventMachines {
                guard let definition = library.machine(name, profile) else { continue }
                for event in definition.events where event.name != "dropped" {
                    events[Self.fold(event.name), default: []].append((name, event.name))
                }
            }
            for machine in TraceConversion.stateMachines.values.sorted() {
                for state in library.machine(machine, profile)?.states ?? [] {
                    let shown = state.shown ?? state.name
                    states[machine, default: [:]][Self.fold(shown)] = shown
                }
            }
        }

        /// What a line says.
        func observations(_ log: LogLine, _ message: LogMessage) -> [TraceLine] {
            let named = [message.values["type"], message.values["event"]].compactMap { $0?.description }
            for word in named + message.words {
                // The last part of `PlayerEvent.trackReady` is the name.
                for name in [word, word.split(separator: ".").last.map(String.init) ?? word] {
                    guard let found = events[Self.fold(name)] else { continue }
                    let lines = found.compactMap { line($0.machine, $0.event, log, message) }
                    if !lines.isEmpty { return lines }
                }
            }
            return state(log, message).map { [$0] } ?? []
        }

        private func line(_ machine: String, _ event: String, _ log: LogLine, _ message: LogMessage) -> TraceLine? {
            // A word that is in every log, unless a publisher says it.
            if event == "error", !isAbout("publisher", log, message) { return nil }
            let values = message.values
            let code = values["code"]?.description
            if event == "transportClosed", code != "audio-decoder-failed", code != "video-renderer-failed" {
                return nil
            }
            let owner = (values["player"] ?? values["playerId"])?.description ?? "player"
            let kind = (values["kind"] ?? values["mediaKind"])?.description
            let object: String
            switch machine {
            case "player": object = owner
            case "player-track", "recovery", "rendition-switch": object = "\(owner)/\(kind ?? "video")"
            case "stall": object = "\(owner)/\((values["trackId"] ?? values["track"])?.description ?? kind ?? "video")"
            default: object = values["publisher"]?.description ?? "publisher"
            }
            // What is of one kind belongs to its player; a player or a publisher says itself whose it is, if it does.
            let session = (values["session"] ?? values["sessionId"])?.description
            let of = object == owner || machine == "publisher" ? session : owner
            return TraceLine(object: object, of: of, machine: machine, event: event, payload: values)
        }

        /// `Session state: connected`, `state -> connected` under the tag Session.
        private func state(_ log: LogLine, _ message: LogMessage) -> TraceLine? {
            guard
                let position = message.words.firstIndex(where: { Self.fold($0).hasSuffix("state") })
                    ?? (message.values["state"] == nil ? nil : 0)
            else { return nil }
            let owners = TraceConversion.stateMachines.keys.sorted().filter { isAbout($0, log, message) }
            guard let owner = owners.max(by: { $0.count < $1.count }),
                let machine = TraceConversion.stateMachines[owner]
            else { return nil }
            let value = message.values["state"].map { [$0.description] } ?? []
            let candidates = value + message.words[min(position + 1, message.words.count)...].reversed()
            for word in candidates {
                let name = word.split(separator: ".").last.map(String.init) ?? word
                guard let state = states[machine]?[Self.fold(name)] else { continue }
                let id = (message.values["id"] ?? message.values[owner] ?? message.values["track"])?.description
                let parent = owner == "publishedtrack" ? "publisher" : "session"
                let of = owner == "session" ? nil : message.values[parent]?.description
                return TraceLine(object: id ?? owner, of: of, machine: machine, to: state)
            }
            return nil
        }

        private func isAbout(_ owner: String, _ log: LogLine, _ message: LogMessage) -> Bool {
            (log.tag.map { Self.fold($0).hasPrefix(owner) } ?? false)
                || message.words.contains { Self.fold($0).hasPrefix(owner) } || message.values[owner] != nil
        }

        private static func fold(_ word: some StringProtocol) -> String {
            String(word.lowercased().filter { $0.isLetter })
        }
    }
}
