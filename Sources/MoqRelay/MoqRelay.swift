// The relay room: a whole moq-lite relay without I/O, for `--relay embedded` and for `moqspec relay`.
//
// - `EmbeddedRelay` (a `DatagramMachine`): a QUIC endpoint, one `LiteSession` a connection, and the core. It looks only
//   at sessions to which something happened.
// - `RelayCore`: the one origin that all sessions share. Announcements go in as `AnnouncedSource`s of a path and out
//   to `Watcher`s; requests for a track end in one `RelayTrack`, which keeps one upstream subscription and a bounded
//   cache, whatever the number of viewers.
// - `EmbeddedRelay.makeStream`: one machine a TCP connection, `RelayStream`: TLS, HTTP/1.1, WebSocket or Qmux.
// - `RelayFault`: what can be wrong on purpose, between the sessions and the core, in how either is set up, or at one
//   place of the code (docs/faults.md).
// - `RelayHTTP` (a `ByteStreamMachine`): fingerprint, list of broadcasts, fetch over HTTP/1.1.
//
// A frame's way: publisher's session -> `Upstream` -> `TrackStore` -> one `SubscriptionFeed` a viewer -> its session.
// Decisions are small functions of their arguments (`RoutePolicy`, `PathPolicy`, `TokenPolicy`, `DemandPolicy`, `RelayPolicy`), so
// that a faulty relay differs from the right one in one place.
