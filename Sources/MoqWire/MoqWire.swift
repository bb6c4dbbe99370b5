// The wire room: every moq-lite message as a value with `encode` and `decode`, and the error codes.
//
// - `Version` says with small capability checks what a version has; there is one type per message, not one per version.
// - `WireMessage` types (Setup, Announcement, Subscribe ...) turn into bytes and back; those that open a stream are
//   `StreamOpeningMessage` and can be written together with the stream's type.
// - `MessageDecoder` cuts a control stream into messages, `FrameDecoder` a group or fetch stream into frames, both
//   fed with whatever pieces arrive and never keeping more than their bounds (`WireLimits`).
// - `ErrorCondition` names why something failed; `CodeTable` knows which numbers two generations of relays use for it.
//
// Bytes flow: stream -> MessageDecoder -> Subscribe ... -> engine, and engine -> message.encode(version:) -> stream.
// This room knows no sessions and no streams, only what is written on them.
