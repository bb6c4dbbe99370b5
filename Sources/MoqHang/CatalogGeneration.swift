/// The shapes in which catalogs have been deployed, oldest first.
public enum CatalogGeneration: String, CaseIterable, Hashable, Sendable {
    /// From 2025-06: sections are lists of `{track: {name, priority}, config}`; `displayRatio*`; no container.
    case lists = "2025-06"
    /// From 2025-10-16: a map of renditions; the priority in the section; no container.
    case maps = "2025-10"
    /// From 2025-12: the container as a word (`legacy`, `raw`, `fmp4`); `minBuffer`.
    case containerWords = "2025-12"
    /// From 2026-01-27 (0.12): the container as an object, `cmaf` with `timescale` and `trackId`; `minBuffer`.
    case containerObjects = "2026-01"
    /// From 2026-02-04 (0.13): `jitter`; no priority.
    case jitter = "2026-02"
    /// From 2026-05-05 (0.16): `cmaf` with `init`; `loc` from 0.17.
    case initialisations = "2026-05"
    /// From 2026-07-02 (0.20.0): `displayAspect*`, `timeline`, `broadcast`, `stalled`.
    case current = "2026-07"
}
