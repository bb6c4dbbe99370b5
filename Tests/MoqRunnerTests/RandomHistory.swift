import MoqBase

/// A short random history of publishers and watchers, as a scenario: what they do side by side, and nothing that says
/// what anybody must see. That is the models' to say.
struct RandomHistory {
    private var random: SeededRandom
    private let number: Int

    private static let paths = ["game", "game/inner", "talk"]
    private static let versions = ["moq-lite-03", "moq-lite-04", "moq-lite-05", "moq-lite-06"]
    private static let catalog = "catalog.json"
    /// What each of the actors does.
    private static let deeds = 3...9

    init(_ number: Int) {
        self.number = number
        random = SeededRandom(seed: UInt64(number)).forked("history")
    }

    /// How packets travel: in order, out of it, and not all of them.
    private static let links = [
        "{ delay: 5ms }", "{ delay: 10ms, loss: 5% }", "{ delay: 30ms, jitter: 20ms, reorder: 5% }",
    ]

    /// The scenario. Without a version of its own its number chooses one.
    mutating func scenario(version: String? = nil) -> String {
        let link = pick(Self.links)
        let branches = ["north", "south", "west"].map { publisher($0) } + [watcher("viewer"), watcher("scout")]
        return """
            - id: tested.history-\(number)
              title: Random history \(number)
              requirements: [test.one]
              matrix: { version: [\(version ?? Self.versions[number % Self.versions.count])] }
              network: \(link)
              actors:
                north: session
                south: session
                west: { kind: session, announce: none }
                viewer: session
                scout: { kind: session, announce: game }
                relay: relay
              steps:
                - parallel:
            \(branches.map(Self.branch).joined(separator: "\n"))
                - relay.expect: { serves: true }
            """
    }

    private static func branch(_ steps: [String]) -> String {
        steps.enumerated().map { "        \($0.offset == 0 ? "- - " : "  - ")\($0.element)" }.joined(separator: "\n")
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    private mutating func count() -> Int {
        Self.deeds.lowerBound + Int(random.next() % UInt64(Self.deeds.count))
    }

    /// What a publisher does: it knows what it publishes and whether it is connected.
    private mutating func publisher(_ name: String) -> [String] {
        var steps = ["\(name).connect: {}"]
        var published: [String] = []
        var isConnected = true
        for deed in 0..<count() {
            guard isConnected else {
                steps.append("\(name).connect: {}")
                isConnected = true
                continue
            }
            switch random.next() % 10 {
            case 0...3:
                let free = Self.paths.filter { !published.contains($0) }
                guard !free.isEmpty else { continue }
                let path = pick(free)
                published.append(path)
                steps.append("\(name).publish: { broadcast: \(path), tracks: [\(Self.catalog)] }")
            case 4...5 where !published.isEmpty:
                let path = pick(published)
                published.removeAll { $0 == path }
                steps.append("\(name).unpublish: { broadcast: \(path) }")
            case 6 where !published.isEmpty:
                steps.append("\(name).reannounce: { broadcast: \(pick(published)) }")
            case 7 where !published.isEmpty:
                let rendition = "\(name)\(deed): { codec: avc1 }"
                steps.append("\(name).catalog: { broadcast: \(pick(published)), video: { \(rendition) } }")
            case 8:
                published = []
                isConnected = false
                steps.append("\(name).close: {}")
            case 9:
                published = []
                isConnected = false
                steps.append("\(name).vanish: {}")
            default: break
            }
        }
        return steps
    }

    private mutating func watcher(_ name: String) -> [String] {
        var steps = ["\(name).connect: {}"]
        for deed in 0..<count() {
            switch random.next() % 4 {
            case 0: steps.append("\(name).announcements: { prefix: \(pick(Self.paths)) }")
            case 1:
                let path = pick(Self.paths)
                steps.append("\(name).subscribe: { broadcast: \(path), track: \(Self.catalog), as: s\(deed) }")
            case 2: steps += ["\(name).close: {}", "\(name).connect: {}"]
            default: steps.append("\(name).announcements: { prefix: \"\" }")
            }
        }
        return steps
    }
}
