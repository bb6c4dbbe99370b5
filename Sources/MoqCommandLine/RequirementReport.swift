/// The report of `moqspec list --requirements`.
public enum RequirementReport {
    /// The path of `--report markdown=PATH`; nil when there is no such flag.
    public static func path(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let text = arguments.value(of: "report") else { return nil }
        guard arguments.has("requirements") else {
            throw UsageError(
                "--report \(text): only --requirements has a report here; those of runs are `moqspec run`'s")
        }
        let kind = "markdown="
        guard text.hasPrefix(kind), text.count > kind.count else {
            throw UsageError(
                "--report \(text): the report about requirements is markdown=PATH, such as markdown=docs/requirements.md"
            )
        }
        guard !arguments.has("json"), !arguments.has("filter") else {
            throw UsageError("--report markdown: the page has all requirements; leave out --json and --filter")
        }
        return String(text.dropFirst(kind.count))
    }
}
