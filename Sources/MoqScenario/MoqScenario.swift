// The MoqScenario room: the YAML language in which testers write scenarios. It reads and checks; it runs nothing.
//
// How data flows through it:
//   text of the files -> YAMLDocument (libyaml) -> YAMLNode tree, every key and value with its place
//   -> matrix: one tree per combination of version, transport and other variables, `${name}` filled in
//   -> SuiteLoader -> ScenarioCase: actors, steps and expectations as typed values, for the interpreter
// Whatever is wrong on the way becomes a Diagnostic with its place, the offending line and the nearest valid word;
// all mistakes of all files are collected in one go. `DiagnosticRenderer` is the one place that turns them into text.
//   files of the registry -> RequirementReader -> RequirementRegistry (Requirements/): what scenarios name by id
//   a list of known failures -> KnownFailureReader -> KnownFailure (Known/)
//
// What the words of other rooms are (versions, capabilities, conditions, requirement ids) comes in as a Vocabulary.
// The language is described for authors in docs/scenario-language.md.
