#pragma once
// The few names of ngtcp2 that differ between its releases (0.12 of Debian 12, 1.x of Debian 13), and what Swift
// cannot express: a thread-local variable. Everything else of ngtcp2 is called from Swift directly.
#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>

/// Which keys a callback is about.
#if NGTCP2_VERSION_NUM >= 0x010000
typedef ngtcp2_encryption_level shim_quic_level;
#else
typedef ngtcp2_crypto_level shim_quic_level;
#endif

/// Called with the plaintext of a 1-RTT packet (its frames) that was just decrypted.
typedef void (*shim_quic_observer)(void *context, const uint8_t *frames, size_t length);

/// A close that the peer sent, or that was sent for a library error.
typedef struct shim_quic_close {
    /// 1 for an application close, 0 for a close of the transport.
    int is_application;
    uint64_t code;
    /// Not terminated; lives as long as the connection. May be null.
    const uint8_t *reason;
    size_t reason_length;
} shim_quic_close;

/// Round trip (nanoseconds), congestion window and bytes in flight.
typedef struct shim_quic_path_state {
    uint64_t smoothed_rtt;
    uint64_t minimum_rtt;
    uint64_t congestion_window;
    uint64_t bytes_in_flight;
} shim_quic_path_state;

/// The library in use, such as "0.12.1".
const char *shim_quic_library_version(void);

/// Whether this release never closes a peer's unidirectional stream (ngtcp2 issue 662, fixed in 0.13).
int shim_quic_remote_uni_streams_never_close(void);

/// Whether keys are those of 1-RTT packets.
int shim_quic_is_application_level(shim_quic_level level);

/// The `decrypt` callback: decrypts, and shows the frames of 1-RTT packets to the observer of `shim_quic_read_packet`.
int shim_quic_decrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead, const ngtcp2_crypto_aead_ctx *aead_ctx,
                      const uint8_t *ciphertext, size_t ciphertextlen, const uint8_t *nonce, size_t noncelen,
                      const uint8_t *aad, size_t aadlen);

/// `ngtcp2_conn_read_pkt` with an observer for the packets within.
int shim_quic_read_packet(ngtcp2_conn *conn, const ngtcp2_path *path, const uint8_t *packet, size_t length,
                          ngtcp2_tstamp now, shim_quic_observer observer, void *context);

/// Congestion controllers: 0 CUBIC, 1 NewReno, 2 the newest BBR of the release.
ngtcp2_cc_algo shim_quic_congestion(int choice);

/// Sets the first destination connection ID of the client in a server's parameters.
void shim_quic_set_original_dcid(ngtcp2_transport_params *parameters, const ngtcp2_cid *dcid);

int shim_quic_reset_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code);
int shim_quic_stop_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code);

/// Writes an application close into `dest`; bytes written or a library error.
ngtcp2_ssize shim_quic_write_application_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, uint64_t code,
                                               const uint8_t *reason, size_t reason_length, ngtcp2_tstamp now);
/// Writes the close that belongs to a library error (with the TLS alert, if that was the reason).
ngtcp2_ssize shim_quic_write_error_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, int library_error,
                                         ngtcp2_tstamp now);
/// Writes a transport close with a TLS alert of our own choice.
ngtcp2_ssize shim_quic_write_alert_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, uint8_t alert,
                                         ngtcp2_tstamp now);
/// The transport code that `shim_quic_write_error_close` sends.
uint64_t shim_quic_code_of_error(ngtcp2_conn *conn, int library_error);
/// The close that the peer sent.
void shim_quic_received_close(ngtcp2_conn *conn, shim_quic_close *close);

void shim_quic_path(ngtcp2_conn *conn, shim_quic_path_state *state);
