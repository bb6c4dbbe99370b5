// The events room: the one record of everything a run did and found.
//
// - `RunEvent` and its payloads: what can be said about a run, from `runStarted` to `runFinished`.
// - `EventCodec`, `EventReader`: the same as JSON Lines, one event a line (the grammar is docs/events.md).
// - `Verdict`, `Ledger`, `ExitStatus`: how cases end, how they are counted, and what the process says at the end.
// - `RunResults`: the pure fold of a stream into results; a stream that stops in the middle loses nothing that finished.
// - `Redaction`: no token leaves through an event, whichever door it takes.
//
// The runner makes events; files and reports take them. Nothing here knows how a result is shown, and no event
// carries a clock reading of its own: instants are given by whoever makes it.
