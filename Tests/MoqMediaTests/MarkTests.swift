import Foundation
import MoqMedia
import Testing

@Suite struct MarkTests {
    private func luma(_ number: Int, width: Int, height: Int, black: Int = 16, white: Int = 235) -> (Int, Int) -> Int {
        { column, row in
            let place = column * 8 / width + 8 * (row * 4 / height % 2)
            let isSet = number >> place & 1 == 1
            return isSet != (row * 4 / height >= 2) ? white : black
        }
    }

    @Test(arguments: [0, 1, 255, 256, 0xA5C3, 65_535])
    func numbersAreReadAtAnySize(_ number: Int) {
        for (width, height) in [(160, 120), (64, 32), (853, 479), (1920, 1080)] {
            let mark = PictureMark.read(width: width, height: height, luma: luma(number, width: width, height: height))
            #expect(mark == PictureMark(frameNumber: number))
        }
    }

    @Test func whatHasNoContrastHasNoNumber() {
        #expect(PictureMark.read(width: 160, height: 120) { _, _ in 128 } == nil)
        #expect(
            PictureMark.read(width: 160, height: 120, luma: luma(7, width: 160, height: 120, black: 100, white: 150))
                == nil)
        #expect(PictureMark.read(width: 8, height: 8, luma: luma(7, width: 8, height: 8)) == nil)
        // One cell is damaged.
        let whole = luma(7, width: 160, height: 120)
        #expect(PictureMark.read(width: 160, height: 120) { $0 < 20 && $1 < 30 ? 16 : whole($0, $1) } == nil)
    }

    @Test(arguments: 0..<8)
    func tonesAreTold(_ step: Int) {
        for sampleRate in [44_100, 48_000] {
            let samples = (0..<960).map { index in
                Float(0.3 * sin(2 * Double.pi * Double(ToneMark.frequencies[step] * index) / Double(sampleRate) + 1))
            }
            let mark = ToneMark.read(samples, sampleRate: sampleRate)
            #expect(mark?.step == step)
            #expect(mark?.frequency == 500 + 200 * step)
        }
    }

    @Test func silenceAndNoiseAreNoTone() {
        #expect(ToneMark.read([Float](repeating: 0, count: 960), sampleRate: 48_000) == nil)
        var state: UInt32 = 1
        let noise = (0..<960).map { _ -> Float in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(state >> 8) / Float(1 << 24) - 0.5
        }
        #expect(ToneMark.read(noise, sampleRate: 48_000) == nil)
        #expect(ToneMark.read([Float](repeating: .nan, count: 960), sampleRate: 48_000) == nil)
    }
}
