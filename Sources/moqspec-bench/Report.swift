import Glibc
import MoqBase
import MoqEvents
import MoqJSON

/// What a benchmark says: JSON lines on standard output, each with the name of what happened.
enum Report {
    /// A value of a line.
    enum Value {
        case text(String)
        case number(Int)
        /// A number with three decimals.
        case decimal(Double)
    }

    static func say(_ event: String, _ fields: [(String, Value)] = []) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("event", event)
            for (name, value) in fields {
                switch value {
                case .text(let text): writer.member(name, text)
                case .number(let number): writer.member(name, number)
                case .decimal(let number):
                    writer.name(name)
                    writer.value(seconds: .nanoseconds(Int64(number * 1e9)))
                }
            }
        }
        print(String(decoding: writer.bytes, as: UTF8.self))
        fflush(nil)
    }

    static func fail(_ error: BenchError) -> Never {
        say("failed", [("error", .text(error.description))])
        exit(1)
    }
}

/// Numbers in order, and what is typical of them.
struct Sample {
    private let sorted: [Double]

    init(_ numbers: [Double]) {
        sorted = numbers.sorted()
    }

    var count: Int { sorted.count }
    var sum: Double { sorted.reduce(0, +) }
    var mean: Double { sorted.isEmpty ? 0 : sum / Double(count) }
    var most: Double { sorted.last ?? 0 }

    /// The number below which so great a part of them lies.
    func quantile(_ part: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(count - 1, Int(Double(count) * part))]
    }

    var median: Double { quantile(0.5) }
}

/// What the process holds in memory.
enum ProcessMemory {
    /// Resident bytes (the second number of /proc/self/statm, in pages).
    static var resident: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// Standard input, by which whoever runs several benchmarks together says when to go on.
struct Instructions {
    private(set) var lines = 0
    private(set) var isEnded = false

    /// Looks for what came since, without waiting.
    mutating func look() {
        var watched = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        while !isEnded, poll(&watched, 1, 0) > 0 {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(0, &bytes, bytes.count)
            if count <= 0 { isEnded = true } else { lines += bytes.prefix(count).filter { $0 == 10 }.count }
        }
    }
}
