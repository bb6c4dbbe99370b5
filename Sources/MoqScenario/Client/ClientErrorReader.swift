/// Reads `error` of a call: why the kit turns it down, or, for calls that reach as far as the publisher or the relay, the
/// code that it comes to afterwards.
struct ClientErrorReader {
    private let context: ReadingContext

    init(_ context: ReadingContext) { self.context = context }

    /// The reason, and what must come of the call.
    func read(_ entry: YAMLNode.Entry, of action: ClientAction) -> (ClientFault?, ExpectationTree?) {
        let reasons = ClientFault.allCases.map(\.rawValue)
        if context.notes(.words(reasons), entry.value.span) { return (nil, outcome(entry, of: action)) }
        if case .scalar(let text, _) = entry.value.content, let fault = ClientFault(rawValue: text) {
            return (fault, nil)
        }
        if case .scalar(let text, _) = entry.value.content, text.first?.isLetter == true, !text.hasPrefix("app("),
            text != "no_protocol", !context.vocabulary.conditions.contains(text)
        {
            context.unknownWord(
                text, at: entry.value.span, "`\(entry.key)` is `\(text)`", among: reasons + later(action))
            return (nil, nil)
        }
        switch action {
        case .connect: return (.connectionFailed, outcome(entry, of: action))
        case .subscribeTrack, .play: return (nil, outcome(entry, of: action))
        default: return (context.word(entry.value, entry.key, as: ClientFault.self), nil)
        }
    }

    /// The conditions that a call may come to afterwards.
    private func later(_ action: ClientAction) -> [String] {
        switch action {
        case .connect, .subscribeTrack, .play: context.vocabulary.conditions
        default: []
        }
    }

    /// That the session was refused, or that a track failed, with such a code.
    private func outcome(_ entry: YAMLNode.Entry, of action: ClientAction) -> ExpectationTree? {
        let kind: ExpectationKind? =
            switch action {
            case .connect: context.closes(entry.value, entry.key).map { .session(.refused($0)) }
            case .subscribeTrack(let track):
                context.codes(entry.value, entry.key).map {
                    .client(.data(ClientDataExpectation(track: track.track, ended: .withError, code: $0)))
                }
            case .play:
                context.codes(entry.value, entry.key).map {
                    .client(.event(ClientEventPattern(name: .subscribeError, code: $0)))
                }
            default: nil
            }
        return kind.map { context.expectation($0, at: entry) }
    }
}
