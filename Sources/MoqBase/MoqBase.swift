// The base room: what every other room counts with.
//
// - `Instant`: nanoseconds on whichever clock the driver owns; nothing here reads one.
// - `VarInt`, `ByteReader`, `ByteWriter`: QUIC's variable-length integers and bounded byte cursors.
// - `SeededRandom`: the only source of chance; always handed in, never global.
// - `NetworkAddress`, `DatagramMachine`, `ByteStreamMachine`: the seam between what thinks and what does I/O.
//   A machine takes bytes and the instant, and gives bytes and its next deadline; a driver turns the crank.
//
// Nothing in this room knows a protocol above the varint, opens a socket, reads a clock or draws from the system's
// random numbers.
