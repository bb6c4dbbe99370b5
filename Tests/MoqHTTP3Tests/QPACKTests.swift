import MoqBase
import Testing

@testable import MoqHTTP3

@Suite struct QPACKTests {
    @Test func aConnectComesBackAsItWent() throws {
        let request = HTTP3Request.webTransport(
            authority: "relay.example:4443", path: "/anon?jwt=eyJhbGciOiJIUzI1NiJ9.e30.x",
            protocols: ["moq-lite-06", "moq-lite-05", "moql"])
        let section = try QPACKEncoder().encode(request.section, stream: 0)
        // No dynamic table: the section needs no insertions.
        #expect(section.prefix(2) == [0, 0])
        let back = try HTTP3Request(section: QPACKDecoder().decode(section, stream: 0))
        #expect(back == request)
        #expect(back.offeredProtocols == ["moq-lite-06", "moq-lite-05", "moql"])
    }

    @Test func oneDecoderReadsSectionsOfManyStreams() throws {
        let encoder = try QPACKEncoder()
        let decoder = try QPACKDecoder()
        for stream in stride(from: 0, to: 400, by: 4) as StrideTo<UInt64> {
            let fields = [HTTPField(":status", "\(100 + stream)"), HTTPField("x-\(stream)", ""), HTTPField("é", "ü")]
            #expect(try decoder.decode(encoder.encode(fields, stream: stream), stream: stream) == fields)
        }
    }

    @Test func noFieldsAreAnEmptySection() throws {
        #expect(try QPACKEncoder().encode([], stream: 0) == [0, 0])
        #expect(try QPACKDecoder().decode([0, 0], stream: 0) == [])
    }

    /// RFC 9204 appendix B.1: a literal with a name of the static table.
    @Test func theExampleOfTheSpecificationIsRead() throws {
        let bytes = [0x00, 0x00, 0x51, 0x0B] + Array("/index.html".utf8)
        #expect(try QPACKDecoder().decode(bytes, stream: 0) == [HTTPField(":path", "/index.html")])
    }

    @Test(
        arguments: [
            [], [0], [2, 0, 0x80], [0, 0, 0x80], [0, 0, 0x10], [0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0, 0, 0x51, 0x05, 0x61], [0, 0, 0x51, 0x81, 0x00],
        ] as [[UInt8]])
    func sectionsThatMakeNoSenseAreRefused(section: [UInt8]) throws {
        let decoder = try QPACKDecoder()
        #expect { try decoder.decode(section, stream: 0) } throws: {
            ($0 as? HTTP3Error)?.code == .qpackDecompressionFailed
        }
    }

    @Test func aSectionBeyondTheBoundsIsTooMuch() throws {
        // `content-security-policy` of the static table, 253 times.
        let many = [0, 0] + [UInt8](repeating: 0xD1, count: HTTP3Limits.fields + 1)
        #expect { try QPACKDecoder().decode(many, stream: 0) } throws: { ($0 as? HTTP3Error)?.code == .excessiveLoad }
        let enough = [0, 0] + [UInt8](repeating: 0xD1, count: HTTP3Limits.fields)
        #expect(try QPACKDecoder().decode(enough, stream: 0).count == HTTP3Limits.fields)
        let large = (0..<3).map { HTTPField("x\($0)", String(repeating: "a", count: 30_000)) }
        let section = try QPACKEncoder().encode(large, stream: 0)
        #expect { try QPACKDecoder().decode(section, stream: 0) } throws: {
            ($0 as? HTTP3Error)?.code == .excessiveLoad
        }
    }

    @Test func chanceBytesCrashNothing() throws {
        var random = SeededRandom(seed: 5)
        let good = try QPACKEncoder().encode(
            HTTP3Request.webTransport(authority: "a", path: "/b", protocols: ["moq-lite-06"]).section, stream: 0)
        var read = 0
        for _ in 0..<3_000 {
            var bytes = good
            for _ in 0..<1 + Int(random.next() % 4) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if (try? QPACKDecoder().decode(bytes, stream: 0)) != nil { read += 1 }
        }
        #expect(read > 0 && read < 3_000)
    }

    @Test func theStreamsOfQPACKMayOnlySayThatThereIsNoTable() throws {
        let decoder = try QPACKDecoder()
        try decoder.readEncoderStream([])
        try decoder.readEncoderStream([0x20])
        #expect { try decoder.readEncoderStream([0x41, 0x61, 0x01, 0x62]) } throws: {
            ($0 as? HTTP3Error)?.code == .qpackEncoderStreamError
        }
        let encoder = try QPACKEncoder()
        try encoder.readDecoderStream([0x40, 0x44])
        #expect { try encoder.readDecoderStream([0x80]) } throws: {
            ($0 as? HTTP3Error)?.code == .qpackDecoderStreamError
        }
    }
}
