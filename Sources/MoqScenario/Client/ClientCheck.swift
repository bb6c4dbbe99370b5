/// Walks through the calls of the client kits of a case: tracks that are used were added, players have something to
/// play.
struct ClientCheck {
    let context: ReadingContext
    private var added: [String: [String]] = [:]
    private var asked: [String: [String]] = [:]
    private var watching: Set<String> = []
    private var moqom: MoqomCheck

    init(context: ReadingContext) {
        self.context = context
        moqom = MoqomCheck(context: context)
    }

    mutating func check(_ call: ClientCall, of actor: String, at step: Step) {
        switch call.action {
        case .addTrack(let track): added[actor, default: []].append(track.name)
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
        case .data(let data):
            need(data.track, among: asked[actor], "\(actor) never subscribes to `\(data.track)` before this", place)
        default: break
        }
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
