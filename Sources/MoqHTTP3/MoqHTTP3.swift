// The room of HTTP/3 (RFC 9114) as far as WebTransport needs it.
//
// Bytes in, values out, and back; no QUIC connection, no clock, no I/O. The binding in MoqTransport moves the bytes and
// keeps the streams.
//
// - `QPACKEncoder`, `QPACKDecoder`: field sections (nghttp3, without dynamic table) behind safe types.
// - `HTTPField`, `HTTP3Request`, `HTTP3Response`, `StructuredStrings`: what the fields mean.
// - `HTTP3FrameReader` under `ControlStreamReader` and `RequestStreamReader`: the frames of a stream, and their order.
// - `HTTP3Settings`: SETTINGS in the several generations of WebTransport drafts.
// - `CapsuleReader`, `Capsule`: what DATA frames of the CONNECT stream carry. `StreamPrefix`: how WebTransport streams
//   begin.
//
// Whatever a peer can make grow has its bound in `HTTP3Limits`; whatever it does wrong is an `HTTP3Error` with the code
// to close with.
