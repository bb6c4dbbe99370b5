// The command line room: what the words of a command line mean. The executable `moqspec` only wires it up.
//
// - `Invocation`: the words -> which command, with its `ParsedArguments` (by `FlagParser`), or a `UsageError`.
// - `CommandDescription`: each command with its flags, from which parser, help (`HelpText`) and suggestions are made.
// - `RunArguments`, `RelayArguments`: flags as typed values, checked before anything runs.
// - `ScenarioFiles`, `LoadedScenarios`: paths -> files -> checked suites, or all of their diagnostics.
// - `RequirementFiles`, `RequirementListing`, `RequirementPage`, `Explanation`: the registry that stands beside the
//   scenarios, as a table, JSON, the page in docs, and one id at a time.
// - `KnownFailureList`: the file of `--known`, held against the cases of a run.
// - `Coverage` and what stands beside it: results of runs -> requirements held, broken, not reached.
// - `CaseSelection`, `CasePattern`: which cases a run has. `SuiteListing`: what `list` prints.
// - `RunOutput`, `ReportFiles`, `OutputFile`: events of a run -> console and files, written as they come.
//
// Nothing here reads a clock, draws a random number or speaks to a relay.
