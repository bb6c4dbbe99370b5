// The transport room: one small face for everything that carries moq-lite.
//
// A `TransportSession` is one connection to one peer: streams, datagrams, resets, stops and a close, whatever lies
// beneath: raw QUIC, WebTransport over HTTP/3, or Qmux over TCP or WebSocket. It does no I/O and keeps no clock: the
// machine that owns it is fed by a driver, and the owner then takes what happened with `poll()`. What runs over a byte
// stream is such a machine itself, and may lie within a `TLSStream`.
//
// Codes cross this face as the numbers of moq-lite. Which bits a binding puts on its wire for them, and the codes
// that it cannot map back, are the binding's business (`StreamCode`).
//
// A frame's way: driver -> QUIC, or TLS -> here -> session engine, and back.
