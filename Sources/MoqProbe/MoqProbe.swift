// The room of `moqspec probe`: asks one relay what it is, and disturbs it as little as that can be done.
//
// - `ProbeRequest`: which relay, over which ways (`ProbeWay`) and in which versions, and whom to trust.
// - `Visit`: one connection, from the dialling to the close in order: what was agreed on and what the relay said.
// - `RelayProbe`: one visit after another on a driver: for each way all versions at once, each alone, and all at once
//   in the opposite order; then what only a further visit can tell (the certificate, a session without its token).
// - `ProbeFindings`: what came of it, and what was not tried and why.
// - `ProbeTable`, `ProbeDocument`: the findings for people, and as JSON.
//
// Nothing is published, and of the whole probe one session subscribes once, to a broadcast that nobody announces.
