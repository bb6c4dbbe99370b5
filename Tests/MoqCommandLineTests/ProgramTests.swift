import Foundation
import Glibc
import Testing

/// What people and pipelines rely on: exit codes, and what is left behind when a run is cut short.
@Suite struct ProgramTests {
    private static let endless = """
        suite: slow
        about: Longer than anybody waits.
        scenarios:
          - id: slow.nothing-happens
            title: Nothing is announced for an hour
            requirements: [a.b]
            matrix: { version: [moq-lite-06], transport: quic }
            actors: { viewer: session }
            steps:
              - viewer.connect: {}
              - viewer.never: { announced: game, for: 60 min }
        """

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("scenarios/quick.yaml", Samples.quickSuite)
        return folder
    }

    @Test func aRunThatHoldsIsZeroAndWritesItsReports() throws {
        let folder = try folder()
        let outcome = try Program.run(
            "run", "--simulate", "--seed", "7", "--report", "junit=reports/junit.xml", "--report",
            "events=events.jsonl",
            in: folder.path)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("1 case = 1 passed"))
        #expect(outcome.output.contains("seed 7"))
        #expect(outcome.errors.isEmpty)
        #expect(try folder.text("reports/junit.xml").contains("quick.announced"))
        #expect(try folder.text("events.jsonl").contains("runFinished"))
    }

    @Test func aReportOnStandardOutputHasItForItself() throws {
        let folder = try folder()
        let outcome = try Program.run("run", "--simulate", "--report", "json=-", in: folder.path)
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        #expect(document is [String: Any])
        #expect(outcome.errors.contains("1 case = 1 passed"))
    }

    @Test func aWrongWordIsTwoAndNothingRuns() throws {
        let folder = try folder()
        let outcome = try Program.run("run", "--filer", "x", in: folder.path)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("did you mean `--filter`?"))
        #expect(try Program.run("run", "--filter", "quik", in: folder.path).status == 2)
        #expect(try Program.run("rnu", in: folder.path).status == 2)
        #expect(try Program.run(in: folder.path).status == 2)
    }

    @Test func aBrokenFileIsTwoAndNoReportIsMade() throws {
        let folder = try folder()
        try folder.write("scenarios/broken.yaml", "suite: x\nabout: y\nscenaros: []\n")
        let outcome = try Program.run("run", "--report", "events=events.jsonl", in: folder.path)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("scenarios/broken.yaml:3:1: error: "))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/events.jsonl"))
        #expect(try Program.run("lint", in: folder.path).status == 2)
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func aSignalEndsTheRunAndWhatHappenedIsReported(_ signal: Int32, _ status: Int32) throws {
        let folder = try folder()
        try folder.write("scenarios/slow.yaml", Self.endless)
        let program = try Program(
            ["run", "--jobs", "1", "--report", "events=-", "--report", "junit=junit.xml"], in: folder.path)
        _ = try #require(program.line(holding: "quick.announced"))
        _ = try #require(program.line(holding: "slow.nothing-happens"))
        program.send(signal)
        let outcome = program.finish()
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.output.contains("runFinished"))
        let junit = try folder.text("junit.xml")
        #expect(junit.contains("quick.announced"))
        #expect(junit.hasSuffix("</testsuites>\n"))
    }

    @Test func theDeadlineOfTheRunIs124() throws {
        let folder = try folder()
        try folder.write("scenarios/slow.yaml", Self.endless)
        let outcome = try Program.run("run", "--timeout", "500ms", "--report", "junit=junit.xml", in: folder.path)
        #expect(outcome.status == 124, "\(outcome)")
        #expect(try folder.text("junit.xml").contains("slow.nothing-happens"))
    }

    @Test func aRelayThatDoesNotAnswerIsThreeWithinTheConnectDeadline() throws {
        let folder = try folder()
        let silent = try SilentPort()
        let outcome = try Program.run(
            "run", "--relay", "moqt://127.0.0.1:\(silent.port)/anon", "--connect-timeout", "200ms", in: folder.path)
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("127.0.0.1:\(silent.port)"))
        #expect(outcome.output.contains("raw QUIC"))
    }

    @Test func aRelayAtAnIPv6AddressIsMetOverEverything() throws {
        let folder = try folder()
        let everywhere = Samples.quickSuite.replacing("transport: quic", with: "transport: all")
        try folder.write("scenarios/quick.yaml", everywhere)
        let relay = try Program(["relay", "--url", "http://[::1]:0/anon"])
        let words = try #require(relay.line(holding: "ready")).split(separator: " ").map(String.init)
        #expect(words[1].hasPrefix("http://[::1]:"))
        let plain = try Program.run("run", "--relay", words[1], "--transport", "all", in: folder.path)
        #expect(plain.status == 0 && plain.output.contains("4 cases = 4 passed"), "\(plain)")
        let secure = try Program.run(
            "run", "--relay", words[1].replacing("http://", with: "https://"), "--fingerprint", words[3], "--transport",
            "all", in: folder.path)
        #expect(secure.status == 0 && secure.output.contains("4 cases = 4 passed"), "\(secure)")
        let probe = try Program.run("probe", words[1], "--moq-version", "06")
        #expect(probe.status == 0, "\(probe)")
        #expect(probe.output.split(separator: "\n").count { $0.contains("tcp") || $0.contains("websocket") } >= 4)
        relay.send(SIGTERM)
        #expect(relay.finish().status == 0)
    }

    @Test func everyFileThatAFlagNamesIsAPartOfTheCommandLine() throws {
        let folder = try folder()
        let garbage = try folder.write("garbage", "nothing of use\n")
        let flags: [[String]] = [
            ["relay", "--key"], ["relay", "--tls-key", garbage, "--tls-cert"],
            ["relay", "--tls-cert", garbage, "--tls-key"],
            ["run", "--relay", "moqt://127.0.0.1:1/", "--tls-root"], ["run", "--token-key"],
            ["probe", "moqt://127.0.0.1:1/", "--tls-root"],
        ]
        for words in flags {
            let flag = words[words.count - 1]
            for file in [folder.path, "/nowhere/at/all", garbage] {
                let outcome = try Program(words + [file], in: folder.path).finish()
                #expect(outcome.status == 2, "\(words) \(file): \(outcome)")
                #expect(outcome.output.isEmpty && outcome.errors.contains("\(flag) "), "\(outcome)")
                #expect(outcome.errors.hasPrefix("moqspec: --"), "\(outcome)")
            }
        }
    }

    @Test func theRelayServesUntilItIsTold() throws {
        let folder = try folder()
        let relay = try Program(["relay", "--url", "http://127.0.0.1:0/anon"])
        let words = try #require(relay.line(holding: "ready")).split(separator: " ").map(String.init)
        #expect(words.count == 4 && words[2] == "sha256")
        let url = words[1].replacing("http://", with: "moqt://")
        let pinned = try Program.run("run", "--relay", url, "--fingerprint", words[3], in: folder.path)
        #expect(pinned.status == 0, "\(pinned)")
        let strange = try Program.run("run", "--relay", url, in: folder.path)
        #expect(strange.status == 3)
        #expect(strange.output.contains(words[3]))
        #expect(strange.output.contains("--fingerprint"))
        let taken = try Program.run("relay", "--url", words[1])
        #expect(taken.status == 3)
        #expect(taken.errors.contains("0 picks a free one"))
        relay.send(SIGTERM)
        #expect(relay.finish().status == 0)
    }
}

/// A UDP port of loopback at which somebody listens and never answers.
private final class SilentPort {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                Glibc.bind(descriptor, generic, size) == 0 ? getsockname(descriptor, generic, &size) : -1
            }
        }
        try #require(result == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }
}
