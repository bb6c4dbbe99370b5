// The QUIC room: connections and their streams over ngtcp2 (packets) and GnuTLS (TLS 1.3), without I/O.
//
// - `QUICEndpoint` is one `DatagramMachine`: it owns the connections of one socket, finds the connection a datagram
//   belongs to by connection ID, accepts new ones, and answers or drops what belongs to nobody.
// - `QUICConnection` is one connection: streams with back-pressure, datagrams, closes, and a queue of `QUICEvent`.
// - `ServerIdentity`, `CertificateTrust` and the credentials made of them say who one is and whom one trusts.
//
// The way in: datagram -> endpoint -> connection -> ngtcp2 -> callbacks -> stream buffers and events -> `poll()`.
// The way out: `write` -> stream buffer -> scheduler (priority, then turns) -> ngtcp2 -> packets -> `transmit`.
//
// Time comes in as `Instant`, chance from one `SeededRandom`; only TLS draws its own random numbers, so that a seed
// repeats sizes and order of packets, not their bytes. What differs between releases of ngtcp2 lives in CShim.
