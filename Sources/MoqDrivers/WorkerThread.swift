import Glibc

/// A thread that runs one piece of work and can be waited for.
public final class WorkerThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private var thread = pthread_t()
    private var isJoined = false

    /// Stack for deep recursion in debug builds, well above the 8 MiB that the main thread has by default.
    private static let stackBytes = 16 << 20

    /// Starts the thread.
    public init(_ body: @escaping @Sendable () -> Void) throws(DriverError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackBytes)
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            throw .system("a thread could not be started: \(String(cString: strerror(result)))")
        }
    }

    /// Waits until the work is done.
    public func join() {
        guard !isJoined else { return }
        isJoined = true
        pthread_join(thread, nil)
    }
}
