import Glibc

extension [UInt8] {
    /// Whether both have the same bytes in the same order: what `==` says, at the speed of memory, for payloads of
    /// megabytes.
    public func hasSameBytes(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { own in
            other.withUnsafeBytes { others in
                guard let first = own.baseAddress, let second = others.baseAddress else { return true }
                return memcmp(first, second, own.count) == 0
            }
        }
    }
}
