// The room of what a broadcast says of itself and how its media is packed: hang catalogs, their tracks, containers.
//
// A catalog track's frames go into `CatalogTrack` (plain, or compressed by group: `GroupInflater`), which merges
// snapshots and deltas (`JSONMergePatch`) and has `CatalogReader` make a `Catalog` of the newest document. A publisher
// goes the other way: `Catalog`, `CatalogWriter`, `CatalogTrackWriter`, frames. The `Container` of a rendition makes a
// `ContainerDecoder` and a `ContainerEncoder`, between frames on the wire and `MediaFrame`. `TimelineTrack` and
// `MSFCatalog` are what else a broadcast carries about itself.
//
// Sources: draft-lcurley-moq-hang, and the original stack (moq-dev/moq) as its releases write and read; where the two
// differ the wire decides, and docs/catalogs.md says so. Nothing here knows sessions, sockets or clocks.
