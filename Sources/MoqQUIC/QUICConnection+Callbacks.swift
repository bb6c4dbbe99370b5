import CNgtcp2
import CShim

/// The connection behind ngtcp2's user data, which is always set.
private func connection(_ user: UnsafeMutableRawPointer?) -> QUICConnection? {
    user.map { Unmanaged<QUICConnection>.fromOpaque($0).takeUnretainedValue() }
}

/// How ngtcp2 calls back. None of these may write packets; all of them return at once.
extension QUICConnection {
    static func callbacks(for role: QUICRole) -> ngtcp2_callbacks {
        var callbacks = ngtcp2_callbacks()
        switch role {
        case .client:
            callbacks.client_initial = ngtcp2_crypto_client_initial_cb
            callbacks.recv_retry = ngtcp2_crypto_recv_retry_cb
        case .server:
            callbacks.recv_client_initial = ngtcp2_crypto_recv_client_initial_cb
        }
        callbacks.recv_crypto_data = ngtcp2_crypto_recv_crypto_data_cb
        callbacks.encrypt = ngtcp2_crypto_encrypt_cb
        callbacks.decrypt = shim_quic_decrypt
        callbacks.hp_mask = ngtcp2_crypto_hp_mask_cb
        callbacks.update_key = ngtcp2_crypto_update_key_cb
        callbacks.delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb
        callbacks.delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb
        callbacks.version_negotiation = ngtcp2_crypto_version_negotiation_cb
        addChance(to: &callbacks)
        addConnectionEvents(to: &callbacks)
        addStreamEvents(to: &callbacks)
        return callbacks
    }

    private static func addChance(to callbacks: inout ngtcp2_callbacks) {
        callbacks.rand = { destination, count, context in
            guard let destination, let connection = connection(context?.pointee.native_handle) else { return }
            connection.fill(UnsafeMutableBufferPointer(start: destination, count: count))
        }
        callbacks.get_path_challenge_data = { _, data, user in
            guard let data, let connection = connection(user) else { return NGTCP2_ERR_CALLBACK_FAILURE }
            connection.fill(UnsafeMutableBufferPointer(start: data, count: Int(NGTCP2_PATH_CHALLENGE_DATALEN)))
            return 0
        }
        callbacks.get_new_connection_id = { _, identifier, token, _, user in
            guard let identifier, let token, let connection = connection(user),
                let issued = connection.issueIdentifier(token: token)
            else { return NGTCP2_ERR_CALLBACK_FAILURE }
            identifier.pointee = issued.library
            return 0
        }
        callbacks.remove_connection_id = { _, identifier, user in
            if let identifier, let connection = connection(user) {
                connection.withdrawIdentifier(ConnectionID(identifier.pointee))
            }
            return 0
        }
    }

    private static func addConnectionEvents(to callbacks: inout ngtcp2_callbacks) {
        callbacks.handshake_completed = { _, user in
            connection(user)?.handshakeCompleted()
            return 0
        }
        callbacks.recv_tx_key = { _, level, user in
            if let connection = connection(user), connection.role == .server, shim_quic_is_application_level(level) != 0
            {
                connection.hasEarlySendKeys = true
            }
            return 0
        }
        callbacks.recv_stateless_reset = { _, _, user in
            connection(user)?.wasResetStatelessly = true
            return 0
        }
        callbacks.recv_datagram = { _, _, data, count, user in
            guard let connection = connection(user),
                connection.unpolledDatagrams < QUICConnection.maximumUnpolledDatagrams
            else { return 0 }
            connection.unpolledDatagrams += 1
            connection.report(.datagram(Array(UnsafeBufferPointer(start: data, count: count))))
            return 0
        }
        callbacks.extend_max_local_streams_bidi = { _, _, user in
            connection(user)?.streamLimitGrew(.bidirectional)
            return 0
        }
        callbacks.extend_max_local_streams_uni = { _, _, user in
            connection(user)?.streamLimitGrew(.unidirectional)
            return 0
        }
    }

    private static func addStreamEvents(to callbacks: inout ngtcp2_callbacks) {
        callbacks.stream_open = { _, stream, user in
            connection(user)?.streamWasOpened(stream)
            return 0
        }
        callbacks.recv_stream_data = { _, flags, stream, _, data, count, user, _ in
            connection(user)?.streamReceived(
                stream, UnsafeBufferPointer(start: data, count: count),
                isEnd: flags & UInt32(NGTCP2_STREAM_DATA_FLAG_FIN) != 0)
            return 0
        }
        callbacks.stream_reset = { _, stream, _, code, user, mark in
            connection(user)?.streamWasReset(stream, code: code, mark: StreamMark(mark))
            return 0
        }
        callbacks.acked_stream_data_offset = { _, stream, offset, count, user, _ in
            connection(user)?.streamWasAcknowledged(stream, upTo: offset, count: count)
            return 0
        }
        callbacks.stream_close = { _, _, stream, _, user, _ in
            connection(user)?.streamWasForgotten(stream)
            return 0
        }
        callbacks.extend_max_stream_data = { _, stream, _, user, _ in
            connection(user)?.streamWindowGrew(stream)
            return 0
        }
    }

    private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        var position = 0
        while position < buffer.count {
            var word = random.next()
            for _ in 0..<min(8, buffer.count - position) {
                buffer[position] = UInt8(truncatingIfNeeded: word)
                word >>= 8
                position += 1
            }
        }
    }

    /// Takes a fresh connection ID into use and computes its stateless reset token.
    func issueIdentifier(token: UnsafeMutablePointer<UInt8>) -> ConnectionID? {
        guard let endpoint else { return nil }
        let identifier = endpoint.claimIdentifier(for: self)
        identifiers.append(identifier)
        return endpoint.resetToken(for: identifier, into: token) ? identifier : nil
    }

    private func withdrawIdentifier(_ identifier: ConnectionID) {
        identifiers.removeAll { $0 == identifier }
        endpoint?.releaseIdentifier(identifier)
    }
}
