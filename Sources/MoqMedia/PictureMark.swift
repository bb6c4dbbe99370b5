/// The number that a picture of the fixtures carries: which frame of its file it is.
///
/// The picture is divided into 8 columns and 4 rows of black and white cells: bits 0 to 7, bits 8 to 15, and the
/// complements of both below. That works at any size and survives coding at any quality.
public struct PictureMark: Hashable, Sendable {
    /// The frame's number, from 0.
    public var frameNumber: Int

    /// A mark with a number.
    public init(frameNumber: Int) {
        self.frameNumber = frameNumber
    }

    /// How many pictures a file of the fixtures has: after the last, number 0 comes again when it is looped.
    public static let lap = 40
    /// How long each is shown, in microseconds.
    public static let interval: Int64 = 100_000
    /// How many pictures there are from one keyframe to the next.
    public static let keyInterval = 10

    private static let columns = 8
    private static let rows = 4
    /// How far apart a cell and its complement are at least, of 255: black and white are 219 apart when nothing is lost.
    private static let leastContrast = 80
    /// Points that are looked at in a cell, across and down, away from its edges.
    private static let points = 4

    /// Reads the mark out of a picture.
    ///
    /// - Parameter luma: the brightness, 0 to 255, at a column below `width` and a row below `height`.
    /// - Returns: nil when a cell and its complement do not differ: the picture is damaged, or has no mark.
    public static func read(width: Int, height: Int, luma: (_ column: Int, _ row: Int) -> Int) -> PictureMark? {
        guard width >= columns * points * 2, height >= rows * points * 2 else { return nil }
        func brightness(_ column: Int, _ row: Int) -> Int {
            var sum = 0
            for down in 0..<points {
                for across in 0..<points {
                    // At 2/8, 3/8, ... of the cell and half a step further.
                    let x = (column * points * 4 + points + across * 2 + 1) * width / (columns * points * 4)
                    let y = (row * points * 4 + points + down * 2 + 1) * height / (rows * points * 4)
                    sum += luma(x, y)
                }
            }
            return sum / (points * points)
        }
        var number = 0
        for bit in 0..<16 {
            let column = bit % columns
            let row = bit / columns
            let contrast = brightness(column, row) - brightness(column, row + 2)
            guard abs(contrast) >= leastContrast else { return nil }
            if contrast > 0 { number |= 1 << bit }
        }
        return PictureMark(frameNumber: number)
    }
}
