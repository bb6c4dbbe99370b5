/// The few ASN.1 values (X.690, DER) in which OpenSSL takes the numbers of a key.
enum DER {
    /// A value of a tag.
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        value(0x30, parts.flatMap(\.self))
    }

    /// A number that is not negative, given big-endian.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return value(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
    }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

    static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

    /// The names of ECDSA keys and of the curves (RFC 5480, 2.1).
    static let ellipticKey: [UInt8] = value(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    static let p256: [UInt8] = value(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    static let p384: [UInt8] = value(0x06, [0x2B, 0x81, 0x04, 0x00, 0x22])
}
