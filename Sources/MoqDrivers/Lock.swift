import Glibc

/// A lock for the few things that threads share. (`Synchronization.Mutex` makes the thread sanitizer report races
/// that are none.)
public final class Lock: @unchecked Sendable {
    // Sendable because a mutex is made to be used from several threads.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// A lock that is free.
    public init() {
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while no other thread runs one under this lock.
    public func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
