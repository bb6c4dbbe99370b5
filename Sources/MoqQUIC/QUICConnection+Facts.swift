import CNgtcp2
import CShim
import MoqBase

/// What a connection knows of its path and its peer, for reports.
extension QUICConnection {
    /// What is measured of the path, once the handshake is complete.
    public var pathEstimate: QUICPathEstimate? {
        guard phase == .established, let handle else { return nil }
        var state = shim_quic_path_state()
        shim_quic_path(handle, &state)
        return QUICPathEstimate(
            roundTrip: .nanoseconds(Int64(clamping: state.smoothed_rtt)), congestionWindow: state.congestion_window,
            bytesInFlight: state.bytes_in_flight)
    }

    /// The peer's transport parameters, once the handshake is complete and until the close.
    public var peerParameters: QUICPeerParameters? {
        guard phase == .established, let handle, let peer = ngtcp2_conn_get_remote_transport_params(handle)
        else { return nil }
        let parameters = peer.pointee
        return QUICPeerParameters(
            maximumData: parameters.initial_max_data,
            maximumStreamDataUnidirectional: parameters.initial_max_stream_data_uni,
            maximumStreamDataBidirectionalLocal: parameters.initial_max_stream_data_bidi_local,
            maximumStreamDataBidirectionalRemote: parameters.initial_max_stream_data_bidi_remote,
            maximumStreamsUnidirectional: parameters.initial_max_streams_uni,
            maximumStreamsBidirectional: parameters.initial_max_streams_bidi,
            idleTimeout: .nanoseconds(Int64(clamping: parameters.max_idle_timeout)),
            maximumUDPPayload: parameters.max_udp_payload_size,
            maximumDatagramFrame: parameters.max_datagram_frame_size,
            activeConnectionIDs: parameters.active_connection_id_limit)
    }

    /// What TLS agreed on, once the handshake is complete and until the close.
    public var securityFacts: QUICSecurityFacts? {
        var facts = protectionFacts
        facts?.peerFingerprint = peerCertificate?.fingerprint
        return facts
    }

    /// The same without the fingerprint of the certificate, which takes longest to tell.
    public var protectionFacts: QUICSecurityFacts? {
        phase == .established ? tls?.facts : nil
    }

    /// What stands in the peer's leaf certificate, once the handshake is complete and until the close.
    ///
    /// Read once: it stays the same as long as the connection is established.
    public var peerCertificate: CertificateFacts? {
        guard phase == .established else { return nil }
        if let certificateRead { return certificateRead }
        certificateRead = tls?.peerCertificate.flatMap { CertificateFacts(der: $0) }
        return certificateRead
    }

    /// Whether packets came back from the peer's address that were QUIC.
    public var hasAnswered: Bool { hasHeard }

    /// The QUIC library in use, such as `ngtcp2 0.12.1`.
    public static var libraryVersion: String {
        "ngtcp2 \(shim_quic_library_version().map { String(cString: $0) } ?? "of unknown version")"
    }
}
