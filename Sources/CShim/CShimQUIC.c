#include "CShimQUIC.h"

static _Thread_local shim_quic_observer current_observer;
static _Thread_local void *current_context;

const char *shim_quic_library_version(void) { return ngtcp2_version(0)->version_str; }

int shim_quic_remote_uni_streams_never_close(void) { return ngtcp2_version(0)->version_num < 0x000d00; }

int shim_quic_decrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead, const ngtcp2_crypto_aead_ctx *aead_ctx,
                      const uint8_t *ciphertext, size_t ciphertextlen, const uint8_t *nonce, size_t noncelen,
                      const uint8_t *aad, size_t aadlen) {
    int rv = ngtcp2_crypto_decrypt_cb(dest, aead, aead_ctx, ciphertext, ciphertextlen, nonce, noncelen, aad, aadlen);
    if (rv == 0 && current_observer && aadlen > 0 && (aad[0] & 0x80) == 0 && ciphertextlen > aead->max_overhead) {
        current_observer(current_context, dest, ciphertextlen - aead->max_overhead);
    }
    return rv;
}

int shim_quic_read_packet(ngtcp2_conn *conn, const ngtcp2_path *path, const uint8_t *packet, size_t length,
                          ngtcp2_tstamp now, shim_quic_observer observer, void *context) {
    current_observer = observer;
    current_context = context;
    int rv = ngtcp2_conn_read_pkt(conn, path, 0, packet, length, now);
    current_observer = 0;
    current_context = 0;
    return rv;
}

void shim_quic_set_original_dcid(ngtcp2_transport_params *parameters, const ngtcp2_cid *dcid) {
    parameters->original_dcid = *dcid;
#if NGTCP2_VERSION_NUM >= 0x010000
    parameters->original_dcid_present = 1;
#endif
}

#if NGTCP2_VERSION_NUM >= 0x010000

int shim_quic_is_application_level(shim_quic_level level) { return level == NGTCP2_ENCRYPTION_LEVEL_1RTT; }

ngtcp2_cc_algo shim_quic_congestion(int choice) {
    return choice == 2 ? NGTCP2_CC_ALGO_BBR : choice == 1 ? NGTCP2_CC_ALGO_RENO : NGTCP2_CC_ALGO_CUBIC;
}

int shim_quic_reset_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code) {
    return ngtcp2_conn_shutdown_stream_write(conn, 0, stream, code);
}

int shim_quic_stop_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code) {
    return ngtcp2_conn_shutdown_stream_read(conn, 0, stream, code);
}

static ngtcp2_ssize write_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, const ngtcp2_ccerr *error,
                                ngtcp2_tstamp now) {
    return ngtcp2_conn_write_connection_close(conn, 0, 0, dest, capacity, error, now);
}

ngtcp2_ssize shim_quic_write_application_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, uint64_t code,
                                               const uint8_t *reason, size_t reason_length, ngtcp2_tstamp now) {
    ngtcp2_ccerr error;
    ngtcp2_ccerr_default(&error);
    ngtcp2_ccerr_set_application_error(&error, code, reason, reason_length);
    return write_close(conn, dest, capacity, &error, now);
}

static void error_of(ngtcp2_conn *conn, int library_error, ngtcp2_ccerr *error) {
    ngtcp2_ccerr_default(error);
    uint8_t alert = ngtcp2_conn_get_tls_alert(conn);
    if (alert) {
        ngtcp2_ccerr_set_tls_alert(error, alert, 0, 0);
    } else {
        ngtcp2_ccerr_set_liberr(error, library_error, 0, 0);
    }
}

ngtcp2_ssize shim_quic_write_error_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, int library_error,
                                         ngtcp2_tstamp now) {
    ngtcp2_ccerr error;
    error_of(conn, library_error, &error);
    return write_close(conn, dest, capacity, &error, now);
}

ngtcp2_ssize shim_quic_write_alert_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, uint8_t alert,
                                         ngtcp2_tstamp now) {
    ngtcp2_ccerr error;
    ngtcp2_ccerr_default(&error);
    ngtcp2_ccerr_set_tls_alert(&error, alert, 0, 0);
    return write_close(conn, dest, capacity, &error, now);
}

uint64_t shim_quic_code_of_error(ngtcp2_conn *conn, int library_error) {
    ngtcp2_ccerr error;
    error_of(conn, library_error, &error);
    return error.error_code;
}

void shim_quic_received_close(ngtcp2_conn *conn, shim_quic_close *close) {
    const ngtcp2_ccerr *error = ngtcp2_conn_get_ccerr(conn);
    close->is_application = error->type == NGTCP2_CCERR_TYPE_APPLICATION;
    close->code = error->error_code;
    close->reason = error->reason;
    close->reason_length = error->reasonlen;
}

void shim_quic_path(ngtcp2_conn *conn, shim_quic_path_state *state) {
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info(conn, &info);
    state->smoothed_rtt = info.smoothed_rtt;
    state->minimum_rtt = info.min_rtt;
    state->congestion_window = info.cwnd;
    state->bytes_in_flight = info.bytes_in_flight;
}

#else

int shim_quic_is_application_level(shim_quic_level level) { return level == NGTCP2_CRYPTO_LEVEL_APPLICATION; }

ngtcp2_cc_algo shim_quic_congestion(int choice) {
    return choice == 2 ? NGTCP2_CC_ALGO_BBR2 : choice == 1 ? NGTCP2_CC_ALGO_RENO : NGTCP2_CC_ALGO_CUBIC;
}

int shim_quic_reset_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code) {
    return ngtcp2_conn_shutdown_stream_write(conn, stream, code);
}

int shim_quic_stop_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code) {
    return ngtcp2_conn_shutdown_stream_read(conn, stream, code);
}

static ngtcp2_ssize write_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity,
                                const ngtcp2_connection_close_error *error, ngtcp2_tstamp now) {
    return ngtcp2_conn_write_connection_close(conn, 0, 0, dest, capacity, error, now);
}

ngtcp2_ssize shim_quic_write_application_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, uint64_t code,
                                               const uint8_t *reason, size_t reason_length, ngtcp2_tstamp now) {
    ngtcp2_connection_close_error error;
    ngtcp2_connection_close_error_default(&error);
    ngtcp2_connection_close_error_set_application_error(&error, code, reason, reason_length);
    return write_close(conn, dest, capacity, &error, now);
}

static void error_of(ngtcp2_conn *conn, int library_error, ngtcp2_connection_close_error *error) {
    ngtcp2_connection_close_error_default(error);
    uint8_t alert = ngtcp2_conn_get_tls_alert(conn);
    if (alert) {
        ngtcp2_connection_close_error_set_transport_error_tls_alert(error, alert, 0, 0);
    } else {
        ngtcp2_connection_close_error_set_transport_error_liberr(error, library_error, 0, 0);
    }
}

ngtcp2_ssize shim_quic_write_error_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, int library_error,
                                         ngtcp2_tstamp now) {
    ngtcp2_connection_close_error error;
    error_of(conn, library_error, &error);
    return write_close(conn, dest, capacity, &error, now);
}

ngtcp2_ssize shim_quic_write_alert_close(ngtcp2_conn *conn, uint8_t *dest, size_t capacity, uint8_t alert,
                                         ngtcp2_tstamp now) {
    ngtcp2_connection_close_error error;
    ngtcp2_connection_close_error_default(&error);
    ngtcp2_connection_close_error_set_transport_error_tls_alert(&error, alert, 0, 0);
    return write_close(conn, dest, capacity, &error, now);
}

uint64_t shim_quic_code_of_error(ngtcp2_conn *conn, int library_error) {
    ngtcp2_connection_close_error error;
    error_of(conn, library_error, &error);
    return error.error_code;
}

void shim_quic_received_close(ngtcp2_conn *conn, shim_quic_close *close) {
    ngtcp2_connection_close_error error;
    ngtcp2_conn_get_connection_close_error(conn, &error);
    close->is_application = error.type == NGTCP2_CONNECTION_CLOSE_ERROR_CODE_TYPE_APPLICATION;
    close->code = error.error_code;
    close->reason = error.reason;
    close->reason_length = error.reasonlen;
}

void shim_quic_path(ngtcp2_conn *conn, shim_quic_path_state *state) {
    ngtcp2_conn_stat stat;
    ngtcp2_conn_get_conn_stat(conn, &stat);
    state->smoothed_rtt = stat.smoothed_rtt;
    state->minimum_rtt = stat.min_rtt;
    state->congestion_window = stat.cwnd;
    state->bytes_in_flight = stat.bytes_in_flight;
}

#endif
