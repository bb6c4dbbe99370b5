import MoqEvents

/// The recordings of runs that divided the cases among them, as the recording of one run.
public struct MergedRuns {
    /// The events: one beginning, what each run found of the relay, all cases, one end.
    public private(set) var events: [RunEvent] = []
    /// What a run of all the cases would have ended with.
    public private(set) var status = ExitStatus(ledger: Ledger())

    /// Merges recordings, each with the name that messages call it by. They have to be of one version of moqspec, and no
    /// case may be in two of them.
    public init(_ recordings: [(name: String, bytes: [UInt8])], isStrict: Bool) throws(UsageError) {
        var beginning: RunStarted?
        var probes: [RunEvent] = []
        var cases: [RunEvent] = []
        var owners: [String: String] = [:]
        var circumstances = ExitStatus.Circumstances()
        circumstances.strict = isStrict
        var duration = Duration.zero
        for (name, bytes) in recordings {
            let recording = try Self.events(bytes, name)
            guard case .runStarted(let start)? = recording.first else {
                throw UsageError("\(name): it does not begin as a recording of a run does")
            }
            if let first = beginning {
                guard first.target.description == start.target.description else {
                    throw UsageError(
                        "\(name): it is about \(start.target.description), and \(recordings[0].name) about "
                            + "\(first.target.description): runs of two relays are no shards of one")
                }
                beginning?.selectedCases = first.selectedCases.flatMap { own in start.selectedCases.map { own + $0 } }
                beginning?.jobs += start.jobs
                beginning?.rounds = max(first.rounds, start.rounds)
            } else {
                beginning = start
            }
            for event in recording {
                switch event {
                case .targetProbed: probes.append(event)
                case .caseStarted(let start):
                    if let owner = owners[start.caseID] {
                        throw UsageError(
                            "\(name): \(start.caseID) is in \(owner) as well; a case can be in one shard only")
                    }
                    owners[start.caseID] = name
                    cases.append(event)
                case .trace, .step, .finding, .caseFinished: cases.append(event)
                case .runFinished(let end):
                    duration = max(duration, end.duration)
                    circumstances.interruption = circumstances.interruption ?? end.interruption
                    if end.ledger.error == 0, end.exitCode == ExitStatus.Reason.environment("").code {
                        circumstances.environment = end.reasons.first ?? "\(name) could not use the relay"
                    }
                    if end.exitCode == ExitStatus.Reason.knownFailures("").code {
                        circumstances.knownFailures += end.reasons.prefix(1)
                    }
                case .runStarted, .unknown: break
                }
            }
        }
        guard let beginning else { throw UsageError("no recording is named") }
        // The events of cases whose runs died are concluded as those of one run are.
        var results = RunResults(of: [.runStarted(beginning)] + cases)
        results.conclude()
        let ledger = results.ledger
        status = ExitStatus(ledger: ledger, circumstances)
        let end = RunFinished(
            ledger: ledger, status: status, duration: duration, interruption: circumstances.interruption)
        events = [.runStarted(beginning)] + probes + cases + [.runFinished(end)]
    }

    static func events(_ bytes: [UInt8], _ name: String) throws(UsageError) -> [RunEvent] {
        do {
            return try EventReader.events(in: bytes)
        } catch {
            throw UsageError("\(name): \(error): is it a file that `moqspec run --report events=PATH` wrote?")
        }
    }
}
