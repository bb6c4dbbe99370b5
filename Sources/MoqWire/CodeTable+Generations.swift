// The rows, each with where it is known from: "live" was seen on a socket, "source" was read, of the original stack.

extension CodeTable {
    /// Releases up to 0.3: one space, kept since December 2024 and added to. Seen live on 0.2.18 to 0.3.19.
    static let firstGeneration: [CodeEntry] = [
        row(.cancelled, 0, [.reset, .stop, .close], "live; also what a stream dropped without a reason gets"),
        row(.internalError, 0, [.reset, .stop], "live; there is no number of its own, it hides behind cancelled"),
        row(.noError, 0, [.close], "live; close in order"),
        row(.internalError, 1, [.close], "source; close after a failure of the connection"),
        row(.requiredExtension, 1, [], "source; nothing raises it"),
        row(.old, 2, [.reset, .stop], "live as reset; as stop until mid-2026 in source"),
        row(.deliveryTimeout, 3, [], "source; only cuts the body of the relay's HTTP fetch"),
        row(.transport, 4, [.reset], "live; also a reset whose number is outside the mapping"),
        row(.malformed, 5, [.reset, .stop, .close], "live; decode"),
        row(.unauthorized, 6, [.close], "live for 401 and 403, and for expiry in source"),
        row(.version, 9, [.reset, .close], "live as reset of FETCH through an upstream without it"),
        row(.unexpectedStream, 10, [.stop], "live; a unidirectional stream before SETUP"),
        row(.boundsExceeded, 11, [.reset], "live; running timestamp out of range"),
        row(.duplicate, 12, [.stop, .close], "live; same group twice, active twice on 03 and 04"),
        row(.notFound, 13, [.reset], "live; until June 2026 also for unroutable"),
        row(.wrongSize, 14, [.reset], "live; FIN inside a frame"),
        row(.protocolViolation, 15, [.reset, .close], "source; first answer on 04 that is not SUBSCRIBE_OK"),
        row(.unexpectedMessage, 16, [], "source; IETF versions only"),
        row(.unsupported, 17, [], "source; IETF versions only"),
        row(.unencodable, 18, [.reset], "source; a path over the limit when relaying"),
        row(.tooManyParameters, 19, [], "source; IETF versions only"),
        row(.invalidRole, 20, [], "source; nothing raises it"),
        row(.version, 21, [.close], "source; unknown protocol name at connect"),
        row(.dropped, 24, [.reset], "live; last source of a path gone, track dropped before its first group"),
        row(.closed, 25, [.stop], "live; a group at or past the end of its track. Never a reset to a subscriber"),
        row(.lagged, 26, [.reset], "live; a frame left the 32 MiB window of its group"),
        row(.frameTooLarge, 27, [.reset], "live; when an earlier frame of the group had gone out"),
        row(.timestamp, 29, [], "source; a local call only"),
        row(.unroutable, 30, [.reset], "live; since June 2026, 13 before"),
        row(.evicted, 31, [.reset], "live; cache budget exceeded"),
    ]

    /// Releases from 0.4 on, whatever version they speak. Seen live on 0.4.0, 0.4.9 and 0.4.18.
    static let secondGeneration: [CodeEntry] = [
        // Streams.
        stream(.internalError, 0x0, [.reset, .stop], "live"),
        stream(.dropped, 0x0, [.reset], "live; has no number of its own any more"),
        stream(.transport, 0x0, [.reset], "live; a reset whose number is outside the mapping"),
        stream(.duplicate, 0x0, [.stop], "live on 0.4.0; same group twice"),
        stream(.cancelled, 0x1, [.reset, .stop], "live"),
        stream(.closed, 0x1, [.stop], "live on 0.4.0; a group past the end of its track"),
        stream(.closed, 0x3, [.stop], "live on 0.4.9 and 0.4.18; a group past the end of its track"),
        stream(.malformed, 0x12, [.reset, .stop], "live; spare bytes in GROUP and behind ANNOUNCE_REQUEST"),
        stream(.malformed, 0x1, [.reset], "live; malformed requests"),
        stream(.boundsExceeded, 0x12, [.reset], "source; one name with malformed"),
        stream(.deliveryTimeout, 0x2, [.reset], "source"),
        stream(.sessionClosed, 0x3, [.reset, .stop], "live as stop"),
        stream(.protocolViolation, 0x3, [.reset, .stop], "source; a violation seen on a stream"),
        stream(.goingAway, 0x4, [.reset], "source"),
        stream(.lagged, 0x5, [.reset], "source; live only for a partial FETCH on 0.4.0 and 0.4.9"),
        stream(.controlTimeout, 0x31, [.reset], "source"),
        stream(.groupTooLarge, 0x32, [.reset], "live on 0.4.9 and 0.4.18; a group over 32 MiB"),
        stream(.notFound, 0x33, [.reset], "live"),
        stream(.old, 0x34, [.reset], "live once; a stalled reader"),
        stream(.evicted, 0x35, [.reset, .stop], "live once; to the reader as reset, to the publisher as stop"),
        stream(.unroutable, 0x36, [.reset], "live"),
        stream(.wrongSize, 0x37, [.reset], "decoded live by 0.4.18 when injected"),
        stream(.frameTooLarge, 0x38, [.reset], "decoded live by 0.4.18 when injected"),
        stream(.timestamp, 0x39, [.reset], "decoded live by 0.4.18 when injected"),
        stream(.notFetchable, 0x3A, [.reset], "source newer than 0.4.18"),
        stream(.unauthorized, 0x3B, [.reset], "source newer than 0.4.18"),
        stream(.unauthorized, 0x3A, [.reset], "older source; moved, uncertain"),
        // Sessions.
        session(.noError, 0x0, "live"),
        session(.cancelled, 0x0, "live; what 0 was in the first generation"),
        session(.goingAway, 0x0, "live; GOAWAY together with SETUP"),
        session(.internalError, 0x1, "live; Announce stream reset by the publisher"),
        session(.unauthorized, 0x2, "live for 401 and 403"),
        session(.protocolViolation, 0x3, "live; second SETUP, unknown announce id"),
        session(.malformed, 0x3, "live; malformed announcements"),
        session(.duplicate, 0x3, "live; repeated SETUP parameter"),
        session(.keyValueFormatting, 0x6, "source"),
        session(.tooManyRequests, 0x7, "source newer than 0.4.18"),
        session(.goawayTimeout, 0x10, "source"),
        session(.controlTimeout, 0x11, "source"),
        session(.version, 0x15, "source"),
    ]

    private static func row(
        _ condition: ErrorCondition, _ number: UInt64, _ signals: [CodeSignal], _ source: String
    ) -> CodeEntry {
        CodeEntry(condition: condition, number: number, signals: signals, isSessionCode: nil, source: source)
    }

    private static func stream(
        _ condition: ErrorCondition, _ number: UInt64, _ signals: [CodeSignal], _ source: String
    ) -> CodeEntry {
        CodeEntry(condition: condition, number: number, signals: signals, isSessionCode: false, source: source)
    }

    private static func session(_ condition: ErrorCondition, _ number: UInt64, _ source: String) -> CodeEntry {
        CodeEntry(condition: condition, number: number, signals: [.close], isSessionCode: true, source: source)
    }
}
