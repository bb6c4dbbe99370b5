import MoqJSON

/// One entry of a timeline track: where a group of a rendition begins in time.
public struct TimelineRecord: Equatable, Sendable {
    /// The greatest number that every reader holds exactly (2^53 - 1).
    public static let greatestNumber = FieldReader.largestSafeInteger

    /// The group's number.
    public var group: Int64
    /// When its first frame is presented, in units of the timeline's timescale.
    public var pts: Int64
    /// All other fields, untouched.
    public var other: [JSONValue.Member]

    /// A record of its parts.
    public init(group: Int64, pts: Int64, other: [JSONValue.Member] = []) {
        self.group = group
        self.pts = pts
        self.other = other
    }

    /// Reads a record: an object with `group` and `pts`, each from 0 to 2^53 - 1.
    public init(parsing text: [UInt8]) throws(CatalogError) {
        let rules = FieldReader.Rules(takesNull: false, takesWholeReals: false)
        do throws(CatalogError) {
            var fields = try FieldReader(try CatalogReader.document(text), at: JSONPath(), rules: rules)
            group = try fields.requiredInteger("group", limit: Self.greatestNumber, "the number of the group")
            pts = try fields.requiredInteger("pts", limit: Self.greatestNumber, "the time of its first frame")
            other = fields.rest
        } catch {
            throw error.placed(in: text)
        }
    }

    /// The record as JSON.
    public var written: [UInt8] {
        let known = [
            JSONValue.Member(name: "group", value: .integer(group)),
            JSONValue.Member(name: "pts", value: .integer(pts)),
        ]
        return JSONValue.object(known + other).written()
    }
}

/// Follows a timeline track (`.timeline.z`): one compressed group, a record a frame, from the first on.
public final class TimelineTrack {
    /// The records in their order, the oldest dropped beyond `HangLimits.timelineRecords`.
    public private(set) var records: [TimelineRecord] = []
    /// How many records were dropped.
    public private(set) var dropped = 0
    private let inflater = GroupInflater(limit: HangLimits.documentBytes)

    /// A follower of the track's only group.
    public init() {}

    /// Takes the next frame of the group.
    public func receive(_ frame: [UInt8]) throws(CatalogError) {
        var text: [UInt8] = []
        do throws(CompressionError) {
            text = try inflater.inflate(frame)
        } catch {
            throw CatalogError(error)
        }
        records.append(try TimelineRecord(parsing: text))
        // In portions, so that dropping costs little.
        let excess = records.count - HangLimits.timelineRecords
        if excess >= HangLimits.timelineRecords / 8 {
            records.removeFirst(excess)
            dropped += excess
        }
    }

    /// The wall time of a record in seconds since 1970, where the reference to the track says how.
    public static func seconds(of record: TimelineRecord, _ reference: TimelineReference) -> Double? {
        guard let wall = reference.wall, reference.timescale > 0 else { return nil }
        return (Double(wall) + Double(record.pts)) / Double(reference.timescale)
            + Double(TimelineReference.epochSeconds)
    }
}

/// Writes a timeline track: at most a record a second, as the original stack does.
public final class TimelineTrackWriter {
    /// The least time between two records, in seconds.
    public static let spacing = 1

    private let timescale: Int
    private let deflater = GroupDeflater()
    private var last: Int64?

    /// A writer whose records have times in these units a second.
    public init(timescale: Int = TimelineReference.usualTimescale) {
        self.timescale = max(timescale, 1)
    }

    /// The frame of a group that begins at a time in microseconds; nil when the record before is less than a second
    /// old, or one of the numbers is not from 0 to 2^53 - 1.
    public func frame(group: UInt64, timestamp: Int) -> [UInt8]? {
        let (whole, rest) = timestamp.quotientAndRemainder(dividingBy: 1_000_000)
        let (units, overflow) = whole.multipliedReportingOverflow(by: timescale)
        guard timestamp >= 0, !overflow, units <= Int(TimelineRecord.greatestNumber) - timescale,
            group <= UInt64(TimelineRecord.greatestNumber)
        else { return nil }
        let (fraction, tooFine) = rest.multipliedReportingOverflow(by: timescale)
        guard !tooFine else { return nil }
        let pts = Int64(units + fraction / 1_000_000)
        if let last, pts - last < Int64(timescale * Self.spacing) { return nil }
        last = pts
        return deflater.deflate(TimelineRecord(group: Int64(group), pts: pts).written)
    }
}
