// The room of TLS over byte streams, by OpenSSL.
//
// `TLSStream` wraps one `ByteStreamMachine` in TLS and is one itself: encrypted bytes on the outside, plain ones on the
// inside, without I/O. Identities and the judgement of certificates are those of the QUIC room.
