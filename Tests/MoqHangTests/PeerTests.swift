import Foundation
import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

/// The original stack's own consumer makes of our media what went in, through its own relay. Where MOQSPEC_PEERS names
/// no folder with the release (see ci/setup) there is nothing to ask.
struct PeerTests {
    private static let video = VideoRendition(
        name: "v", codec: CodecString.h264(profile: 0x42, constraints: 0xC0, level: 10),
        description: [UInt8](hex: "0142c00affe100156742c00ada11ec0440000003004000000503c489a801000468ce0fc8"),
        codedWidth: 64, codedHeight: 48)
    private static let audio = AudioRendition(
        name: "a", codec: CodecString(anything: "mp4a.40.2", kind: .audio), sampleRate: 48_000, numberOfChannels: 2,
        bitrate: 64_000, description: [0x11, 0x90])

    /// A group at each second but the first and last, of a key and a delta frame.
    private static let groups = [0, 1_200_000, 2_400_000].map { start in
        [
            MediaFrame(
                timestamp: start, isKeyframe: true, payload: [UInt8](hex: "000000056588840010"), duration: 40_000),
            MediaFrame(
                timestamp: start + 40_000, isKeyframe: false, payload: [UInt8](hex: "00000004419a246c"),
                duration: 40_000),
        ]
    }

    @Test(arguments: ["0.4.18", "0.3.19"])
    func `the original consumer reads our media in every container`(release: String) throws {
        let containers: [(String, Container)] = [
            ("legacy", .legacy), ("loc", .loc),
            ("video", .cmaf(initialisation: try CMAFInitialisation.make(Self.video))),
            ("audio", .cmaf(initialisation: try CMAFInitialisation.make(Self.audio))),
        ]
        var input = ""
        for (name, container) in containers {
            var encoder = try ContainerEncoder(container)
            let groups = try Self.groups.map { group in
                JSONValue.array(try group.map { .string(Hexadecimal.encode(try encoder.encode($0))) })
            }
            var members = [
                JSONValue.Member(name: "track", value: .string(name)),
                JSONValue.Member(name: "container", value: .string(container.kind ?? "")),
                JSONValue.Member(name: "groups", value: .array(groups)),
            ]
            if case .cmaf(let bytes) = container {
                members.append(.init(name: "init", value: .string(Hexadecimal.encode(bytes))))
            }
            input += String(decoding: JSONValue.object(members).written(), as: UTF8.self) + "\n"
        }
        guard let lines = try Self.ask(release, input) else { return }
        for (name, _) in containers {
            let frames = lines.filter { $0["event"] == .string("frame") && $0["track"] == .string(name) }
            // Who comes when all is written gets the newest group alone from 0.3.19.
            let sent = (release == "0.3.19" ? Self.groups.suffix(1) : Self.groups[...]).flatMap { $0 }
            #expect(frames.map { $0["timestamp"]?.integer } == sent.map { Int64($0.timestamp) }, "\(name): \(lines)")
            #expect(frames.map { $0["keyframe"] } == sent.map { .bool($0.isKeyframe) }, "\(name)")
            #expect(frames.map { $0["payload"]?.string } == sent.map { Hexadecimal.encode($0.payload) }, "\(name)")
        }
    }

    /// The lines of `ci/peers/hang.py media`; nil where there is no such release.
    private static func ask(_ release: String, _ input: String) throws -> [JSONValue]? {
        guard let peers = ProcessInfo.processInfo.environment["MOQSPEC_PEERS"], !peers.isEmpty else { return nil }
        let python = "\(peers)/\(release)/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [python, Fixtures.root.appending(path: "ci/peers/hang.py").path, "media"]
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(lines.last?["event"] == .string("done"), "\(lines)")
        return lines
    }
}
