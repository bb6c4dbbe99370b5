/// The file that `moqspec new` makes: a scenario that lints and passes, with a word about each part.
public struct ScenarioTemplate {
    private let suite: String

    /// A template for a file; its suite is named as the file is.
    public init(path: String) throws(UsageError) {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard [".yaml", ".yml"].contains(where: name.hasSuffix) else {
            throw UsageError("\(path): the name of a file of scenarios ends in .yaml")
        }
        let stem = name.prefix { $0 != "." }.lowercased()
        let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        guard let first = words.first?.first, first.isLetter else {
            throw UsageError("\(path): the name of the file is that of the suite, which begins with a letter")
        }
        suite = words.joined(separator: "-")
    }

    /// The file.
    public var text: String {
        """
        # The name of the suite; the ids of its scenarios begin with it.
        suite: \(suite)
        about: What these scenarios are about, in a sentence.

        # What holds for all of them. A matrix makes a case of every combination: versions (`all`, `05..`, a list),
        # transports (quic, webtransport, websocket, tcp), and variables of your own, which steps use as ${name}.
        defaults:
          within: 5s
          matrix: { version: all, transport: [quic] }

        scenarios:
          - id: \(suite).first-group
            title: A viewer gets the group that is written after it came
            # What has to hold for this to pass: ids of the registry (moqspec list --requirements), or of one of your own, a
            # folder `requirements` beside this file.
            requirements: [subscribe.live]
            actors:
              camera: session
              viewer: session
            steps:
              # One actor, one verb. Each step is over when what it asked for is there, so nothing has to sleep.
              - camera.publish: { broadcast: game, tracks: [video] }
              - viewer.expect: { announced: game }
              - viewer.subscribe: { broadcast: game, track: video }
              - camera.write: { track: video, groups: 1, frames: 3 }
              # What has to happen, within the time of `within`.
              - viewer.expect: { track: video, groups: [0], frames: 3 }
              # What must not happen for a while.
              - viewer.never: { unannounced: game, for: 200ms }

        """
    }
}
