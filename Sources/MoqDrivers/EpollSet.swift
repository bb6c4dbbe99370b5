import CShim
import Glibc
import MoqBase

/// The one place where a socket driver waits.
final class EpollSet {
    /// How many ready descriptors are told at once; the rest is told the next time.
    private static let readyAtOnce = 64

    /// A descriptor that is ready for something.
    struct Ready {
        var token: UInt64
        var isReadable: Bool
        var isWritable: Bool
        var hasFailed: Bool
    }

    private let descriptor: Int32
    private var ready = [shim_ready](repeating: shim_ready(), count: EpollSet.readyAtOnce)

    init() throws(DriverError) {
        descriptor = shim_epoll_open()
        if descriptor < 0 { throw .system("cannot open an epoll set: \(SystemError.text(Int(descriptor)))") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches a descriptor under a token.
    func add(_ fd: Int32, token: UInt64, wantsRead: Bool = true, wantsWrite: Bool = false) throws(DriverError) {
        let code = shim_epoll_set(descriptor, fd, 1, wantsRead ? 1 : 0, wantsWrite ? 1 : 0, token)
        if code < 0 { throw .system("cannot watch a socket: \(SystemError.text(Int(code)))") }
    }

    /// Watches a descriptor for other things.
    func change(_ fd: Int32, token: UInt64, wantsRead: Bool = true, wantsWrite: Bool) {
        // It cannot fail for a descriptor that was added.
        _ = shim_epoll_set(descriptor, fd, 0, wantsRead ? 1 : 0, wantsWrite ? 1 : 0, token)
    }

    /// Watches a descriptor no more.
    func remove(_ fd: Int32) {
        _ = shim_epoll_remove(descriptor, fd)
    }

    /// Waits until something is ready, at most for `time` (nil: without end). A signal ends it early.
    func wait(_ time: Duration?) throws(DriverError) -> [Ready] {
        let nanoseconds = time.map { max($0.wholeNanoseconds, 0) } ?? -1
        let count = shim_epoll_wait(descriptor, &ready, Int32(Self.readyAtOnce), nanoseconds)
        if count < 0 { throw .system("cannot wait for sockets: \(SystemError.text(Int(count)))") }
        return ready.prefix(Int(count)).map {
            Ready(
                token: $0.token, isReadable: $0.events & shim_readable() != 0,
                isWritable: $0.events & shim_writable() != 0, hasFailed: $0.events & shim_failed() != 0)
        }
    }
}

/// Wakes a waiting socket driver through an eventfd.
final class EventWaker: Waker {
    let descriptor: Int32

    init() throws(DriverError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        if descriptor < 0 { throw .system("cannot open an eventfd: \(SystemError.text(Int(errno)))") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func wake() {
        // It fails only when 2^64 - 2 wakes are pending, and then the driver wakes anyway.
        _ = eventfd_write(descriptor, 1)
    }

    /// Forgets the wakes so far.
    func settle() {
        var count = eventfd_t()
        _ = eventfd_read(descriptor, &count)
    }
}
