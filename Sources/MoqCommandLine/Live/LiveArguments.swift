import MoqEvents
import MoqRunner
import MoqTransport
import MoqWire

/// The relay of `moqspec publish` and `moqspec watch`, and how it is met.
public struct LiveArguments: Sendable {
    /// The relay.
    public var url: RelayURL
    /// What carries the session, where the URL does not say it; several are raced.
    public var kinds: [TransportKind]
    /// The versions that are offered, the newest first.
    public var versions: [Version]
    /// How its certificate is judged.
    public var trust: TargetTrust
    /// The token of the session; nil for what the URL has.
    public var token: String?
    /// How long connecting may take, where that is said.
    public var connectTimeout: Duration?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let text = arguments.value(of: "relay") ?? RelayArguments.usualURL
        do {
            url = try RelayURL(text)
        } catch .noScheme {
            throw UsageError("--relay \(Redaction.text(text)): it is a URL such as moqt://localhost:4443/anon")
        } catch {
            throw UsageError("--relay: \(error)")
        }
        kinds =
            switch try arguments.transports(of: "transport") {
            case .usual: []
            case .race: url.scheme.raced
            case .some(let kinds) where kinds.count == 1: kinds
            case .some:
                throw UsageError(
                    "--transport: a session has one; name it, or let `auto` race WebTransport and WebSocket")
            }
        versions = try (arguments.versions(of: "moq-version") ?? Version.byPreference).sorted(by: >)
        trust = try RunArguments.trust(arguments)
        token = try TokenArguments(arguments).token
        connectTimeout = try arguments.duration(of: "connect-timeout")
    }

    /// A path of a broadcast, as a flag names it.
    static func path(_ text: String, flag: String) throws(UsageError) -> BroadcastPath {
        do {
            return try BroadcastPath(text)
        } catch {
            throw UsageError("--\(flag) \(text): \(error)")
        }
    }
}

extension CommandDescription {
    /// Where the relay is, and how it is met.
    static let liveRelayFlags =
        [
            Flag("relay", "URL", help: "The relay (default \(RelayArguments.usualURL))."),
            Flag(
                "transport", "NAME|auto",
                help: "What carries the session, where the URL's scheme does not say it: \(transportNames); auto races "
                    + "WebTransport and WebSocket."),
            Flag(
                "moq-version", "LIST",
                help: "The versions that are offered, such as 06,05 (default all that are frozen; there are "
                    + "\(versionNames))."),
        ] + trustFlags + [
            Flag("token", "TOKEN", help: "The token of the session (?jwt=)."),
            Flag("token-file", "FILE", help: "The same, read from a file, so that no list of processes shows it."),
            Flag("connect-timeout", "DURATION", help: "How long connecting may take (default 5s)."),
        ]
}
