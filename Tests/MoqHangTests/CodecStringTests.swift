import Testing

@testable import MoqHang

struct CodecStringTests {
    @Test(arguments: [
        ("avc1.64001f", CodecString.Family.h264, CodecString.Details.h264(profile: 100, constraints: 0, level: 31)),
        ("avc3.42E01E", .h264, .h264(profile: 0x42, constraints: 0xE0, level: 30)),
        (
            "hvc1.1.6.L93.B0", .h265,
            .h265(profileSpace: 0, profile: 1, compatibility: 6, highTier: false, level: 93, constraints: [0xB0])
        ),
        (
            "hev1.A4.41.H120.B0.23", .h265,
            .h265(
                profileSpace: 1, profile: 4, compatibility: 0x41, highTier: true, level: 120, constraints: [0xB0, 0x23])
        ),
        ("vp09.00.10.08", .vp9, .vp9(profile: 0, level: 10, bitDepth: 8)),
        ("vp09.02.10.10.01.09.16.09.01", .vp9, .vp9(profile: 2, level: 10, bitDepth: 10)),
        ("av01.0.04M.08", .av1, .av1(profile: 0, level: 4, highTier: false, bitDepth: 8)),
        ("av01.1.13H.10.0.110.09.16.09.0", .av1, .av1(profile: 1, level: 13, highTier: true, bitDepth: 10)),
        ("vp8", .vp8, .none), ("avc1", .unknown, .none), ("avc2.zz", .unknown, .none), ("opus", .unknown, .none),
    ])
    func `video codecs are taken apart`(text: String, family: CodecString.Family, details: CodecString.Details) throws {
        let codec = try CodecString(text, kind: .video)
        #expect(codec.family == family)
        #expect(codec.details == details)
        #expect(codec.description == text)
    }

    @Test(arguments: [
        ("mp4a.40.2", CodecString.Family.aac, CodecString.Details.aac(objectType: 2)), ("opus", .opus, .none),
        ("pcm", .pcm, .none), ("flac", .flac, .none), ("mp3", .mp3, .none), ("mp2", .mp2, .none),
        ("ac-3", .ac3, .none), ("ec-3", .ec3, .none), ("mp4a", .unknown, .none), ("mp4a.69", .unknown, .none),
        ("avc1.x", .unknown, .none), ("Opus", .unknown, .none),
    ])
    func `audio codecs are taken apart`(text: String, family: CodecString.Family, details: CodecString.Details) throws {
        let codec = try CodecString(text, kind: .audio)
        #expect(codec.family == family)
        #expect(codec.details == details)
    }

    @Test(arguments: [
        "avc1.", "avc1.6400", "avc1.64001fa", "avc1.64001g", "avc3.+64001", "hvc1.1", "hvc1.1.6", "hvc1.1.6.X93",
        "hvc1.1.6.L999", "hvc1.1.1ffffffff.L93", "hev1.x.6.L93", "hev1.1.6.L93.1.2.3.4.5.6.7", "vp09.00.10",
        "vp09.00.10.08.01", "vp09.00.10.256", "av01.2.04M.08", "av01.0.4M.08", "av01.0.04M.8", "av01.0.04M.08.0",
        "av01.0.04M.08.0.110.01.01.01.2", "av01.0.04M.08.0.114.01.01.01.0",
    ])
    func `a structured video codec with a malformed suffix is an error`(text: String) {
        #expect(throws: CodecError.self) { try CodecString(text, kind: .video) }
        #expect(CodecString(anything: text, kind: .video).family == .unknown)
        #expect(throws: Never.self) { try CodecString(text, kind: .audio) }
    }

    @Test(arguments: ["mp4a.40.", "mp4a.40.x", "mp4a.40.256", "mp4a.40.2.1"])
    func `a structured audio codec with a malformed suffix is an error`(text: String) {
        #expect(throws: CodecError.self) { try CodecString(text, kind: .audio) }
    }

    @Test func `the name of H264 is made of its numbers`() {
        #expect(CodecString.h264(profile: 100, constraints: 0, level: 31).text == "avc1.64001f")
        #expect(CodecString.h264(profile: 66, constraints: 0xE0, level: 30, inBand: true).isInBand)
    }
}
