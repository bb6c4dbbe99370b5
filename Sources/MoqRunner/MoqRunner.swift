// The runner room: plays scenarios against a relay and says what happened.
//
// - `RunOptions`: what to run, against what, how. `Run` executes it and emits `RunEvent`s, the one stream from which
//   every report is made.
// - `Target`: the relay under test (embedded, at a URL, or started by a command) and what a probe found out about it.
// - `Worker`: one thread with one driver (sockets, or simulated time) that plays one case after another.
// - `CaseRun`: one case: actors, steps, always-on checks, settling, verdict.
// - `CaseDependencies`, `Ruling`, `KnownFailures`: which case waits for which, and what its findings amount to.
// - `SessionActor`: a session that speaks the protocol itself, as publisher and subscriber.
// - `ControlSession`: the harness's own session at the relay: barriers, proofs of life, what is still announced.
//
// A case is data that `CaseRun` steps through as events arrive: `driver.turn`, `advance`, until it is done. Nothing
// sleeps, and nothing here formats a report.
