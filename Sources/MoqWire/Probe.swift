/// PROBE: what the publisher measures of the path, repeated on the Probe stream that a subscriber opened. A subscriber
/// never sends one: it resets the stream at known publishers.
public struct Probe: WireMessage {
    public static let messageName = "PROBE"

    /// The estimated rate in bits a second; nil when unknown. A measured 0 is written as 1.
    public var bitrate: UInt64?
    /// The round trip in milliseconds; nil when unknown. A measured 0 is written as 1. 03 leaves it out.
    public var roundTrip: UInt64?

    /// A measurement.
    public init(bitrate: UInt64?, roundTrip: UInt64? = nil) {
        self.bitrate = bitrate
        self.roundTrip = roundTrip
    }

    public static func isDefined(in version: Version) -> Bool { version.hasProbe }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Probe {
        var body = BodyReader(raw.body, message: messageName)
        let bitrate = try body.varint("bitrate")
        let roundTrip = version.probeHasRoundTrip ? try body.varint("round trip") : 0
        try body.finish()
        return Probe(bitrate: bitrate == 0 ? nil : bitrate, roundTrip: roundTrip == 0 ? nil : roundTrip)
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.varint(bitrate.map { max($0, 1) } ?? 0, "bitrate")
        if version.probeHasRoundTrip { try body.varint(roundTrip.map { max($0, 1) } ?? 0, "round trip") }
        return RawMessage(body: body.bytes)
    }
}
