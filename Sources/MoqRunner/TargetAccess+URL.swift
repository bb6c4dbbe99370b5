import MoqBase
import MoqDial
import MoqDrivers
import MoqQUIC
import MoqTransport

extension TargetAccess {
    /// The access to a relay at a URL, and at further ones for other transports. Of an `http://` URL the fingerprint is
    /// fetched and pinned, unless the options say how the certificate is judged. Of the addresses that a host has, the
    /// one numbered `choice` is taken, or the last.
    init(
        _ url: RelayURL, _ options: RunOptions, address choice: Int = 0, keyLog: QUICKeyLog?, isCutShort: () -> Bool
    ) throws(RunnerError) {
        var trust = Self.trust(options)
        let addresses = try ([url] + options.furtherURLs).map { url throws(RunnerError) -> NetworkAddress in
            let all = try Self.addresses(of: url)
            return all[min(choice, all.count - 1)]
        }
        if url.scheme == .http, options.trust == .systemRoots {
            trust = .pinned([try Self.fingerprint(url, addresses[0], options, isCutShort)])
        }
        let credentials = try Self.credentials(trust)
        var routes: [Route] = []
        for (url, address) in zip([url] + options.furtherURLs, addresses) {
            routes.append(Route(url, address: address, credentials: credentials))
        }
        // What no URL names is looked for at the host and port of the first.
        for kind in TransportKind.allCases where !routes.contains(where: { $0.kind == kind }) {
            var route = Route(url, kind: kind, address: routes[0].address, credentials: credentials)
            route.isSecure = route.isSecure || options.protectsStreams
            routes.append(route)
        }
        self.init(
            routes: routes, raced: url.scheme.raced, keyLog: keyLog, connectTimeout: options.connectTimeout,
            patience: options.patience, nonce: ProcessClock.freshSeed(),
            tokens: TokenMint(key: options.tokenKey, usual: options.token, mintsForAll: options.tokenKey != nil))
        if case .pinned(let digits) = trust, digits.count == 1 { certificate = digits[0].lowercased() }
    }

    private static func trust(_ options: RunOptions) -> CertificateTrust {
        switch options.trust {
        case .systemRoots: .systemRoots
        case .roots(let files): .roots(files)
        case .fingerprints(let digits): .pinned(digits)
        case .insecure: .insecure
        }
    }

    private static func fingerprint(
        _ url: RelayURL, _ address: NetworkAddress, _ options: RunOptions, _ isCutShort: () -> Bool
    ) throws(RunnerError) -> String {
        let driver = try PreparedTarget.socketDriver()
        do {
            return try FingerprintFetch.fetch(
                from: Route.authority(of: url), at: address, on: driver, wait: options.connectTimeout,
                isCutShort: isCutShort)
        } catch {
            if case .unreachable(let why) = error { throw .unreachable(why) }
            throw .target(error.description)
        }
    }

    static func credentials(_ trust: CertificateTrust) throws(RunnerError) -> DialCredentials {
        do {
            return try DialCredentials(trust: trust)
        } catch {
            throw .target(error.description)
        }
    }

    /// Where the host of a URL may be: its first address of each family, in the system's order; never empty.
    static func addresses(of url: RelayURL) throws(RunnerError) -> [NetworkAddress] {
        let all: [NetworkAddress]
        do {
            all = try NetworkAddress.resolve(host: url.host, port: url.port)
        } catch {
            throw .target("\(url): \(error)")
        }
        guard let first = all.first else { throw .target("\(url.host) has no address") }
        func isOfVersion6(_ address: NetworkAddress) -> Bool {
            if case .v6 = address.host { true } else { false }
        }
        return [first] + all.filter { isOfVersion6($0) != isOfVersion6(first) }.prefix(1)
    }
}

extension RelayURL.Scheme {
    /// The transports that the reference client races for a URL, in the order in which they start.
    public var raced: [TransportKind] {
        switch self {
        case .https, .http: [.webtransport, .websocket]
        case .moqt, .moql: [.quic]
        case .ws, .wss: [.websocket]
        case .tcp, .tls: [.tcp]
        }
    }
}
