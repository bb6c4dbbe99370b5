import MoqBase
import MoqTransport
import MoqWire

/// This side's Probe stream.
enum ProbeState: Equatable {
    case none
    case waiting
    case open(StreamID)
}

/// The peer's Probe streams, and when they are looked after next.
struct ProbeAnswers {
    /// How often the path is measured (known publishers do it that often).
    static let interval = Duration.milliseconds(100)

    private(set) var streams: [StreamID] = []
    private var samplers: [ProbeSampler] = []
    /// When the next measurement is due; nil when nobody wants one.
    var nextSample: Instant?

    mutating func add(_ stream: StreamID) {
        streams.append(stream)
        samplers.append(ProbeSampler())
        nextSample = .origin
    }

    mutating func remove(_ stream: StreamID) {
        guard let index = streams.firstIndex(of: stream) else { return }
        streams.remove(at: index)
        samplers.remove(at: index)
        if streams.isEmpty { nextSample = nil }
    }

    /// What is to be sent on which stream for a measurement; schedules the next one.
    mutating func sample(_ probe: Probe, at now: Instant) -> [(StreamID, Probe)] {
        nextSample = now.advanced(by: Self.interval)
        return streams.indices.compactMap { index in
            samplers[index].shouldSend(probe, at: now) ? (streams[index], probe) : nil
        }
    }
}

/// Decides when a measurement is worth a PROBE: the first one, a change that matters, and every ten seconds.
///
/// The rules are those of the known publishers (observed on 0.3.12): a bit rate that moved by a quarter, shrinking to
/// nothing after ten seconds; a round trip that moved by a quarter; a value that appeared or vanished.
struct ProbeSampler {
    /// After this long a measurement is sent again though nothing changed.
    static let refresh = Duration.seconds(10)
    /// The part by which a value has to move.
    static let change = 0.25

    private var last: (probe: Probe, at: Instant)?

    mutating func shouldSend(_ probe: Probe, at now: Instant) -> Bool {
        let isWorthIt = isWorthSending(probe, at: now)
        if isWorthIt { last = (probe, now) }
        return isWorthIt
    }

    private func isWorthSending(_ probe: Probe, at now: Instant) -> Bool {
        let isNothing = probe.bitrate == nil && probe.roundTrip == nil
        guard let last else { return !isNothing }
        if (last.probe.bitrate == nil) != (probe.bitrate == nil) { return true }
        if (last.probe.roundTrip == nil) != (probe.roundTrip == nil) { return true }
        // A retraction is said once.
        if isNothing { return false }
        let age = last.at.duration(to: now)
        if age >= Self.refresh { return true }
        let left = 1 - age.inSeconds / Self.refresh.inSeconds
        return moved(last.probe.bitrate, probe.bitrate, by: Self.change * left)
            || moved(last.probe.roundTrip, probe.roundTrip, by: Self.change)
    }

    private func moved(_ old: UInt64?, _ new: UInt64?, by part: Double) -> Bool {
        guard let old, let new, old != new else { return false }
        return abs(Double(new) - Double(old)) >= Double(old) * part
    }
}
