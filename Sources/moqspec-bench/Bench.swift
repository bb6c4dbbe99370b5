// moqspec-bench: how fast and how large things are. Not part of any test; `ci/bench` runs all of it, with the
// original stack beside it, and docs/benchmarks.md says what came of it.
//
// - `suites`: the whole suite on the embedded relay, in simulated and in real time.
// - `monitor`: the same in simulated time with and without the monitor, and what it adds.
// - `relay`: the embedded relay alone in a process, to be compared with another one.
// - `publish`, `subscribe`: a client of each kind in a process of its own, as fast as it can, at any relay.
// - `round-trips`: how long the first frame takes over each transport, in simulated time.
// - `media`: decoding the files of fixtures/media, beside ffmpeg's own command.
// - `studio`, `players`: a media file published again and again, and many players of it with what they cost.
// - `idle`: many sessions that do nothing, and what they weigh.
//
// Each prints JSON lines, the last of which is its result; `ci/peers/bench_client.py` speaks the same with the
// original client. What is measured is the rooms: nothing here is quick or slow by itself.
import Glibc

@main
enum Bench {
    private static let usage = """
        usage: moqspec-bench suites    [--scenarios DIR] [--world simulated|sockets|both] [--jobs N]
               moqspec-bench monitor   [--scenarios DIR] [--rounds N] [--jobs N]
               moqspec-bench relay     [--port N]
               moqspec-bench publish   --url URL [--broadcast NAME] [--size BYTES] [--frames N] [--groups N]
               moqspec-bench subscribe --url URL [--broadcast NAME] [--frames N] [--groups N] [--sessions N]
               moqspec-bench round-trips
               moqspec-bench media     [--files DIR] [--rounds N] [--repeats N]
               moqspec-bench studio    --url URL --file FILE [--broadcast NAME]
               moqspec-bench players   --url URL [--broadcast NAME] [--players N] [--sessions N] [--seconds N]
                                       [--target MS] [--decode yes|no]
               moqspec-bench idle      --url URL [--sessions N]
        """

    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(BenchError) {
            guard let command = words.first else { throw BenchError(usage) }
            let flags = try Flags(Array(words.dropFirst()))
            switch command {
            case "suites": try SuiteBench(flags).run()
            case "monitor": try MonitorBench(flags).run()
            case "relay": try RelayBench(flags).run()
            case "publish": try PublishBench(flags).run()
            case "subscribe": try SubscribeBench(flags).run()
            case "round-trips": try RoundTripBench(flags).run()
            case "media": try MediaBench(flags).run()
            case "studio": try StudioBench(flags).run()
            case "players": try PlayerBench(flags).run()
            case "idle": try IdleBench(flags).run()
            default: throw BenchError("there is no benchmark `\(command)`\n\(usage)")
            }
        } catch {
            Report.fail(error)
        }
    }
}

/// Why a benchmark could not be made, in words.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Does what may fail, and says in what.
    static func wrapping<Result>(_ what: String, _ body: () throws -> Result) throws(BenchError) -> Result {
        do {
            return try body()
        } catch {
            throw BenchError("\(what): \(error)")
        }
    }
}

/// Flags with a value each.
struct Flags {
    private var values: [String: String] = [:]

    init(_ words: [String]) throws(BenchError) {
        var index = 0
        while index < words.count {
            guard words[index].hasPrefix("--"), index + 1 < words.count else {
                throw BenchError("a flag with a value was expected where `\(words[index])` stands")
            }
            values[String(words[index].dropFirst(2))] = words[index + 1]
            index += 2
        }
    }

    func text(_ name: String, default fallback: String? = nil) throws(BenchError) -> String {
        guard let value = values[name] ?? fallback else { throw BenchError("--\(name) is missing") }
        return value
    }

    func number(_ name: String, default fallback: Int) throws(BenchError) -> Int {
        guard let text = values[name] else { return fallback }
        guard let value = Int(text), value >= 0 else { throw BenchError("--\(name) \(text): a number was expected") }
        return value
    }
}
