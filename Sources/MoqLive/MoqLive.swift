// A media file published, and a broadcast watched: what `moqspec publish` and `moqspec watch` drive.
//
//   MediaFile ── FilePublisher ── LiteSession ── Connection ── Driver ── relay
//   relay ── Driver ── Connection ── LiteSession ── ViewerLink ── SessionModel, PlayerModel ── BroadcastWatcher ── events
//
// Publisher and watcher take events and the instant, and give events and a deadline, so both run over sockets and in
// simulated time alike. `LiveDial` makes their session, and `LiveSession` is one: the crank is its owner's to turn.
