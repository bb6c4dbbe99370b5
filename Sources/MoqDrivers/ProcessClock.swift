import Glibc
import MoqBase

/// The clocks of the process, for reports: never for what a machine decides.
public enum ProcessClock {
    /// Monotonic time.
    public static var monotonic: Instant {
        read(CLOCK_MONOTONIC)
    }

    /// Processor time that the calling thread has used.
    public static var threadTime: Duration {
        Instant.origin.duration(to: read(CLOCK_THREAD_CPUTIME_ID))
    }

    /// Processor time that the process has used.
    public static var processTime: Duration {
        Instant.origin.duration(to: read(CLOCK_PROCESS_CPUTIME_ID))
    }

    /// Seconds since 1970, for certificates and the date of a report.
    public static var secondsSince1970: Int64 {
        Int64(Glibc.time(nil))
    }

    /// What has passed since 1970, for the time by which tokens expire.
    public static var since1970: Duration {
        Instant.origin.duration(to: read(CLOCK_REALTIME))
    }

    /// The date and time in ISO 8601, UTC.
    public static var iso8601: String {
        var seconds = Glibc.time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A seed that differs from run to run, drawn from the system.
    public static func freshSeed() -> UInt64 {
        UInt64.random(in: 1...UInt64(UInt32.max))
    }

    /// Lets the calling thread rest. For watching what cannot be waited for (a process that is starting), never for
    /// what decides a verdict.
    public static func pause(_ duration: Duration) {
        var time = timespec(
            tv_sec: Int(duration.wholeNanoseconds / 1_000_000_000),
            tv_nsec: Int(duration.wholeNanoseconds % 1_000_000_000))
        nanosleep(&time, nil)
    }

    /// How many processors there are for the process to run on, at least 1.
    public static var processors: Int {
        max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    private static func read(_ clock: clockid_t) -> Instant {
        var time = timespec()
        clock_gettime(clock, &time)
        return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}
