// The report room: what people and CI systems read, each a pure function of a run's events.
//
// - `ConsoleReport`: event by event to lines of text; a tree while it runs, a summary at the end.
// - `JUnitReport`: results to the XML that Jenkins, GitLab and the GitHub reporters take (fixtures/junit.xsd).
// - `JSONReport`: results to one document for programs (docs/results.md).
// - `EventsReport`: the stream itself, line by line (docs/events.md).
// - `ReportRequest`: `KIND=PATH` as the command line gives it.
//
// Events go in (or `RunResults`, their fold), text comes out: nothing here measures, opens a file or asks a terminal.
// What a hostile relay put into a text reaches no terminal and no XML parser as anything but text (`Printable`).
