import MoqBase
import MoqTokens
import MoqWire

/// What a session gets, and until when.
struct PathAdmission: Hashable {
    /// Where it may do what.
    var grant: PathGrant
    /// When its token expires; nil for never.
    var expires: Instant?
}

/// Who gets which paths: those who bring a token get what it says, and all others what is open to anyone.
///
/// The rules are those of relays of the original stack (moq-relay 0.4): the token is the last query item `jwt` of the
/// request path; its root and the path lie on one line; what it allows is expressed relative to the path; a token is
/// refused where no key is known, and one that is no good is never taken for none.
struct TokenPolicy {
    private let key: JSONWebKey?
    private let publicPrefix: BroadcastPath?
    private let epoch: Duration
    private let fault: RelayFault?

    init(_ configuration: RelayConfiguration) {
        key = configuration.tokenKey
        publicPrefix = configuration.publicPrefix
        epoch = configuration.epoch
        fault = configuration.fault
    }

    /// What a session with a request path such as `/anon/x?jwt=...` gets at `now`; nil when it is refused.
    func admission(to request: String?, at now: Instant) -> PathAdmission? {
        guard let path = PathPolicy.requested(request) else { return nil }
        return admission(at: path, token: request.flatMap(RequestToken.token), now)
    }

    /// What one who asks for a path gets, with a token or without.
    func admission(at path: BroadcastPath, token: String?, _ now: Instant) -> PathAdmission? {
        guard let token, !token.isEmpty else {
            guard let publicPrefix else { return nil }
            if isBroken(by: .publicByBytes), path.text.hasPrefix(publicPrefix.text) {
                return PathAdmission(grant: PathGrant(root: path, allowed: [.empty]))
            }
            let depth = path.parts.count - publicPrefix.parts.count
            if isBroken(by: .aboveRefused), depth < 0 { return nil }
            if isBroken(by: .belowRefused), depth > 0 { return nil }
            return PathPolicy.grant(for: path, publicPrefix: publicPrefix).map { PathAdmission(grant: $0) }
        }
        let time = isBroken(by: .expiredTokenTaken) ? .zero : epoch + Instant.origin.duration(to: now)
        let verified = try? key?.verify(token, at: time)
        if verified == nil, isBroken(by: .badTokenAsNone) { return admission(at: path, token: nil, now) }
        guard let claims = verified,
            let permissions = try? claims.permissions(at: path.text),
            let publish = paths(permissions.publish), let subscribe = paths(permissions.subscribe)
        else { return nil }
        var expires = claims.expires.map { Instant.origin.advanced(by: .seconds($0) - epoch) }
        if isBroken(by: .expiredTokenTaken) { expires = nil }
        if isBroken(by: .tokenScopeIgnored) {
            return PathAdmission(grant: PathGrant(root: path, allowed: [.empty]), expires: expires)
        }
        if isBroken(by: .publishRightIgnored) {
            return PathAdmission(
                grant: PathGrant(root: path, publish: [.empty], subscribe: subscribe), expires: expires)
        }
        return PathAdmission(grant: PathGrant(root: path, publish: publish, subscribe: subscribe), expires: expires)
    }

    private func isBroken(by fault: @autoclosure () -> RelayFault) -> Bool {
        guard let own = self.fault else { return false }
        return own === fault()
    }

    /// Prefixes as paths; nil when one has more parts than a path may have.
    private func paths(_ prefixes: [String]) -> [BroadcastPath]? {
        let paths = prefixes.compactMap { try? BroadcastPath($0) }
        return paths.count == prefixes.count ? paths : nil
    }
}
