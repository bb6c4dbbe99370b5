/// Walks through the calls of the client kits of a case: tracks that are used were added, players have something to
/// play.
struct ClientCheck {
    let context: ReadingContext
    private var added: [String: [String]] = [:]
    private var asked: [String: [String]] = [:]
    private var watching: Set<String> = []
    private var moqom: MoqomCheck
    /// Players that decode, so that there is something to see.
    private let decoding: [String]
    /// What captures deliver, and where it is not synthetic.
    private var captures: [String: CaptureAction] = [:]

    init(context: ReadingContext, actors: [ActorDefinition]) {
        self.context = context
        moqom = MoqomCheck(context: context)
        decoding = actors.filter(\.decodes).map(\.name)
    }

    mutating func check(_ call: ClientCall, of actor: String, at step: Step) {
        switch call.action {
        case .startCapture(let capture): captures[actor] = capture
        case .addTrack(let track):
            added[actor, default: []].append(track.name)
            check(track, of: actor, step)
        case .damage(let damage):
            need(
                damage.name, among: added[actor], "\(actor) adds no track `\(damage.name)` before this", step.location)
        case .send(let send):
            need(send.track, among: added[actor], "\(actor) adds no track `\(send.track)` before this", step.location)
        case .stopTrack(let name):
            need(name, among: added[actor], "\(actor) adds no track `\(name)` before this", step.location)
        case .subscribe: watching.insert(actor)
        case .subscribeTrack(let track):
            needWatching(actor, step)
            asked[actor, default: []].append(track.track)
        case .closeTrack(let name):
            need(name, among: asked[actor], "\(actor) never subscribes to `\(name)` before this", step.location)
        case .play, .readAudio: needWatching(actor, step)
        case .moqom(let inner): moqom.check(inner, fault: call.fault, of: actor, at: step)
        default: break
        }
    }

    mutating func check(_ expectation: ClientExpectation, of actor: String, at place: SourceLocation) {
        switch expectation {
        case .moqom(let inner): moqom.check(inner, of: actor, at: place)
        case .trackStates(let name, _):
            need(name, among: added[actor], "\(actor) adds no track `\(name)` before this", place)
        case .seen:
            guard !decoding.contains(actor) else { return }
            context.error(
                context.span(of: "seen", from: place),
                "`\(actor)` does not decode, so nothing of what it plays is seen",
                expected: "`decode: true` where `\(actor)` is declared", suggestion: "decode: true")
        case .data(let data):
            need(data.track, among: asked[actor], "\(actor) never subscribes to `\(data.track)` before this", place)
        default: break
        }
    }

    /// An initialisation is made of a description, which only files have.
    private func check(_ track: AddTrackAction, of actor: String, _ step: Step) {
        let source = track.source ?? (track.kind == .video ? captures[actor]?.video : captures[actor]?.audio)
        guard track.container == .cmaf, source == .synthetic else { return }
        context.error(
            context.span(of: "cmaf", from: step.location),
            "frames of a synthetic capture cannot be packed as cmaf: its initialisation is made of a decoder's description",
            expected: "a media file, by `source` or `start_capture`", suggestion: "container: loc")
    }

    private func needWatching(_ actor: String, _ step: Step) {
        guard !watching.contains(actor), !context.unclearActors.contains(actor) else { return }
        context.error(
            context.span(ofStep: step), "`\(actor)` has no broadcast at this point",
            expected: "`\(actor).subscribe` before it")
    }

    private func need(_ name: String, among known: [String]?, _ complaint: String, _ place: SourceLocation) {
        guard known?.contains(name) != true else { return }
        context.unknownWord(name, at: context.span(of: name, from: place), complaint, among: known ?? [])
    }
}
