import MoqMedia

/// What somebody in front of a player sees and hears, by the marks of the fixtures: the number in each picture, the step of
/// the tone. Times of the tracks and of the clock are in microseconds.
public struct Sightings: Sendable {
    /// A picture that was shown.
    public struct Picture: Hashable, Sendable {
        /// The number that it carries; nil when it has none that can be read.
        public var number: Int?
        /// The rendition that it is of.
        public var track: String
        /// In pixels.
        public var width: Int
        /// In pixels.
        public var height: Int
        /// When it was shown.
        public var at: Int64
    }

    /// How many pictures came out of decoders, shown or not.
    public private(set) var decodedPictures = 0
    /// How many numbers were left out between pictures of a rendition that came out of its decoder one after the other.
    public private(set) var missingFrames = 0
    /// How many pictures of a rendition came out of its decoder again, or after a later one.
    public private(set) var disorderedFrames = 0
    /// How many pictures had no number that could be read.
    public private(set) var unreadableFrames = 0
    /// How many pictures were shown.
    public private(set) var pictures = 0
    /// The first of them.
    public private(set) var firstPicture: Picture?
    /// The newest, oldest first, for a look back.
    public private(set) var newestPictures: [Picture] = []
    /// How many numbers were left out between pictures that follow each other.
    public private(set) var missingPictures = 0
    /// How many pictures came again, or after a later one.
    public private(set) var disorderedPictures = 0
    /// How many times the tone came to another step, the first included.
    public private(set) var tones = 0
    /// The step that is heard.
    public private(set) var tone: Int?
    /// How many steps were left out between tones that follow each other.
    public private(set) var missingTones = 0
    /// By how much pictures were ahead of the sound when the tone last changed; nil before both were there.
    public private(set) var offset: Int64?
    /// The greatest of these so far, whichever was ahead.
    public private(set) var greatestOffset: Int64?

    private var decoded: [(timestamp: Int64, picture: DecodedPicture, track: String)] = []
    private var waiting: [(timestamp: Int64, track: String, at: Int64)] = []
    private var sounds: [DecodedSound] = []
    private var last: Place?
    private var lanes: [(track: String, last: Place)] = []

    /// Decoded pictures and pieces of sound that are kept until they are shown and heard: a few seconds.
    private static let kept = 512

    /// Nothing yet.
    public init() {}

    /// How many pictures after a keyframe the first one came that was decoded, shown or not; 0 where it was one.
    public private(set) var firstInGroup: Int?

    // MARK: What the decoder gives

    mutating func decoded(_ result: DecodeResult, of track: String) {
        for picture in result.pictures {
            firstInGroup = firstInGroup ?? picture.mark.map { $0.frameNumber % PictureMark.keyInterval }
            count(picture, of: track)
            if decoded.count == Self.kept { decoded.removeFirst() }
            decoded.append((picture.presentation, picture, track))
        }
        for sound in result.sounds {
            if sounds.count == Self.kept { sounds.removeFirst() }
            sounds.append(sound)
        }
        settle()
    }

    /// The decoder of pictures begins anew: what it held back never comes.
    mutating func forgetPictures() {
        waiting = []
    }

    // MARK: What the player does

    /// The picture of a time is shown. A decoder that puts pictures in order gives it some frames later.
    mutating func shown(_ timestamp: Int64, of track: String, at instant: Int64) {
        if waiting.count == Self.kept { waiting.removeFirst() }
        waiting.append((timestamp, track, instant))
        settle()
    }

    private mutating func settle() {
        while let next = waiting.first,
            let found = decoded.last(where: { $0.timestamp == next.timestamp && $0.track == next.track })
        {
            waiting.removeFirst()
            take(
                Picture(
                    number: found.picture.mark?.frameNumber, track: found.track, width: found.picture.width,
                    height: found.picture.height, at: next.at), timestamp: next.timestamp)
        }
    }

    private mutating func take(_ picture: Picture, timestamp: Int64) {
        pictures += 1
        if firstPicture == nil { firstPicture = picture }
        if newestPictures.count == Self.lookBack { newestPictures.removeFirst() }
        newestPictures.append(picture)
        guard let number = picture.number else { return }
        let place = Place(number: number, timestamp: timestamp)
        if let step = last?.step(to: place) {
            if step > 0 { missingPictures += step - 1 } else { disorderedPictures += 1 }
        }
        last = place
    }

    /// Counts what came out of the decoder of a rendition.
    private mutating func count(_ picture: DecodedPicture, of track: String) {
        decodedPictures += 1
        guard let number = picture.mark?.frameNumber else {
            unreadableFrames += 1
            return
        }
        let place = Place(number: number, timestamp: picture.presentation)
        guard let index = lanes.firstIndex(where: { $0.track == track }) else {
            lanes.append((track, place))
            return
        }
        let step = lanes[index].last.step(to: place)
        if step > 0 { missingFrames += step - 1 } else { disorderedFrames += 1 }
        lanes[index].last = place
    }

    /// A picture by its number, and by its time where numbers alone do not tell how many laps went by.
    private struct Place: Hashable {
        var number: Int
        var timestamp: Int64

        /// How many pictures further another one is; 0 for one that is not.
        func step(to next: Place) -> Int {
            let (time, overflow) = next.timestamp.subtractingReportingOverflow(timestamp)
            let steps = overflow ? 0 : Int((time + PictureMark.interval / 2) / PictureMark.interval)
            let step = (next.number - number + PictureMark.lap) % PictureMark.lap
            if steps > 0, steps % PictureMark.lap == step { return steps }
            return step > PictureMark.lap / 2 ? 0 : step
        }
    }

    /// Pictures to look back at: those that were handed over ahead of time.
    private static let lookBack = 16

    /// Sound of these times is played.
    mutating func heard(_ times: Range<Int64>, at instant: Int64) {
        guard let sound = sounds.last(where: { times.contains($0.presentation) }), let step = sound.mark?.step,
            step != tone
        else { return }
        let count = ToneMark.frequencies.count
        if let tone { missingTones += (step - tone - 1 + count) % count }
        tones += 1
        if tone != nil { compare(step, at: instant + sound.presentation - times.lowerBound) }
        tone = step
    }

    /// Where the pictures are in the file at the moment at which this step of the tone begins.
    private mutating func compare(_ step: Int, at instant: Int64) {
        guard let picture = newestPictures.last(where: { $0.at <= instant }), let number = picture.number else {
            return
        }
        let lap = PictureMark.interval * Int64(PictureMark.lap)
        // A picture that stands still shows its own time, however long.
        let seen = Int64(number) * PictureMark.interval + min(instant - picture.at, PictureMark.interval)
        let heard = Int64(step) * ToneMark.stepDuration
        var difference = (seen - heard) % lap
        if difference > lap / 2 { difference -= lap }
        if difference <= -lap / 2 { difference += lap }
        offset = difference
        greatestOffset = max(greatestOffset ?? 0, abs(difference))
    }
}
