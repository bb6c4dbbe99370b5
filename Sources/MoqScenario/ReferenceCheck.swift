import MoqBase

/// Walks through the steps of a case, and holds what they speak of against what there is at that point.
struct ReferenceCheck {
    /// What one session has done so far.
    private struct Progress {
        /// Tracks published, and those of requests that were accepted, held or refused.
        var published: [TrackReference] = []
        var answered: [TrackReference] = []
        var subscriptions: [(track: TrackReference, label: String?)] = []
        var fetches: [(track: TrackReference, label: String?)] = []
        var infos: [TrackReference] = []
        var streams: [String] = []
        /// The verb by which it is gone, and the line of it.
        var gone: (verb: String, line: Int)?
    }

    let context: ReadingContext
    /// All actors that do or expect something.
    private(set) var actorsSeen: Set<String> = []
    private var progress: [String: Progress] = [:]
    private var names: Set<String> = []
    private var clients: ClientCheck
    private var programs: ProgramCheck
    /// Everything that any actor publishes anywhere in the case.
    private let allPublished: [PublishAction]

    init(context: ReadingContext, scenarioCase: ScenarioCase) {
        self.context = context
        clients = ClientCheck(context: context, actors: scenarioCase.actors)
        programs = ProgramCheck(context: context)
        allPublished = scenarioCase.steps.flattened.compactMap { step in
            if case .session(_, .publish(let publish)) = step.kind { publish } else { nil }
        }
    }

    mutating func walk(_ steps: [Step]) {
        for step in steps {
            switch step.kind {
            case .session(let actor, let action): check(action, of: actor, at: step)
            case .client(let actor, let call):
                actorsSeen.insert(actor)
                clients.check(call, of: actor, at: step)
            case .program(let actor, let action):
                actorsSeen.insert(actor)
                programs.check(action, of: actor, at: step)
            case .expect(let expect): check(expect.condition, of: expect.actor)
            case .never(let never): check(never.condition, of: never.actor)
            case .parallel(let branches): for branch in branches { walk(branch) }
            case .repeat(let inner): walk(inner.firstRound)
            case .after(let after):
                if let since = after.since, !names.contains(since) {
                    context.unknownWord(
                        since, at: context.span(of: since, from: step.location),
                        "no step before this one is named `\(since)`", among: names.sorted())
                }
                walk(after.steps)
            case .relay, .network, .wait: break
            }
            if let name = step.name, !names.insert(name).inserted {
                context.error(context.span(of: name, from: step.location), "another step is named `\(name)` already")
            }
        }
    }

    private mutating func check(_ action: SessionAction, of actor: String, at step: Step) {
        actorsSeen.insert(actor)
        var own = progress[actor] ?? Progress()
        defer { progress[actor] = own }
        if case .connect = action {
            own.gone = nil
        } else if let gone = own.gone {
            context.warning(
                context.span(ofStep: step),
                "this cannot happen: `\(actor)` is gone since its `\(gone.verb)` on line \(gone.line)",
                expected: "`\(actor).connect` before it")
        }
        switch action {
        case .close: own.gone = ("close", step.location.line)
        case .vanish: own.gone = ("vanish", step.location.line)
        case .publish(let publish):
            own.published += publish.tracks.map { TrackReference(broadcast: publish.broadcast, track: $0.name) }
        case .accept(let track, _), .hold(let track, _): own.answered.append(track)
        case .refuse(let refuse): own.answered.append(refuse.target)
        case .write(let write): checkPublished(write.target, own, actor, step.location)
        case .datagram(let datagram): checkPublished(datagram.target, own, actor, step.location)
        case .catalog(let catalog): checkPublished(catalog.target, own, actor, step.location)
        case .finish(let track, _), .drop(let track, _), .abort(let track, _, _):
            checkPublished(track, own, actor, step.location)
        case .subscribe(let subscribe):
            let track = TrackReference(broadcast: subscribe.broadcast, track: subscribe.track)
            checkSpelling(track, at: step.location)
            own.subscriptions.append((track, subscribe.label))
        case .fetch(let fetch):
            let track = TrackReference(broadcast: fetch.broadcast, track: fetch.track)
            checkSpelling(track, at: step.location)
            own.fetches.append((track, fetch.label))
        case .trackInfo(let track): own.infos.append(track)
        case .update(let update): checkSubscribed(update.target, own, actor, step.location)
        case .unsubscribe(let track, _), .stopGroup(let track, _, _), .pauseReading(let track?),
            .resumeReading(let track?):
            checkSubscribed(track, own, actor, step.location)
        case .sendRaw(let raw):
            if case .named(let label) = raw.stream { checkStream(label, own, step.location) }
            if case .group(let track, _) = raw.stream { checkPublished(track, own, actor, step.location) }
            if let label = raw.label { own.streams.append(label) }
        case .get, .connect, .reannounce, .unpublish, .announcements, .pauseReading(nil), .resumeReading(nil), .probe,
            .goaway:
            break
        }
    }

    private mutating func check(_ tree: ExpectationTree, of actor: String) {
        actorsSeen.insert(actor)
        let own = progress[actor] ?? Progress()
        for expectation in tree.leaves {
            let place = expectation.location
            switch expectation.kind {
            case .announced(let announcement), .unannounced(let announcement), .reannounced(let announcement):
                if let broadcast = announcement.broadcast { checkSpelling(broadcast, at: place) }
            case .track(let track): checkSubscribed(track.target, own, actor, place, orPublished: true)
            case .datagrams(let datagrams): checkSubscribed(datagrams.target, own, actor, place)
            case .catalog(let catalog): checkSubscribed(catalog.target, own, actor, place)
            case .trackInfo(let info):
                check(info.target, isAmong: own.infos, actor, place, "\(actor) never asks for the info of")
            case .fetched(let fetched):
                let known = own.fetches.flatMap { fetch in
                    [fetch.track] + (fetch.label.map { [fetch.track.named($0)] } ?? [])
                }
                let target = fetched.target ?? known.first ?? TrackReference(broadcast: nil, track: "")
                check(target, isAmong: known, actor, place, "\(actor) never fetches")
            case .stream(let stream): checkStream(stream.label, own, place)
            case .client(let client): clients.check(client, of: actor, at: place)
            case .program(let program): programs.check(program, of: actor, at: place)
            case .subscribeRequest, .subscribeUpdated, .unsubscribed, .fetchRequest, .trackInfoRequest, .session,
                .goaway, .probe, .relayServes:
                break
            }
        }
    }

    private func checkPublished(
        _ track: TrackReference, _ own: Progress, _ actor: String, _ place: SourceLocation
    ) {
        check(track, isAmong: own.published + own.answered, actor, place, "\(actor) does not publish")
    }

    private func checkSubscribed(
        _ track: TrackReference, _ own: Progress, _ actor: String, _ place: SourceLocation, orPublished: Bool = false
    ) {
        let known = own.subscriptions.flatMap { subscription in
            [subscription.track] + (subscription.label.map { [subscription.track.named($0)] } ?? [])
        }
        check(
            track, isAmong: known + (orPublished ? own.published + own.answered : []), actor, place,
            "\(actor) never subscribes to")
    }

    /// Finds a track among those that an actor has to do with. Without a broadcast, only one may come into question.
    private func check(
        _ track: TrackReference, isAmong known: [TrackReference], _ actor: String, _ place: SourceLocation,
        _ complaint: String
    ) {
        guard !context.unclearActors.contains(actor) else { return }
        let matching = known.filter {
            $0.track == track.track
                && (track.broadcast == nil || $0.broadcast == nil || $0.broadcast == track.broadcast)
        }
        guard !matching.isEmpty else {
            let elsewhere = known.filter { $0.track == track.track }.compactMap(\.broadcast)
            if let broadcast = track.broadcast, !elsewhere.isEmpty {
                context.unknownWord(
                    broadcast, at: context.span(of: broadcast, from: place),
                    "\(complaint) `\(track.track)` in `\(broadcast)` before this", among: elsewhere)
                return
            }
            let full = track.broadcast.map { "`\(track.track)` in `\($0)`" } ?? "`\(track.track)`"
            var words: [String] = []
            for name in known.map(\.track) where !words.contains(name) { words.append(name) }
            context.unknownWord(
                track.track, at: context.span(of: track.track, from: place), "\(complaint) \(full) before this",
                among: words)
            return
        }
        var broadcasts: [String] = []
        for broadcast in matching.compactMap(\.broadcast) where !broadcasts.contains(broadcast) {
            broadcasts.append(broadcast)
        }
        if track.broadcast == nil, broadcasts.count > 1 {
            let names = broadcasts.map { "`\($0)`" }.joined(separator: " and ")
            context.error(
                context.span(of: track.track, from: place), "`\(track.track)` may be in \(names)",
                expected: "`broadcast` beside it")
        }
    }

    private func checkStream(_ label: String, _ own: Progress, _ place: SourceLocation) {
        guard !own.streams.contains(label), label != SendRawAction.connectionLabel,
            !SendRawAction.relayLabels.contains(where: label.hasPrefix)
        else { return }
        context.unknownWord(
            label, at: context.span(of: label, from: place), "no `send_raw` before this has `as: \(label)`",
            among: own.streams)
    }

    /// A broadcast that nobody publishes may be meant so; one that is nearly published is probably not.
    private func checkSpelling(_ broadcast: String, at place: SourceLocation) {
        let published = allPublished.map(\.broadcast)
        guard !published.contains(broadcast), let near = NearestWord.of(broadcast, among: published),
            NearestWord.isSlip(broadcast, for: near)
        else { return }
        context.warning(
            context.span(of: broadcast, from: place), "nobody publishes a broadcast `\(broadcast)`", suggestion: near)
    }

    private func checkSpelling(_ track: TrackReference, at place: SourceLocation) {
        guard let broadcast = track.broadcast else { return }
        checkSpelling(broadcast, at: place)
        let tracks = allPublished.filter { $0.broadcast == broadcast }.flatMap(\.tracks).map(\.name)
        guard !tracks.contains(track.track), let near = NearestWord.of(track.track, among: tracks),
            NearestWord.isSlip(track.track, for: near)
        else { return }
        context.warning(
            context.span(of: track.track, from: place), "nobody publishes a track `\(track.track)` in `\(broadcast)`",
            suggestion: near)
    }
}

extension TrackReference {
    /// The same broadcast, with a label instead of the track.
    fileprivate func named(_ label: String) -> TrackReference {
        TrackReference(broadcast: broadcast, track: label)
    }
}
