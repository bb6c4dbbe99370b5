// The conformance room: what was promised, held against what was seen.
//
// - `FrameContent`, `ContentLedger`: every frame a publishing actor writes says which case, track, group and frame it
//   is; what arrives is held against what was sent, so that a foreign, stale, doubled, torn or reordered frame is told
//   apart.
// - `SessionRecord` and its parts: all that one session actor has seen so far, as plain values.
// - `Judge`: an expectation of a scenario + a record -> pending, met, broken or not testable.
// - `AnnouncementModel`, `CatalogModel`: what publishers did and what watchers were told, in a case of any kind -> what
//   no legal order of the first explains of the second, and what does not agree at rest.
//
// Nothing here does I/O or knows the session engine: the runner translates the engine's events into records. The
// expected side is written from the specification, never from what our own relay does.
