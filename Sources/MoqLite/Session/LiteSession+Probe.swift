import MoqBase
import MoqTransport
import MoqWire

// Measurements of the path, both ways.

extension LiteSession {
    /// Asks the peer for its measurements; `probe` events follow, if the peer can measure. One at a time.
    public func openProbe() {
        guard !isClosed, probe == .none else { return }
        probe = .waiting
        place(.probe)
    }

    /// Wants no more measurements; `probeEnded` follows once the peer has ended its half.
    public func closeProbe() {
        guard !withdraw(.probe), case .open(let id) = probe, let stream = streams[id] else { return }
        finishOwnHalf(stream)
    }

    func understandProbe(_ stream: LiteStream, version: Version) throws(StreamFault) {
        while hasRoomForEvents {
            guard let message = try stream.message(Probe.self, version: version) else { return }
            emit(.probe(message))
        }
        enqueue(stream)
    }

    /// Sends a measurement to everyone who asked: bits a second and milliseconds, nil for unknown.
    public func sendProbe(bitrate: UInt64?, roundTrip: UInt64?) {
        let probe = Probe(bitrate: bitrate, roundTrip: roundTrip)
        for stream in probeAnswers.streams { send(probe, on: stream) }
    }

    private func send(_ probe: Probe, on stream: StreamID) {
        guard let version, transport.canWrite(stream) else { return }
        _ = write(try? probe.encode(version: version), to: stream)
    }

    /// Measures, if it is time and somebody wants to know.
    func sampleProbe(at now: Instant) {
        guard configuration.samplesProbe, configuration.probeLevel != .none else {
            probeAnswers.nextSample = nil
            return
        }
        guard let due = probeAnswers.nextSample, now >= due else { return }
        let estimate = transport.pathEstimate
        let probe = Probe(
            bitrate: estimate?.sendRate.map { max($0.multipliedReportingOverflow(by: 8).partialValue, 1) },
            roundTrip: estimate.map { max(UInt64(max($0.roundTrip.milliseconds, 0)), 1) })
        for (stream, probe) in probeAnswers.sample(probe, at: now) { send(probe, on: stream) }
    }
}
