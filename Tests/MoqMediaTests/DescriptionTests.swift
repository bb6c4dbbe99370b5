import Testing

@testable import MoqMedia

@Suite struct DescriptionTests {
    @Test func codecStringsComeFromDescriptions() throws {
        #expect(try CodecDescription.codecString(.h264, [1, 0x42, 0xC0, 0x1E, 0xFF, 0xE0, 0]) == "avc1.42c01e")
        // Main profile, main tier, level 3.1, progressive and frame-only.
        var hevc: [UInt8] = [1, 0x01, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93]
        hevc += [UInt8](repeating: 0, count: 10)
        #expect(try CodecDescription.codecString(.h265, hevc) == "hvc1.1.6.L93.B0")
        // Main 10, high tier, in the second profile space, without constraints.
        hevc[1] = 0x62
        hevc[2] = 0x20
        hevc[6] = 0
        #expect(try CodecDescription.codecString(.h265, hevc) == "hvc1.A2.4.H93")
        #expect(try CodecDescription.codecString(.av1, [0x81, 0x08, 0x0C, 0]) == "av01.0.08M.08")
        #expect(try CodecDescription.codecString(.av1, [0x81, 0x2D, 0xCC, 0]) == "av01.1.13H.10")
        #expect(try CodecDescription.codecString(.aac, [0x2B, 0x11, 0x88]) == "mp4a.40.5")
        #expect(try CodecDescription.codecString(.aac, [0xF9, 0x40]) == "mp4a.40.42")
        #expect(try CodecDescription.codecString(.opus, []) == "opus")
    }

    @Test(arguments: [MediaCodec.h264, .h265, .av1, .aac])
    func shortDescriptionsAreRefused(_ codec: MediaCodec) {
        for count in 0..<2 {
            #expect(throws: MediaError.self) {
                try CodecDescription.codecString(codec, [UInt8](repeating: 1, count: count))
            }
        }
    }

    @Test func parameterSetsBeyondTheEndAreRefused() throws {
        let sound: [UInt8] = [1, 0x42, 0, 30, 0xFF, 0xE1, 0, 2, 0x67, 1, 1, 0, 1, 0x68]
        #expect(try CodecDescription.parameterSets(.h264, sound) == [[0x67, 1], [0x68]])
        for count in 5..<sound.count {
            #expect(throws: MediaError.self) { try CodecDescription.parameterSets(.h264, Array(sound.prefix(count))) }
        }
    }

    @Test func madeDescriptionsSayWhatTheyWereMadeOf() {
        #expect(CodecDescription.audioSpecificConfig(sampleRate: 44_100, channelCount: 2) == [0x12, 0x10])
        #expect(CodecDescription.audioSpecificConfig(sampleRate: 12_345, channelCount: 2) == nil)
        let head = CodecDescription.opusHead(sampleRate: 48_000, channelCount: 2)
        #expect(head?.count == 19)
        #expect(head?.suffix(11) == [1, 2, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0])
    }

    @Test func unitsAreTheSameInBothForms() throws {
        let units: [[UInt8]] = [[0x67, 0, 0, 3, 1], [0x68], [0x65, 0, 2, 0, 0, 3]]
        let prefixed = units.reduce(into: [UInt8]()) { $0 += [0, UInt8($1.count)] + $1 }
        let stream = try ByteStream.from(lengthPrefixed: prefixed, lengthSize: 2, parameterSets: [])
        #expect(ByteStream.units(stream).map(Array.init) == units)
        let short: [UInt8] = [9, 9, 0, 0, 1] + units[0] + [0, 0, 1] + units[1]
        #expect(ByteStream.units(short).map(Array.init) == Array(units.prefix(2)))
        let sets: [UInt8] = [0, 0, 0, 1] + units[0] + [0, 0, 0, 1] + units[1]
        #expect(ByteStream.parameterSets(.h264, stream) == sets)
        #expect(ByteStream.units([]).isEmpty && ByteStream.units([0, 0, 1]).isEmpty)
        #expect(throws: MediaError.self) {
            try ByteStream.from(lengthPrefixed: [0, 9, 1], lengthSize: 2, parameterSets: [])
        }
        #expect(throws: MediaError.self) {
            try ByteStream.from(lengthPrefixed: [0], lengthSize: 2, parameterSets: [])
        }
    }

    @Test func timesOfDecodingAreInOrderAndNotAfterShowing() throws {
        var times = DecodeTimes()
        #expect(times.assign([0, 300, 100, 200]) == [-100, 0, 100, 200])
        #expect(times.assign([400, 700, 500, 600]) == [300, 400, 500, 600])
        // Deeper than before: later ones follow it, and this one still fits.
        let assigned = times.assign([800, 1200, 1000, 900, 1100])
        let deep = try #require(assigned)
        #expect(zip(deep, deep.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(deep, [800, 1200, 1000, 900, 1100]).allSatisfy { $0 <= $1 })
        // Shown before what was decoded.
        #expect(times.assign([100]) == nil)
        var plain = DecodeTimes()
        #expect(plain.assign([0, 40, 80]) == [0, 40, 80])
        #expect(plain.assign([]) == [])
    }
}
