/// What token an actor brings to the relay.
public enum ActorToken: Equatable, Sendable {
    /// None, also where the run has one for all.
    case none
    /// A text that is no token.
    case nonsense
    /// One that is minted for it with the key of the relay.
    case minted(TokenDefinition)

    /// Whether the key of the relay must be known for it.
    public var needsKey: Bool {
        if case .minted = self { true } else { false }
    }
}

/// A token that is minted when its actor connects.
public struct TokenDefinition: Equatable, Sendable {
    /// Where a token allows something.
    public enum Grant: Equatable, Sendable {
        /// Everywhere: below the path of the case, or below `root` where there is one.
        case all
        /// Nowhere.
        case none
        /// Below these prefixes.
        case prefixes([String])
    }

    /// When it expires.
    public enum Expiry: Equatable, Sendable {
        /// This long after its actor connects, rounded up to a whole second of the clock.
        case after(Duration)
        /// This long ago.
        case before(Duration)
    }

    /// Who signs it.
    public enum Key: String, CaseIterable, Equatable, Sendable {
        /// The key that the relay verifies with.
        case right
        /// One that the relay does not know.
        case wrong
    }

    /// Which algorithm it says.
    public enum Algorithm: String, CaseIterable, Equatable, Sendable {
        /// That of the key.
        case right
        /// Another one.
        case wrong
        /// `none`, and no signature.
        case none
    }

    /// The root that it says, as it stands; nil for the request path of the session.
    public var root: String?
    /// Where its holder may publish.
    public var publish = Grant.all
    /// Where its holder may subscribe.
    public var subscribe = Grant.all
    /// When it expires; nil for never.
    public var expires: Expiry?
    /// Who signs it.
    public var key = Key.right
    /// Which algorithm it says.
    public var algorithm = Algorithm.right

    /// A token that allows everything, for ever.
    public init() {}
}
