// Between the client kits' models and what they play.
//
// The models of MoqKit know nothing of JSON, containers and codecs: they are given functions for these. Here these
// functions are, made of MoqHang and MoqMedia:
//
//   bytes of catalog.json ── CatalogSnapshot.read ──> what the kit lists
//   bytes of a track      ── RenditionUnpacker ─────> frames of media
//   frames of media       ── RenditionDecoder ──────> faults to the player; pictures and sound to whoever checks them
//   what is shown, heard  ── Sightings ──────────> what somebody in front of it notices, by the marks of the fixtures
