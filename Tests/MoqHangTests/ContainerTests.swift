import MoqBase
import MoqJSON
import Testing

@testable import MoqHang

struct ContainerTests {
    @Test(arguments: [
        (0, "00"), (37, "25"), (63, "3f"), (64, "4040"), (15_293, "7bbd"), (16_383, "7fff"), (16_384, "80004000"),
        (20_000, "80004e20"), (33_333, "80008235"), (1_000_000, "800f4240"), (1_073_741_823, "bfffffff"),
        (1_073_741_824, "c000000040000000"), (86_400_000_000, "c00000141dd76000"),
    ])
    func `legacy timestamps have the width of QUIC's varint`(timestamp: Int, hex: String) throws {
        let frame = MediaFrame(timestamp: timestamp, isKeyframe: true, payload: [0xAA, 0xBB])
        #expect(try LegacyFrame.encode(frame) == [UInt8](hex: hex + "aabb"))
        #expect(try LegacyFrame.decode([UInt8](hex: hex + "aabb"), isFirstOfGroup: true) == frame)
    }

    @Test func `a legacy marker is a frame without payload, which a decoder of media skips`() throws {
        #expect(try LegacyFrame.decode([0], isFirstOfGroup: false).payload.isEmpty)
        #expect(try ContainerDecoder(.legacy).decode([0], index: 3).isEmpty)
        #expect(throws: ContainerError.self) { try LegacyFrame.decode([], isFirstOfGroup: true) }
        #expect(throws: ContainerError.self) { try LegacyFrame.decode([0x80, 0], isFirstOfGroup: true) }
    }

    @Test func `the first frame of a group is the keyframe`() throws {
        let decoder = try ContainerDecoder(.legacy)
        #expect(try decoder.decode([1, 2], index: 0).map(\.isKeyframe) == [true])
        #expect(try decoder.decode([1, 2], index: 1).map(\.isKeyframe) == [false])
    }

    @Test(arguments: [
        ("05 10 80 00 4e 20 aa bb", 20_000, "aabb"), ("0a 08 80 00 bb 80 08 80 01 77 00 aa", 2_000_000, "aa"),
        // The timestamp's former number; odd and even properties that nobody knows; longer forms than needed.
        ("02 06 05 cc", 5, "cc"), ("08 10 05 01 02 ff ff 01 09 aa", 5, "aa"), ("40 02 10 05 aa", 5, "aa"),
    ])
    func `loc frames are read`(hex: String, timestamp: Int, payload: String) throws {
        let frame = try LOCFrame.decode([UInt8](hex: hex), isFirstOfGroup: false)
        #expect(frame == MediaFrame(timestamp: timestamp, isKeyframe: false, payload: [UInt8](hex: payload)))
    }

    @Test(arguments: [
        ("05 08 80 00 bb 80 aa", ContainerError.missingTimestamp), ("3f 10 00", .truncated("the properties' block")),
        ("", .truncated("the properties' block")), ("00", .missingTimestamp), ("01 10", .truncated("property 16")),
        ("02 08 00", .malformed("the timescale is 0")), ("02 0d 05", .truncated("property 13")),
        (
            "13 10 05 ff ff ff ff ff ff ff ef 00 ff ff ff ff ff ff ff ff 00",
            .malformed("a property's id exceeds 62 bits")
        ),
    ])
    func `a loc frame that is none is an error`(hex: String, error: ContainerError) {
        #expect(throws: error) { try LOCFrame.decode([UInt8](hex: hex), isFirstOfGroup: true) }
    }

    @Test func `loc is written with nothing but its timestamp`() throws {
        let frame = MediaFrame(timestamp: 20_000, isKeyframe: true, payload: [0xAA, 0xBB])
        #expect(try LOCFrame.encode(frame) == [UInt8](hex: "051080004e20aabb"))
    }

    @Test func `an unknown container has no decoder`() {
        let unknown = Container.unknown(.object([.init(name: "kind", value: .string("future"))]))
        #expect(throws: ContainerError.unsupported("the container future is unknown: nobody can read it")) {
            try ContainerDecoder(unknown)
        }
        #expect(throws: ContainerError.self) { try ContainerEncoder(.cmaf(initialisation: [1, 2, 3])) }
    }

    @Test func `any frame comes back from each container`() throws {
        let video = VideoRendition(
            name: "v", codec: CodecString(anything: "avc1.64001f", kind: .video), description: [1, 2, 3],
            codedWidth: 64, codedHeight: 48)
        let containers = [Container.legacy, .loc, .cmaf(initialisation: try CMAFInitialisation.make(video))]
        var random = SeededRandom(seed: 5)
        for container in containers {
            var encoder = try ContainerEncoder(container)
            let decoder = try ContainerDecoder(container)
            for _ in 0..<500 {
                // From 0 to more than a hundred years, at every width.
                let timestamp = Int(random.next() >> (12 + random.next() % 52))
                let payload = random.bytes(1 + Int(random.next() % 50))
                let frame = MediaFrame(timestamp: timestamp, isKeyframe: random.chance(0.5), payload: payload)
                let frames = try decoder.decode(try encoder.encode(frame), index: frame.isKeyframe ? 0 : 1)
                #expect(frames == [frame])
            }
        }
    }

    @Test(arguments: [Container.legacy, .loc])
    func `a time that is none is not written`(container: Container) throws {
        var encoder = try ContainerEncoder(container)
        for timestamp in [-1, Int.min, MediaFrame.greatestTimestamp + 1] {
            #expect(throws: ContainerError.self) {
                try encoder.encode(MediaFrame(timestamp: timestamp, isKeyframe: true, payload: [1]))
            }
        }
    }
}
