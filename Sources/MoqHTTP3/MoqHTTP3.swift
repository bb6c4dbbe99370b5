// The room of HTTP/3 (RFC 9114) as far as WebTransport needs it.
//
// Bytes in, values out, and back: QPACK field sections (nghttp3, without dynamic table), the frames of control and
// request streams, SETTINGS in their several generations, capsules. It knows no QUIC connection: the binding in
// MoqTransport moves the bytes and keeps the streams.
