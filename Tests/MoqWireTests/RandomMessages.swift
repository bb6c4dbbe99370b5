import MoqBase

@testable import MoqWire

/// Random messages of every kind, each as a version can express it, so that they come back equal.
struct RandomMessages {
    var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// One message of every kind that `version` has.
    mutating func all(_ version: Version) throws -> [any WireMessage] {
        var messages: [any WireMessage] = [
            AnnounceRequest(
                prefix: try path(), excludeHop: version.hasExcludeHop ? number() : 0,
                includesHidden: !version.hasHiddenRoutes || Bool.random(using: &random)),
            Subscribe(
                id: number(), broadcast: try path(), epoch: epoch(version), track: track(), options: options(version)),
            GroupHeader(
                subscribeID: number(), sequence: number(), frameStart: version.hasFrameRanges ? number() : 0),
            try fetch(version),
        ]
        if version.hasProbe {
            messages.append(Probe(bitrate: positive(), roundTrip: version.probeHasRoundTrip ? positive() : nil))
        }
        if version.hasSubscribeUpdate { messages.append(SubscribeUpdate(options: options(version))) }
        if version.hasSubscribeDrop {
            messages.append(SubscribeAnswer.drop(start: number(), end: number(), code: number()))
        }
        if version.hasAnnounceInit {
            messages += [
                AnnounceInit(suffixes: [try path(), try path(), .empty]), AnnounceInit(suffixes: []),
                SessionInfo(bitrate: positive()),
                ClientSetup(versions: [number(), number()], parameters: exchangeParameters()),
                ServerSetup(version: number(), parameters: exchangeParameters()),
            ]
        }
        if version >= .lite07 { messages.append(Auth(token: text())) }
        messages += try announcements(version)
        if version.subscribeAnswerIsOK {
            messages.append(SubscribeAnswer.ok(version.subscribeOKHasPriority ? options(version) : SubscribeOptions()))
        } else {
            let largest =
                version.hasLargestPosition ? expressible().map { TrackPosition(group: $0, frame: number()) } : nil
            messages += [
                SubscribeAnswer.start(group: number(), largest: largest),
                SubscribeAnswer.end(group: number(), streams: version.subscriberEndsFirst ? number() : 0),
            ]
        }
        if version.hasAnnounceOK { messages.append(AnnounceOK(hop: number(), activeCount: number())) }
        if version.hasGoaway { messages.append(Goaway(uri: text())) }
        if version.hasSetup { messages.append(setup()) }
        if version.hasTrackStream {
            messages.append(TrackRequest(broadcast: try path(), epoch: epoch(version), track: track()))
            messages.append(
                TrackInfo(
                    priority: UInt8.random(in: 0...255, using: &random),
                    ordered: version.hasOrdered && Bool.random(using: &random),
                    maxAge: version.trackAgeIsOptional ? expressible() ?? 0 : number(), timescale: max(number(), 1)))
        }
        return messages
    }

    private mutating func announcements(_ version: Version) throws -> [any WireMessage] {
        guard version.hasAnnounceIDs else {
            var list = [
                Announcement.active(try path(), hops: try hops(version)), .ended(try path()),
            ]
            if version.repeatedActiveReplaces { list.append(.restart(try path(), hops: try hops(version))) }
            return list
        }
        var list = [
            Announcement.start(try path(), hops: try hops(version), cost: cost(version), epoch: epoch(version)),
            .end(id: number()),
            .update(id: number(), hops: try hops(version), cost: cost(version)),
        ]
        if version.hasEpochs {
            list.append(.instance(id: number(), hops: try hops(version), cost: cost(version), epoch: epoch(version)))
        }
        guard version.hasBorrowedRoutes else { return list }
        let owns: [BorrowedRoute.Own] = [
            .start(try path(), epoch: epoch(version)), .update(id: number()),
            .restart(id: number(), epoch: epoch(version)),
        ]
        for own in owns {
            var borrows = RouteLoan.none
            if case .start = own { borrows = loan() }
            list.append(
                .borrowed(
                    BorrowedRoute(
                        own: own, path: borrows, hops: try hops(version), hopLoan: loan(), cost: cost(version))))
        }
        return list
    }

    private mutating func loan() -> RouteLoan { RouteLoan(base: positive() ?? 1, keep: number()) }

    private mutating func cost(_ version: Version) -> RouteCost {
        let warm = number()
        return RouteCost(warm: warm, cold: version.hasColdCost ? number() : warm)
    }

    private mutating func epoch(_ version: Version) -> Epoch? {
        version.hasEpochs && Bool.random(using: &random) ? Epoch(random.bytes(Epoch.count)) : nil
    }

    private mutating func exchangeParameters() -> [ExchangeParameter] {
        [
            .bytes(id: ExchangeParameter.pathID, Array(text().utf8)),
            .number(id: ExchangeParameter.maximumRequestID, number()),
            .bytes(id: ExchangeParameter.nameID, random.bytes(Int.random(in: 0...40, using: &random))),
        ]
    }

    private mutating func fetch(_ version: Version) throws -> Fetch {
        var fetch = Fetch(
            broadcast: try path(), epoch: epoch(version), track: track(),
            priority: UInt8.random(in: 0...255, using: &random), group: number())
        if version.hasFrameRanges {
            fetch.frameStart = number() >> 1
            fetch.frameEnd = Bool.random(using: &random) ? fetch.frameStart + number() >> 2 : nil
        }
        return fetch
    }

    private mutating func options(_ version: Version) -> SubscribeOptions {
        var options = SubscribeOptions(priority: UInt8.random(in: 0...255, using: &random))
        guard version.hasSubscribeRange else { return options }
        options.maxAge = number()
        options.ordered = version.hasOrdered && Bool.random(using: &random)
        options.groupStart = version.startIsFloor ? positive() : expressible()
        options.groupEnd = expressible()
        if version.hasFrameRanges {
            options.frameStart = number()
            options.frameEnd = options.groupEnd == nil ? nil : expressible()
        }
        return options
    }

    private mutating func setup() -> Setup {
        var parameters: [SetupParameter] = [
            .probe(number()), .path(text()), .role(number()), .cost(number()), .hop(number()),
        ]
        let ids = Set((0..<4).map { _ in number() }.filter { $0 > 5 }).sorted()
        for id in ids {
            parameters.append(.unknown(id: id, bytes: random.bytes(Int.random(in: 0...9, using: &random))))
        }
        parameters.shuffle(using: &random)
        return Setup(parameters: Array(parameters.prefix(Int.random(in: 0...parameters.count, using: &random))))
    }

    private mutating func hops(_ version: Version) throws -> HopList {
        let count = Int.random(in: 0...WireLimits.hops, using: &random)
        guard version.hasHops else { return .empty }
        guard version.hasHopIDs else { return try HopList(Array(repeating: 0, count: count)) }
        var seen: Set<UInt64> = []
        return try HopList((0..<count).map { _ in number() }.filter { $0 == 0 || seen.insert($0).inserted })
    }

    mutating func path() throws -> BroadcastPath {
        let count = Int.random(in: 0...WireLimits.pathParts, using: &random)
        return try BroadcastPath((0..<count).map { _ in word() }.joined(separator: "/"))
    }

    private mutating func track() -> TrackName { TrackName(text()) }

    /// Any text, with slashes, zero bytes and letters outside ASCII; sometimes empty.
    mutating func text() -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            ["/", "\0", word(), "e\u{301}", "🦊"].randomElement(using: &random) ?? ""
        }
        .joined()
    }

    private mutating func word() -> String {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
            "abcz.-_é日".randomElement(using: &random).map(String.init) ?? "a"
        }
        .joined()
    }

    /// A number of any width, often at the edge of one.
    mutating func number() -> UInt64 {
        let edges: [UInt64] = [0, 1, 63, 64, 16383, 16384, 1 << 30 - 1, 1 << 30, VarInt.maximum - 1, VarInt.maximum]
        if random.chance(0.4) { return edges.randomElement(using: &random) ?? 0 }
        return random.next() >> UInt64.random(in: 2...63, using: &random)
    }

    private mutating func positive() -> UInt64? {
        let value = number()
        return value == 0 ? nil : value
    }

    private mutating func expressible() -> UInt64? {
        let value = number()
        return value == VarInt.maximum ? nil : value
    }
}
