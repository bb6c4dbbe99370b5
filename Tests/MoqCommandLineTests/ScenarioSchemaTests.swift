import Foundation
import MoqScenario
import Testing

@testable import MoqCommandLine

/// The JSON Schema of scenarios, which nobody writes by hand, against scenarios.
@Suite struct ScenarioSchemaTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let schema = ScenarioSchema().bytes()

    private func node(_ text: String, _ path: String = "test.yaml") throws -> YAMLNode {
        let file = YAMLFile(ScenarioFile(path: path, bytes: Array(text.utf8)), form: "scenarios")
        return try #require(file.root)
    }

    @Test func everyScenarioOfTheTreeIsValid() throws {
        let validator = try SchemaValidator(Self.schema)
        let files = try ScenarioFiles.read([Self.root.appending(path: "scenarios").path]).filter {
            !$0.path.contains("/requirements/")
        }
        #expect(files.count > 60)
        for file in files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            let problem = validator.problem(in: try node(text, file.path))
            #expect(problem == nil, "\(file.path): \(problem ?? "")")
        }
    }

    /// A suite of one scenario with these steps.
    private func suite(_ steps: String, actors: String = "couch: player, studio: publisher, camera: session") -> String
    {
        """
        suite: a
        about: About.
        x-anchors: &free { anything: [1, { goes: true }] }
        scenarios:
          - id: a.b
            title: Title
            requirements: [catalog.newest]
            actors: { \(actors) }
            steps:
              - \(steps)
        """
    }

    @Test(
        arguments: [
            "couch.play: { video: 0.avc1, new: true, error: any }",
            "couch.play:",
            "couch.expect: { stats: { stalls: 0, latency: \"< 300 ms\" }, for: 1s }",
            "couch.expect: { any_of: [{ event: { type: playback.end, code: 13 } }, { broadcasts: [a, b] }] }",
            "couch.expect: { in_order: [track.ready, { type: playback.start, kind: audio }], within: 1.5 s }",
            "couch.expect: { player: [playing, ended], session: closed, broadcast: a, is: offline }",
            "couch.never: { data: { track: chat, objects: { at_least: 3 } }, for: \"${time}\" }",
            "studio.start_capture: { video: synthetic, key_interval: 1s, rate: 2 Mbit/s }",
            "studio.send: { track: chat, count: 10, every: 20ms, size: 1 KiB }",
            "studio.catalog: { add: { video: hd, codec: avc1.64001f, codedWidth: 1280 }, remove: { audio: [a] } }",
            "camera.write: { track: video, groups: [5, 0x7], sizes: [1 B, 2 KiB] }",
            "camera.abort: { track: video, code: app(7) }",
            "camera.expect: { session: { closed: { any_of: [unauthorized, { status: 404 }] } } }",
            "camera.expect: { announced: [game, { broadcast: other, hops: [1, any] }] }",
            "camera.send_raw: { stream: uni, hex: \"00\", reset: wire(24) }",
            "network.set: { loss: 2.5%, for: couch }",
            "couch.read_audio: { format: int16, sample_rate: 16000, channels: 2 }",
            "couch.expect: { audio_data: { chunk_samples: 1024, gaps: 0, cause: decode, code: 24 } }",
            "relay.restart:",
            "repeat: { times: forever, every: 10ms, steps: [{ camera.finish: { track: a } }] }",
            "parallel: [{ couch.pause: {} }, [{ couch.stop: { reason: done } }, { wait: 1s }]]",
        ])
    func whatTheLanguageHasIsValid(_ step: String) throws {
        let validator = try SchemaValidator(Self.schema)
        let problem = validator.problem(in: try node(suite(step)))
        #expect(problem == nil, "\(problem ?? "")")
    }

    @Test(
        arguments: [
            "couch.plai: {}",
            "couch.play: { vidio: main }",
            "couch.play: { new: perhaps }",
            "couch.play: { error: sad }",
            "couch.expect: { stats: { stools: 0 } }",
            "couch.expect: { event: playback.begin }",
            "couch.expect: { event: { type: track.ready, kind: smell } }",
            "couch.expect: { player: [dancing] }",
            "couch.expect: { broadcast: a, is: gone }",
            "couch.expect: { any_of: [{ evnt: track.ready }] }",
            "couch.set_target_buffering: { to: 300 }",
            "couch.set_target_buffering: {}",
            "couch.read_audio: { unread: 3 }",
            "couch.read_audio: { format: int24 }",
            "couch.expect: { audio_data: { cause: boredom } }",
            "couch.expect: { audio_data: { gap: 0 } }",
            "studio.start_capture: { video: synthetic, fps: 1000 }",
            "studio.start_capture: { video: synthetic, rate: 3 }",
            "studio.publish: { brodcast: live }",
            "studio.send: { track: chat, count: many }",
            "camera.write: { groups: 3 }",
            "camera.write: { track: video, sizes: 3 KiB }",
            "camera.abort: { track: video, code: no_such_condition }",
            "camera.expect: { session: gone }",
            "network.set: { loss: 2.5 }",
            "relay.signal: { name: hello }",
            "repeat: { steps: [{ couch.pause: {} }] }",
            "parallel: { couch.pause: {} }",
            "wait: 3",
            "pause: {}",
        ])
    func whatItDoesNotHaveIsNot(_ step: String) throws {
        let validator = try SchemaValidator(Self.schema)
        #expect(validator.problem(in: try node(suite(step))) != nil)
    }

    @Test func actorsHaveTheOptionsOfTheirKind() throws {
        let validator = try SchemaValidator(Self.schema)
        func problem(_ actor: String) throws -> String? {
            validator.problem(in: try node(suite("couch.pause: {}", actors: "couch: \(actor)")))
        }
        #expect(try problem("{ kind: player, profile: android, target_buffering: 100ms, link: { delay: 1ms } }") == nil)
        #expect(try problem("{ kind: session, version: 06, hop: 5001, token: none }") == nil)
        #expect(try problem("{ kind: player, token: { publish: none, subscribe: [open], expires: 2s } }") == nil)
        #expect(try problem("{ kind: player, hop: 5001 }") != nil)
        #expect(try problem("{ kind: publisher, target_buffering: 100ms }") != nil)
        #expect(try problem("{ kind: player, profile: windows }") != nil)
        #expect(try problem("singer") != nil)
        #expect(try problem("{ profile: ios }") != nil)
    }

    @Test func theProgramPrintsIt() throws {
        let printed = try Program.run("schema", "--scenarios")
        #expect(printed.output == String(decoding: ScenarioSchema().bytes(), as: UTF8.self))
        #expect(try Program.run("schema").status == 2)
        #expect(try Program.run("schema", "--scenarios", "--machines").status == 2)
    }
}
