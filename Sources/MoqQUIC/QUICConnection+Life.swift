import CNgtcp2
import CShim
import MoqBase

/// From the first packet to the last.
extension QUICConnection {
    /// TLS alert 120: no application protocol in common (RFC 7301).
    private static let noApplicationProtocol: UInt8 = 120

    /// Makes the client's connection.
    func startClient(_ configuration: QUICClientConfiguration, at time: UInt64) throws(QUICError) {
        latest = time
        let destination = ConnectionID(word: random.next())
        guard let source = endpoint?.claimIdentifier(for: self) else { return }
        identifiers.append(source)
        var parameters = transportParameters()
        var settings = librarySettings(at: time)
        var callbacks = Self.callbacks(for: .client)
        var destinationID = destination.library
        var sourceID = source.library
        var handle: OpaquePointer?
        let result = ngtcp2_conn_client_new_versioned(
            &handle, &destinationID, &sourceID, path.pointer, UInt32(NGTCP2_PROTO_VER_V1), NGTCP2_CALLBACKS_VERSION,
            &callbacks, NGTCP2_SETTINGS_VERSION, &settings, NGTCP2_TRANSPORT_PARAMS_VERSION, &parameters, nil,
            Unmanaged.passUnretained(self).toOpaque())
        guard result == 0, let handle else { throw .tls(Self.words(result)) }
        try adopt(handle) { () throws(QUICError) in try TLSSession(client: configuration, of: self) }
    }

    /// Makes the server's connection for a client's first packet.
    func startServer(_ configuration: QUICServerConfiguration, first: ngtcp2_pkt_hd, at time: UInt64)
        throws(QUICError)
    {
        latest = time
        var parameters = transportParameters()
        let isTokenMade = withUnsafeMutableBytes(of: &parameters.stateless_reset_token) { token in
            token.baseAddress.flatMap { issueIdentifier(token: $0.assumingMemoryBound(to: UInt8.self)) }
        }
        guard let source = isTokenMade else { throw .tls("no reset token") }
        parameters.stateless_reset_token_present = 1
        var destinationID = first.scid
        var originalID = first.dcid
        shim_quic_set_original_dcid(&parameters, &originalID)
        identifiers.append(ConnectionID(originalID))
        endpoint?.register(ConnectionID(originalID), for: self)
        var settings = librarySettings(at: time)
        var callbacks = Self.callbacks(for: .server)
        var sourceID = source.library
        var handle: OpaquePointer?
        let result = ngtcp2_conn_server_new_versioned(
            &handle, &destinationID, &sourceID, path.pointer, first.version, NGTCP2_CALLBACKS_VERSION, &callbacks,
            NGTCP2_SETTINGS_VERSION, &settings, NGTCP2_TRANSPORT_PARAMS_VERSION, &parameters, nil,
            Unmanaged.passUnretained(self).toOpaque())
        guard result == 0, let handle else { throw .tls(Self.words(result)) }
        try adopt(handle) { () throws(QUICError) in try TLSSession(server: configuration, of: self) }
    }

    private func adopt(_ handle: OpaquePointer, makeSession: () throws(QUICError) -> TLSSession) throws(QUICError) {
        self.handle = handle
        let session = try makeSession()
        tls = session
        ngtcp2_conn_set_tls_native_handle(handle, UnsafeMutableRawPointer(session.handle))
        if let keepAlive = settings.keepAlive {
            ngtcp2_conn_set_keep_alive_timeout(handle, Self.nanoseconds(keepAlive))
        }
        phase = .handshaking
    }

    private func transportParameters() -> ngtcp2_transport_params {
        var parameters = ngtcp2_transport_params()
        ngtcp2_transport_params_default_versioned(NGTCP2_TRANSPORT_PARAMS_VERSION, &parameters)
        parameters.initial_max_data = settings.connectionWindow
        parameters.initial_max_stream_data_bidi_local = settings.streamWindow
        parameters.initial_max_stream_data_bidi_remote = settings.streamWindow
        parameters.initial_max_stream_data_uni = settings.streamWindow
        parameters.initial_max_streams_bidi = settings.maximumStreamsBidirectional
        parameters.initial_max_streams_uni = settings.maximumStreamsUnidirectional
        parameters.max_idle_timeout = Self.nanoseconds(settings.idleTimeout)
        parameters.max_datagram_frame_size = settings.maximumDatagramFrame
        // An address that changes is not followed: see `QUICEndpoint`.
        parameters.disable_active_migration = 1
        // Two: every ID that a peer issues costs memory, and nobody migrates.
        parameters.active_connection_id_limit = 2
        return parameters
    }

    private func librarySettings(at time: UInt64) -> ngtcp2_settings {
        var result = ngtcp2_settings()
        ngtcp2_settings_default_versioned(NGTCP2_SETTINGS_VERSION, &result)
        result.initial_ts = time
        result.initial_rtt = Self.nanoseconds(settings.initialRoundTrip)
        result.handshake_timeout = Self.nanoseconds(settings.handshakeTimeout)
        result.cc_algo = shim_quic_congestion(settings.congestionControl.rawValue)
        result.max_tx_udp_payload_size = max(settings.maximumUDPPayload, Int(NGTCP2_MAX_UDP_PAYLOAD_SIZE))
        result.no_tx_udp_payload_size_shaping = assumesMTU ? 1 : 0
        result.no_pmtud = assumesMTU ? 1 : 0
        result.rand_ctx.native_handle = Unmanaged.passUnretained(self).toOpaque()
        return result
    }

    func handshakeCompleted() {
        phase = .established
        negotiatedProtocol = tls?.negotiatedProtocol
        // Without a protocol the connection ends in `afterReading`.
        if negotiatedProtocol != nil { report(.established) }
    }

    // MARK: Reading and time

    /// Takes one datagram that arrived.
    func feed(_ datagram: UnsafeBufferPointer<UInt8>, at now: UInt64) {
        guard phase == .handshaking || phase == .established, let handle, let bytes = datagram.baseAddress else {
            return
        }
        latest = max(latest, now)
        let result = shim_quic_read_packet(
            handle, path.pointer, bytes, datagram.count, latest,
            { context, frames, count in
                guard let context else { return }
                let connection = Unmanaged<QUICConnection>.fromOpaque(context).takeUnretainedValue()
                FrameWalk.stops(in: UnsafeBufferPointer(start: frames, count: count)) { connection.stops.append($0) }
            }, Unmanaged.passUnretained(self).toOpaque())
        afterReading(result)
        markDirty()
    }

    private func afterReading(_ result: Int32) {
        guard result == 0 else {
            stops.removeAll()
            return fail(result)
        }
        hasHeard = true
        if phase == .established, negotiatedProtocol == nil {
            return conclude(
                QUICClose(
                    initiator: .local, cause: .transport(code: 0x100 + UInt64(Self.noApplicationProtocol)),
                    reason: "the peer agreed to no application protocol"),
                farewell: .alert(Self.noApplicationProtocol))
        }
        if !stops.isEmpty { takeStops() }
        if phase == .handshaking, hasEarlySendKeys { beginEarlyStream() }
    }

    /// Begins the stream that goes out with the server's first flight.
    private func beginEarlyStream() {
        guard earlyStream == nil, case .server(let configuration) = side, !configuration.earlyStreams.isEmpty,
            let name = tls?.negotiatedProtocol, let bytes = configuration.earlyStreams[name],
            let id = openStream(.unidirectional)
        else { return }
        earlyStream = id
        setPriority(.control, of: id)
        write(bytes, to: id)
    }

    /// Lets time-driven work happen.
    func expire(at now: UInt64) {
        guard phase == .handshaking || phase == .established, let handle else { return }
        latest = max(latest, now)
        if let delayedClose, delayedClose.due <= latest {
            return close(code: delayedClose.code, reason: delayedClose.reason)
        }
        let result = ngtcp2_conn_handle_expiry(handle, latest)
        if result != 0 { fail(result) }
        markDirty()
    }

    /// Ends the connection for a library error.
    func fail(_ error: Int32) {
        guard phase != .closing, let handle else { return }
        switch error {
        case NGTCP2_ERR_DRAINING:
            conclude(peersClose(handle), farewell: nil)
        case NGTCP2_ERR_IDLE_CLOSE:
            let words = "nothing was heard from \(remoteAddress) for the idle timeout"
            conclude(QUICClose(initiator: .local, cause: .idleTimeout, reason: words), farewell: nil)
        case NGTCP2_ERR_HANDSHAKE_TIMEOUT:
            let words = "\(remoteAddress) did not complete the handshake within \(settings.handshakeTimeout)"
            conclude(QUICClose(initiator: .local, cause: .handshakeTimeout, reason: words), farewell: nil)
        case NGTCP2_ERR_DROP_CONN, NGTCP2_ERR_RETRY, NGTCP2_ERR_CLOSING:
            conclude(QUICClose(initiator: .local, cause: .lost, reason: Self.words(error)), farewell: nil)
        default:
            let cause: QUICClose.Cause
            let words: String
            if let refusal = tls?.refusal {
                cause = .certificateRefused(refusal)
                words = refusal.description
            } else {
                let code = shim_quic_code_of_error(handle, error)
                cause = .transport(code: code)
                words = TLSAlert.words(transportCode: code) ?? Self.words(error)
            }
            conclude(QUICClose(initiator: .local, cause: cause, reason: words), farewell: .error(error))
        }
    }

    private func peersClose(_ handle: OpaquePointer) -> QUICClose {
        if wasResetStatelessly {
            return QUICClose(
                initiator: .peer, cause: .lost, reason: "the peer no longer knows the connection (stateless reset)")
        }
        var received = shim_quic_close()
        shim_quic_received_close(handle, &received)
        let phrase = UnsafeBufferPointer(start: received.reason, count: received.reason_length)
        let reason = String(decoding: phrase, as: UTF8.self)
        if received.is_application != 0 {
            return QUICClose(initiator: .peer, cause: .application(code: received.code), reason: reason)
        }
        let words = reason.isEmpty ? TLSAlert.words(transportCode: received.code) ?? "" : reason
        return QUICClose(initiator: .peer, cause: .transport(code: received.code), reason: words)
    }

    // MARK: The end

    /// Reports the end; `farewell` is what the last packet says, if one is sent.
    func conclude(_ close: QUICClose, farewell: FarewellPacket?) {
        guard phase != .closing else { return }
        phase = .closing
        closed = close
        self.farewell = handle == nil ? nil : farewell
        schedule.removeAll()
        datagrams.removeAll()
        carriedPacket = nil
        expiry = nil
        report(.closed(close))
        markDirty()
    }

    /// Writes the last packet, if there is one to write.
    func writeFarewell(into buffer: UnsafeMutableBufferPointer<UInt8>, at now: UInt64) -> Int {
        guard let handle, let farewell else { return 0 }
        self.farewell = nil
        latest = max(latest, now)
        let size = min(buffer.count, max(settings.maximumUDPPayload, Int(NGTCP2_MAX_UDP_PAYLOAD_SIZE)))
        let written =
            switch farewell {
            case .application(let code, let reason):
                shim_quic_write_application_close(
                    handle, buffer.baseAddress, size, code, reason, reason.count, latest)
            case .error(let error): shim_quic_write_error_close(handle, buffer.baseAddress, size, error, latest)
            case .alert(let alert): shim_quic_write_alert_close(handle, buffer.baseAddress, size, alert, latest)
            }
        return max(Int(written), 0)
    }

    /// How long packets of the peer may still be under way: three probe timeouts (RFC 9000 section 10.2).
    var lingerTime: UInt64 {
        handle.map { 3 * ngtcp2_conn_get_pto($0) } ?? 0
    }

    /// Gives back what ngtcp2 and GnuTLS hold.
    func dispose() {
        if let handle { ngtcp2_conn_del(handle) }
        handle = nil
        tls = nil
        // Only now does nothing point into the chunks any more. The order in which they return does not matter.
        for stream in streams.values { stream.send.releaseAll(to: pool) }
        if closed?.initiator == .local { streams = [:] }
    }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        UInt64(max(0, duration.wholeNanoseconds))
    }

    static func words(_ error: Int32) -> String {
        ngtcp2_strerror(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
