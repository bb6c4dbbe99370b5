/// Whether one's own audio or video may leave.
public final class MoqomMute {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case free, held, resumable
    }

    /// Where it stands.
    public private(set) var state = State.free
    /// Whether it is muted by one's own will.
    public private(set) var isSelfMuted = false
    /// What it is about.
    public let medium: MoqomMedium
    private let user: String
    private let object: String
    private let port: ModelPort

    init(_ object: String, _ medium: MoqomMedium, of user: String, port: ModelPort) {
        self.object = object
        self.medium = medium
        self.user = user
        self.port = port
    }

    private func move(to next: State, by input: String) {
        port.step("moqom-mute", object, input, to: next.rawValue)
        state = next
    }

    /// `muteSelf`, `unmuteSelf`; whether it changed anything.
    func setSelfMuted(_ isMuted: Bool) -> Bool {
        move(to: state, by: isMuted ? "mute_self" : "unmute_self")
        guard isSelfMuted != isMuted else { return false }
        isSelfMuted = isMuted
        port.tell(
            object, "muteChanged",
            [.init("who", user), .init("kind", medium.rawValue), .init("mute", isMuted ? "self" : "none")])
        return true
    }

    /// A force-mute that is for this one; whether it changed anything.
    func force() -> Bool {
        guard state != .held else { return false }
        move(to: .held, by: "force")
        restricted(isResumable: false)
        return true
    }

    /// It is lifted; whether it changed anything.
    func lift() -> Bool {
        guard state == .held else { return false }
        move(to: .resumable, by: "lift")
        restricted(isResumable: true)
        return true
    }

    /// `resumeAfterForceMute()`.
    func resume() -> Bool {
        guard state == .resumable else { return false }
        move(to: .free, by: "resume")
        return true
    }

    /// Whether captured media leave.
    func send() -> Bool {
        port.step("moqom-mute", object, "send", to: state.rawValue)
        return state == .free && !isSelfMuted
    }

    private func restricted(isResumable: Bool) {
        port.tell(
            object, "captureRestricted",
            [.init("kind", medium.rawValue), .init("resumable", isResumable ? "true" : "false")])
    }
}
