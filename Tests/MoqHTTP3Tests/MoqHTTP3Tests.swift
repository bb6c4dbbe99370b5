// The tests of MoqHTTP3: what is written and read, byte by byte. What a peer can do wrong is in the malformed tables of
// the WebTransport session, which closes with the codes.
