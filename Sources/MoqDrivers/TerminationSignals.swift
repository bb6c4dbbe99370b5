import CShim
import Glibc
import MoqBase

/// SIGINT and SIGTERM, taken in order instead of at any moment.
///
/// Make one before any other thread starts: the signals are blocked for the calling thread and for those that it
/// starts.
public final class TerminationSignals {
    private let descriptor: Int32

    /// Blocks the signals and begins to collect them.
    public init() {
        descriptor = moqspec_termination_signals()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The number of the signal that arrived (SIGINT or SIGTERM), waiting at most `limit`; nil when none did.
    public func wait(for limit: Duration) -> Int32? {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, Int32(clamping: Int(limit.milliseconds))) > 0 else { return nil }
        // struct signalfd_siginfo is 128 bytes and starts with the signal's number.
        var information = [UInt32](repeating: 0, count: 32)
        let size = read(descriptor, &information, 128)
        return size == 128 ? Int32(information[0]) : nil
    }
}
