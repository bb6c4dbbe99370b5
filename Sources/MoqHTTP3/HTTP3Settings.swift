import MoqBase

/// The settings of one side of an HTTP/3 connection (RFC 9114 section 7.2.4), in the order of the wire.
public struct HTTP3Settings: Hashable, Sendable {
    /// The number of a setting.
    public enum Identifier {
        /// QPACK's dynamic table, in bytes (RFC 9204).
        public static let qpackMaximumTableCapacity: UInt64 = 0x01
        /// The largest field section that is taken (RFC 9114).
        public static let maximumFieldSectionSize: UInt64 = 0x06
        /// Streams that QPACK may block (RFC 9204).
        public static let qpackBlockedStreams: UInt64 = 0x07
        /// Extended CONNECT (RFC 9220).
        public static let enableConnectProtocol: UInt64 = 0x08
        /// HTTP datagrams (RFC 9297).
        public static let datagram: UInt64 = 0x33
        /// HTTP datagrams, as drafts of RFC 9297 numbered it.
        public static let datagramDraft: UInt64 = 0xFFD277
        /// WebTransport in draft 02.
        public static let enableWebTransport: UInt64 = 0x2B60_3742
        /// Sessions in one connection, in the drafts that followed 02.
        public static let webTransportMaximumSessionsDraft: UInt64 = 0x2B60_3743
        /// Sessions in one connection, in drafts 07 to 12.
        public static let webTransportMaximumSessions: UInt64 = 0xC671_706A
        /// Sessions in one connection, in drafts 13 and 14.
        public static let webTransportMaximumSessionsLate: UInt64 = 0x14E9_CD29
        /// WebTransport in drafts from 15 on.
        public static let webTransportEnabled: UInt64 = 0x2C7C_F000

        /// Any of which, above 0, says that its sender takes WebTransport sessions.
        static let webTransport = [
            enableWebTransport, webTransportMaximumSessionsDraft, webTransportMaximumSessions,
            webTransportMaximumSessionsLate, webTransportEnabled,
        ]
        /// Those of HTTP/2 that HTTP/3 forbids (RFC 9114 section 7.2.4.1).
        static let forbidden: [UInt64] = [0x00, 0x02, 0x03, 0x04, 0x05]
        /// Those whose value is 0 or 1.
        static let switches = [enableConnectProtocol, datagram, datagramDraft]
    }

    /// One setting.
    public struct Entry: Hashable, Sendable {
        /// Its number.
        public var identifier: UInt64
        /// Its value.
        public var value: UInt64

        /// A setting of its parts.
        public init(_ identifier: UInt64, _ value: UInt64) {
            self.identifier = identifier
            self.value = value
        }
    }

    /// What was set.
    public var entries: [Entry]

    /// Settings of their entries.
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// What both ends of moqspec announce: one WebTransport session, in the generations that moq-ffi 0.2 to 0.4.18
    /// announce too, and no QPACK table.
    public static let webTransport = HTTP3Settings([
        Entry(Identifier.maximumFieldSectionSize, UInt64(HTTP3Limits.fieldSection)),
        Entry(Identifier.enableConnectProtocol, 1),
        Entry(Identifier.datagram, 1),
        Entry(Identifier.datagramDraft, 1),
        Entry(Identifier.enableWebTransport, 1),
        Entry(Identifier.webTransportMaximumSessionsDraft, 1),
        Entry(Identifier.webTransportMaximumSessions, 1),
    ])

    /// Reads the payload of a SETTINGS frame.
    ///
    /// Throws H3_FRAME_ERROR when an entry is cut short, H3_SETTINGS_ERROR for an identifier that repeats or is
    /// forbidden and for a switch that is neither 0 nor 1, and H3_EXCESSIVE_LOAD for too many.
    public init(payload: [UInt8]) throws(HTTP3Error) {
        var reader = ByteReader(payload)
        entries = []
        while !reader.isAtEnd {
            let entry: Entry
            do {
                entry = Entry(try reader.varint(), try reader.varint())
            } catch {
                throw HTTP3Error(.frameError, "a setting is cut short")
            }
            let name = "0x\(String(entry.identifier, radix: 16))"
            if Identifier.forbidden.contains(entry.identifier) {
                throw HTTP3Error(.settingsError, "setting \(name) belongs to HTTP/2")
            }
            if entries.contains(where: { $0.identifier == entry.identifier }) {
                throw HTTP3Error(.settingsError, "setting \(name) is there twice")
            }
            if Identifier.switches.contains(entry.identifier), entry.value > 1 {
                throw HTTP3Error(.settingsError, "setting \(name) is \(entry.value), which is neither 0 nor 1")
            }
            guard entries.count < HTTP3Limits.settings else {
                throw HTTP3Error(.excessiveLoad, "more than \(HTTP3Limits.settings) settings")
            }
            entries.append(entry)
        }
    }

    /// The payload of a SETTINGS frame.
    public var payload: [UInt8] {
        var writer = ByteWriter()
        for entry in entries {
            writer.varint(entry.identifier)
            writer.varint(entry.value)
        }
        return writer.bytes
    }

    /// The value of a setting, or nil where none was sent.
    public subscript(identifier: UInt64) -> UInt64? {
        entries.first { $0.identifier == identifier }?.value
    }

    /// The settings by their numbers.
    public var values: [UInt64: UInt64] {
        // Identifiers do not repeat: the reader refuses that.
        Dictionary(entries.map { ($0.identifier, $0.value) }) { first, _ in first }
    }

    /// Whether the sender takes extended CONNECT requests.
    public var allowsExtendedConnect: Bool { self[Identifier.enableConnectProtocol] == 1 }

    /// Whether the sender takes WebTransport sessions, by the settings of any generation.
    public var allowsWebTransport: Bool {
        Identifier.webTransport.contains { self[$0] ?? 0 > 0 }
    }

    /// Whether the sender takes HTTP datagrams.
    public var allowsDatagrams: Bool { self[Identifier.datagram] == 1 || self[Identifier.datagramDraft] == 1 }
}
