// The lite room: the session engine of moq-lite 01 to 06 (and of 07 what is known), both roles at
// once, without I/O.
//
// - `LiteSession` speaks over one `TransportSession`. Its owner calls commands (subscribe, openGroup, announce ...),
//   calls `process(at:)` whenever the transport may have news, and takes `LiteEvent`s with `poll()`.
// - `Streams` holds one small state machine per kind of stream and side; each understands and writes the messages of
//   its stream and knows nothing of the others. `Session` holds the tables of them, by stream and by request, and
//   what is common: queues, bounds, violations, closes.
// - `Model` holds broadcasts, tracks and groups in memory for those who publish or pass on.
//
// A frame's way in: transport -> LiteStream -> FrameAssembler -> event `frame`; out: `writeFrame` -> transport.
// What a relay or a test makes of it all is not decided here.
