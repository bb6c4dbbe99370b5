import MoqDrivers
import MoqScenario

extension SuiteLoader {
    /// More threads than this are not worth their start: the files are read in a fraction of a second.
    private static let mostThreads = 8

    /// Reads files that make up one run, on as many threads at once as there are processors. What comes of it is the same
    /// as on one, in the order of the files.
    public func loadInParallel(_ files: [ScenarioFile]) -> LoadResult {
        load(files, threads: min(ProcessClock.processors, Self.mostThreads))
    }

    /// The same on a number of threads.
    func load(_ files: [ScenarioFile], threads: Int) -> LoadResult {
        let reading = SharedReading(self, files)
        var helpers: [WorkerThread] = []
        for _ in 1..<max(1, min(threads, files.count)) {
            // What cannot be had is done without: this thread reads on until all is read.
            if let helper = try? WorkerThread({ reading.readOn() }) { helpers.append(helper) }
        }
        reading.readOn()
        for helper in helpers { helper.join() }
        return combine(reading.results)
    }
}

/// Files that several threads read, each file by one of them.
private final class SharedReading: @unchecked Sendable {
    // Sendable by its lock: every access to the state below holds it.
    private let lock = Lock()
    private var next = 0
    private var read: [Int: FileReading] = [:]
    private let loader: SuiteLoader
    private let files: [ScenarioFile]
    /// The places of the files, the longest first, so that no thread begins with it when the others are done.
    private let order: [Int]

    init(_ loader: SuiteLoader, _ files: [ScenarioFile]) {
        self.loader = loader
        self.files = files
        order = files.indices.sorted { (files[$1].bytes.count, $0) < (files[$0].bytes.count, $1) }
    }

    /// Reads files until none is left.
    func readOn() {
        while let index = takeNext() {
            let result = loader.read(files[index])
            lock.locked { read[index] = result }
        }
    }

    private func takeNext() -> Int? {
        lock.locked {
            guard next < order.count else { return nil }
            defer { next += 1 }
            return order[next]
        }
    }

    /// What came of all of them, in their order.
    var results: [FileReading] {
        lock.locked { files.indices.compactMap { read[$0] } }
    }
}
