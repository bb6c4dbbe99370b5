import MoqWire

/// What became of every code on every way through a relay.
public struct HopTable: Sendable, Equatable {
    /// One code that went in.
    public struct Row: Sendable, Equatable {
        /// The way that it went.
        public var way: HopWay
        /// The version of both sessions, such as `06`.
        public var version: String
        /// The transport of both sessions.
        public var transport: String
        /// The number that went in.
        public var code: UInt64
        /// What came out.
        public var outcome: HopOutcome
        /// What that means.
        public var fate: HopFate

        /// A row of its parts.
        public init(
            way: HopWay, version: String, transport: String, code: UInt64, outcome: HopOutcome, fate: HopFate
        ) {
            self.way = way
            self.version = version
            self.transport = transport
            self.code = code
            self.outcome = outcome
            self.fate = fate
        }
    }

    /// Where two tables part.
    public struct Difference: Sendable, Equatable {
        /// The row of this table.
        public var row: Row
        /// What came out according to the other.
        public var other: HopOutcome
    }

    /// The rows: by way, then version, transport and code.
    public private(set) var rows: [Row]

    /// A table of rows in any order.
    public init(_ rows: [Row]) {
        func place(_ way: HopWay) -> Int { HopWay.allCases.firstIndex(of: way) ?? 0 }
        self.rows = rows.sorted {
            (place($0.way), $1.version, $0.transport, $0.code) < (place($1.way), $0.version, $1.transport, $1.code)
        }
    }

    /// How many codes met a fate.
    public func count(_ fate: HopFate) -> Int { rows.count { $0.fate == fate } }

    /// Where both tables have a row and the outcomes differ; and how many rows both have.
    public func differences(from other: HopTable) -> (differences: [Difference], compared: Int) {
        struct Key: Hashable {
            var way: HopWay
            var version: String
            var transport: String
            var code: UInt64
        }
        func key(_ row: Row) -> Key {
            Key(way: row.way, version: row.version, transport: row.transport, code: row.code)
        }
        let others = Dictionary(other.rows.map { (key($0), $0.outcome) }) { first, _ in first }
        var found: [Difference] = []
        var compared = 0
        for row in rows {
            guard let outcome = others[key(row)] else { continue }
            compared += 1
            if outcome != row.outcome { found.append(Difference(row: row, other: outcome)) }
        }
        return (found, compared)
    }
}
