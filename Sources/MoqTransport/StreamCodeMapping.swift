/// How raw QUIC and WebTransport put a stream code on the wire: into the range that HTTP/3 reserves for WebTransport
/// applications (draft-ietf-webtrans-http3 section 4.3). The Rust stacks do so on raw QUIC too, although there is no
/// HTTP/3 (observed, moq-ffi 0.2 to 0.4.18). Session closes are not mapped.
public enum StreamCodeMapping {
    /// What code 0 becomes.
    public static let first: UInt64 = 0x52E4_A40F_A8DB
    /// What code 2^32 - 1 becomes.
    public static let last: UInt64 = 0x52E5_AC98_3162

    /// The number on the wire. Codes above 2^32 - 1 lie outside the mapped range and are sent as they are, as is
    /// `.unmapped`.
    public static func wire(_ code: StreamCode) -> UInt64 {
        switch code {
        case .code(let number) where number <= UInt64(UInt32.max): first + number + number / 30
        case .code(let number): number
        case .unmapped(let raw): raw
        }
    }

    /// The code behind a number on the wire. Every 31st number of the range is a hole: HTTP/3 keeps those for itself.
    public static func code(_ wire: UInt64) -> StreamCode {
        guard (first...last).contains(wire) else { return .unmapped(raw: wire) }
        let distance = wire - first
        guard distance % 31 != 30 else { return .unmapped(raw: wire) }
        return .code(distance - distance / 31)
    }
}
