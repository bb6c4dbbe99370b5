import Testing

@testable import MoqScenario

/// Compares the whole text of the findings, and shows both when they differ.
func expectText(
    _ expected: String, of result: LoadResult, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    let text = DiagnosticRenderer.text(result.diagnostics)
    #expect(text == expected, "\nthe author gets\n\(text)", sourceLocation: sourceLocation)
}
