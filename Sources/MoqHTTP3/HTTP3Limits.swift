/// The bounds on what a peer can make this side keep.
public enum HTTP3Limits {
    /// Encoded bytes of one field section. A CONNECT with a long token and all names of moq takes some 3 KiB.
    public static let encodedFieldSection = 16 << 10
    /// Fields of one section.
    public static let fields = 128
    /// Decoded size of a section as RFC 9114 section 4.2.2 counts it: name, value and 32 bytes a field. Announced as
    /// SETTINGS_MAX_FIELD_SECTION_SIZE.
    public static let fieldSection = 64 << 10
    /// Entries of a SETTINGS frame; peers send about ten.
    public static let settings = 64
    /// Bytes of a SETTINGS frame: the most that 64 entries can take.
    public static let settingsPayload = 64 * 16
    /// Bytes of GOAWAY, MAX_PUSH_ID and CANCEL_PUSH: one number of at most 8 bytes.
    public static let numberPayload = 8
    /// Bytes of the reason in a close capsule (draft-ietf-webtrans-http3 section 6).
    public static let closeReason = 1024
    /// Names in a list of protocols.
    public static let protocols = 64
    /// Bytes of one such name.
    public static let protocolName = 256
}
