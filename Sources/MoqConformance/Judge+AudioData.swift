import MoqScenario

// Expectations of an audio data stream.
extension Judge {
    static func judge(
        _ wanted: ClientAudioExpectation, _ audio: ClientRecord.Audio?, _ context: JudgeContext
    ) -> Judgement {
        guard let audio else { return .pending("there is no audio data stream") }
        var parts: [Judgement] = []
        if let chunks = wanted.chunks { parts.append(tally(audio.chunks, chunks, "\(audio.chunks) chunks")) }
        if let waiting = wanted.waiting { parts.append(tally(audio.waiting, waiting, "\(audio.waiting) wait")) }
        if let lost = wanted.lost { parts.append(tally(audio.lost, lost, "\(audio.lost) were lost")) }
        if let ended = wanted.ended { parts.append(judge(ended, audio.endedCleanly)) }
        if let cause = wanted.cause { parts.append(judge(cause, audio)) }
        if let code = wanted.code { parts.append(judge(code, audio.code, isOver: audio.endedCleanly != nil, context)) }
        if wanted.needsDecoding {
            parts.append(
                audio.heard.map { judge(wanted, $0, of: audio.chunks) }
                    ?? .broken("the player does not decode: there are no samples (it wants `decode: true`)"))
        }
        return parts.isEmpty ? .met("\(audio.chunks) chunks") : .all(parts)
    }

    private static func judge(_ cause: ClientAudioCause, _ audio: ClientRecord.Audio) -> Judgement {
        guard let isClean = audio.endedCleanly else { return .pending("it has not ended") }
        guard !isClean, let seen = audio.cause else { return .broken("it ended in good order") }
        let text = "it ended by \(seen.rawValue): \(audio.problem ?? "no text")"
        return seen == cause ? .met(text) : .broken(text)
    }

    /// What was heard. Bytes that do not fit their count are broken whatever was asked.
    private static func judge(
        _ wanted: ClientAudioExpectation, _ heard: ClientRecord.Audio.Heard, of chunks: Int
    ) -> Judgement {
        if heard.malformed > 0 {
            return .broken("\(heard.malformed) of \(chunks) chunks have not the bytes that their form and count make")
        }
        var parts: [Judgement] = []
        let amounts = [
            (wanted.samples, heard.samples, "samples"), (wanted.gaps, heard.gaps, "gaps"),
            (wanted.overlaps, heard.overlaps, "overlaps"), (wanted.tones, heard.tones, "tones"),
            (wanted.missingTones, heard.missingTones, "tones were left out"),
        ]
        for (count, number, what) in amounts {
            if let count { parts.append(tally(number, count, "\(number) \(what)")) }
        }
        // What every chunk says cannot become right when it is wrong.
        let properties = [
            (wanted.chunkSamples, heard.sizes?.lowerBound, "samples in the smallest chunk"),
            (wanted.chunkSamples, heard.sizes?.upperBound, "samples in the largest chunk"),
            (wanted.sampleRate, heard.sampleRate, "samples a second"),
            (wanted.channels, heard.channels, "channels"),
        ]
        for (count, number, what) in properties {
            guard let count else { continue }
            guard let number else {
                parts.append(.pending("no chunk was read"))
                continue
            }
            parts.append(
                count.contains(number) ? .met("\(number) \(what)") : .broken("\(number) \(what), not \(count)"))
        }
        if let format = wanted.format {
            let seen = heard.format.map { "the samples are \($0.rawValue)" }
            let isMet = heard.format == format
            parts.append(
                seen.map { isMet ? .met($0) : .broken($0) } ?? .pending("no chunk was read"))
        }
        return .all(parts)
    }
}
