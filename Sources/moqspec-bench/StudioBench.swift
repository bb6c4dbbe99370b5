import MoqBase
import MoqDrivers
import MoqLite
import MoqLive
import MoqMedia
import MoqWire

/// Publishes a media file again and again until standard input ends. Says `announced`.
struct StudioBench {
    private let target: BenchClient.Target
    private let path: BroadcastPath
    private let file: MediaFile

    init(_ flags: Flags) throws(BenchError) {
        target = try BenchClient.Target(flags)
        path = try broadcastPath(flags)
        let name = try flags.text("file")
        file = try BenchError.wrapping("reading") { try MediaFile.load(path: name) }
    }

    func run() throws(BenchError) {
        let driver = try SocketDriver.make()
        let client = try BenchClient(target, driver: driver, number: 0)
        var settings = PublishSettings(path: path)
        settings.loops = true
        let publisher = try BenchError.wrapping("publishing") {
            try FilePublisher(file, settings, on: client.session)
        }
        var instructions = Instructions()
        var isAnnounced = false
        while !instructions.isEnded {
            let limit = driver.now.advanced(by: .milliseconds(50))
            let due = min(publisher.deadline ?? limit, limit)
            try BenchError.wrapping("the driver") { try driver.turn(until: max(due, driver.now)) }
            let now = driver.now
            try client.process(at: now) { publisher.handle($0, at: now) }
            publisher.advance(to: now)
            _ = publisher.takeEvents()
            if !isAnnounced, publisher.state != .connecting {
                isAnnounced = true
                Report.say("announced")
            }
            instructions.look()
        }
        Report.say("result", [("cpu", .decimal(ProcessClock.processTime.inSeconds))])
    }
}
