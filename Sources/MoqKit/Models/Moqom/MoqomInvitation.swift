import MoqBase

/// An invitation to the stage, or a request for it, as one of its two sides has it. Its issuer decides what became of it.
public final class MoqomInvitation {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case none, offered, accepted, declined, cancelled, expired
    }

    /// Where it stands.
    public private(set) var state = State.none
    /// The name of the other side; of a request the host who answered, or `hosts`.
    public internal(set) var with: String
    /// The entry that issued it, and its number there.
    let issuer: String
    let id: Int
    /// Whether this side issued it.
    public let isOwn: Bool
    /// The rights that it is about.
    public let offered: [MoqomGrant]
    /// When it is no longer open.
    let deadline: Instant
    /// Whether it asks for the stage.
    let isRequest: Bool
    /// Its name in traces.
    public let object: String
    private let port: ModelPort

    init(
        _ object: String, issuer: String, id: Int, isOwn: Bool, with: String, offered: [MoqomGrant],
        expiresAfter: Duration, asRequest: Bool, port: ModelPort
    ) {
        self.object = object
        self.issuer = issuer
        self.id = id
        self.isOwn = isOwn
        self.with = with
        self.offered = offered
        isRequest = asRequest
        self.port = port
        deadline = port.now.advanced(by: expiresAfter)
        move(to: .offered, by: asRequest ? "request" : "invite")
    }

    /// Whether it waits for an answer.
    public var isOpen: Bool { state == .offered }

    func move(to next: State, by input: String) {
        let before = state
        port.step("moqom-invitation", object, input, to: next.rawValue)
        state = next
        guard next != before else { return }
        port.tell(object, "stageChanged", [.init("invitation", next.rawValue), .init("who", with)])
    }

    /// What is asked of it comes too late.
    func refuse(_ input: String) -> MoqomError {
        port.step("moqom-invitation", object, input, to: state.rawValue, isRefused: true)
        return MoqomError(.notOpen, "the invitation is \(state.rawValue)")
    }

    /// Its issuer tells where it stands. What is over stays so.
    func issuerSays(_ next: State) {
        guard isOpen, next != .offered, next != .none else { return }
        let input =
            switch next {
            case .accepted: "accept"
            case .declined: "decline"
            case .cancelled: "cancel"
            case .expired, .none, .offered: "expire"
            }
        move(to: next, by: input)
    }
}
