/// Gives a file's packets one after the other, once or for ever, on one clock.
public struct MediaReader: Sendable {
    /// The file.
    public let file: MediaFile
    /// Whether it begins anew at the end.
    public let isLooping: Bool
    /// How often the end was passed.
    public private(set) var lap = 0
    private var index = 0
    private let isWanted: [Bool]

    private static let endOfClock = Int64.max / 4

    /// Reads from the beginning.
    ///
    /// - Parameters:
    ///   - tracks: the tracks that are wanted, as indices into those of the file; nil for all.
    ///   - isLooping: whether the packets begin anew after the last, at times that go on: the first packet of a lap
    ///     comes when the longest track of the one before it has ended, so that sound and pictures stay together.
    public init(_ file: MediaFile, tracks: Set<Int>? = nil, isLooping: Bool = false) {
        self.file = file
        isWanted = file.tracks.indices.map { tracks?.contains($0) ?? true }
        self.isLooping = isLooping && isWanted.contains(true) && file.duration > 0
    }

    /// The next packet in the order of decoding; nil at the end.
    public mutating func next() -> MediaPacket? {
        while true {
            guard index < file.packets.count else {
                // A file that claims to last for centuries reaches the end of the clock.
                guard isLooping, lap < Int(Self.endOfClock / file.duration) else { return nil }
                index = 0
                lap += 1
                continue
            }
            defer { index += 1 }
            guard isWanted[file.packets[index].track] else { continue }
            return shifted(file.packets[index])
        }
    }

    /// What `next` will give, without passing it.
    public func peek() -> MediaPacket? {
        var copy = self
        return copy.next()
    }

    private func shifted(_ packet: MediaPacket) -> MediaPacket {
        var packet = packet
        let offset = file.duration * Int64(lap)
        packet.presentation += offset
        packet.decode += offset
        return packet
    }
}
