// The MoqKit room: the client objects of moq-kit and MoqomKit as machines, and the traces of such objects.
//
// How data flows through it:
//   fixtures/machines/*.yaml -> MachineReader -> MachineSource (every part with its place) -> MachineCheck (lint)
//   -> MachineDefinition: one machine under one profile, `only` resolved -> Machine: a running instance that takes
//   inputs and says what they lead to. It is pure: no clock, and the same inputs always give the same transitions.
//   a trace (JSON Lines) -> TraceReader -> TraceAcceptor, which holds each object against its machine
//   what ran -> TransitionCoverage, which transitions of which machine were taken
//
// The definitions are part of the program (BuiltIn, made from fixtures/machines), so that it can be run anywhere.
