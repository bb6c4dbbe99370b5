/// Whose behaviour a definition describes. Where the manual and running code differ both are profiles of their own, and
/// no check mixes them.
public enum MachineProfile: String, CaseIterable, Sendable {
    /// moq-kit on iOS, as its code behaves.
    case ios
    /// moq-kit on Android, as its code behaves.
    case android
    /// moq-kit on iOS, as its manual says.
    case iosDocumented = "ios-documented"
    /// moq-kit on Android, as its manual says.
    case androidDocumented = "android-documented"
    /// MoqomKit, as its public documentation says.
    case moqom

    /// A word of `only`: what it stands beside holds for the profiles that have all of the words there.
    public enum Word: String, CaseIterable, Sendable {
        /// A platform.
        case ios, android, moqom
        /// What code does, or what the manual says.
        case actual, documented
    }

    /// The words that this profile has.
    public var words: [Word] {
        switch self {
        case .ios: [.ios, .actual]
        case .android: [.android, .actual]
        case .iosDocumented: [.ios, .documented]
        case .androidDocumented: [.android, .documented]
        case .moqom: [.moqom, .documented]
        }
    }

    /// Whether it has all of these words.
    func has(_ only: [Word]) -> Bool { only.allSatisfy { words.contains($0) } }
}
