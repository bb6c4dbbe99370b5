import Testing

@testable import MoqScenario

@Suite struct ExampleTests {
    @Test func theErrorsFileLoadsWithoutAWord() throws {
        let result = load(ExampleFile.errors, path: "errors.yaml")
        #expect(DiagnosticRenderer.text(result.diagnostics) == "")
        let suite = try #require(result.suites.first)
        #expect(suite.cases.count == 12)
        #expect(suite.cases.first?.id == "errors.not-found.no-such-track[version=03]")
        let slow = try #require(suite.scenarios.last?.cases.last)
        #expect(slow.needs == ["group-budget"])
        #expect(slow.reached.first?.condition == .behind(actor: "slow", bytes: 32 << 20))
        guard case .expect(let last) = slow.steps.last?.kind, case .one(let expectation) = last.condition,
            case .track(let track) = expectation.kind
        else {
            Issue.record("the last step is no expectation about a track")
            return
        }
        #expect(track.reset == .oneOf([.condition("lagged"), .condition("old"), .condition("evicted")]))
        #expect(slow.steps.last?.location == SourceLocation(file: "errors.yaml", line: 47, column: 9))
    }

    private var onBoth: Vocabulary {
        var both = words
        both.transports = ["quic", "webtransport"]
        return both
    }

    @Test func theProducerDropFileLoadsOnBothOfItsTransports() throws {
        let result = load(ExampleFile.producerDrop, path: "producer-drop.yaml", vocabulary: onBoth)
        #expect(!result.hasErrors)
        #expect(result.diagnostics.map(\.message) == ["the actor `late` does nothing"])
        let cases = try #require(result.suites.first).cases
        #expect(cases.count == 12)
        let other = try #require(cases.first { $0.transport == "webtransport" })
        #expect(other.id == "producer-drop.abort-mid-group[version=03,transport=webtransport]")
        let lost = try #require(cases.last)
        guard case .expect(let unannounced) = lost.steps[5].kind, case .expect(let groups) = lost.steps[3].kind else {
            Issue.record("the steps are not what the file says")
            return
        }
        #expect(unannounced.within == .seconds(40))
        #expect(groups.within == .seconds(2))
        #expect(lost.timeout == .seconds(2 + 40 + 2) + .seconds(15))
    }

    @Test func theCatalogFileLoadsWithItsClientKits() throws {
        let result = load(ExampleFile.catalogChurn, path: "catalog-churn.yaml")
        #expect(DiagnosticRenderer.text(result.diagnostics) == "")
        let suite = try #require(result.suites.first)
        #expect(suite.scenarios.map(\.id) == ["catalog-churn.rendition-added-and-removed", "catalog-churn.storm"])
        let kits = try #require(suite.cases.first)
        #expect(kits.actors.map(\.profile) == [.ios, .ios])
        #expect(kits.actors[1].targetBuffering == .milliseconds(100))
        guard case .client("studio", let call) = kits.steps[0].kind, case .startCapture(let capture) = call.action
        else {
            Issue.record("the first step is no capture")
            return
        }
        #expect(capture.video == .file("fixtures/media/bars-h264-aac.mp4"))
        #expect(capture.loops)
        let storm = try #require(suite.cases.last)
        #expect(storm.network?.loss == 0.02)
        #expect(storm.seed == 7)
        guard case .repeat(let repeated) = storm.steps[2].kind else {
            Issue.record("there is no repeat")
            return
        }
        #expect(repeated.times == 300)
        guard case .session("studio", .catalog(let first)) = try repeated.steps(round: 0)[0].kind,
            case .session("studio", .catalog(let last)) = try repeated.steps(round: 299)[0].kind
        else {
            Issue.record("the repeat does not write a catalog")
            return
        }
        var document = CatalogDocument()
        #expect(document.apply(first.changes) == #"{"video":{"renditions":{"v0":{"codec":"avc1.64001f"}}}}"#)
        #expect(document.apply(last.changes) == #"{"video":{"renditions":{"v299":{"codec":"avc1.64001f"}}}}"#)
    }
}
