/// Which instance of a publisher is meant (07): 16 bytes that grow with time (a UUID of version 7). None: the publisher
/// names no instance.
public struct Epoch: Hashable, Sendable {
    /// The bytes, 16 of them.
    public let bytes: [UInt8]

    /// Nil for anything but 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    /// How many bytes an epoch has.
    public static let count = 16
}

extension BodyReader {
    /// An epoch where the version has one; none is an empty list of bytes.
    mutating func epoch(version: Version) throws(WireError) -> Epoch? {
        guard version.hasEpochs else { return nil }
        let bytes = try counted("epoch")
        guard bytes.isEmpty || bytes.count == Epoch.count else {
            throw .illegal(field("epoch length"), value: UInt64(bytes.count), rule: "0 or \(Epoch.count)")
        }
        return Epoch(bytes)
    }
}

extension BodyWriter {
    /// An epoch; throws when there is one and the version has no field for it.
    mutating func epoch(_ epoch: Epoch?, version: Version) throws(WireError) {
        if version.hasEpochs {
            counted(epoch?.bytes ?? [])
        } else if epoch != nil {
            throw .notInVersion(field("epoch"), version)
        }
    }
}
