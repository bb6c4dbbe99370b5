import Glibc
import MoqBase

/// A file that TLS secrets are appended to (the format of SSLKEYLOGFILE), so that captured traffic can be read.
public final class QUICKeyLog: Sendable {
    private let descriptor: Int32

    /// Opens the file at `path` for appending, and creates it readable by its owner only if need be.
    public init(path: String) throws(QUICError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .keyLog(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit {
        close(descriptor)
    }

    /// Appends one secret.
    func append(label: String, clientRandom: UnsafeRawBufferPointer, secret: UnsafeRawBufferPointer) {
        append(line: "\(label) \(Hexadecimal.encode(clientRandom)) \(Hexadecimal.encode(secret))")
    }

    /// Appends a line in the format of SSLKEYLOGFILE, given without its end.
    public func append(line text: String) {
        let line = Array("\(text)\n".utf8)
        // One write a line, so that several threads and processes may share the file.
        // A full disk must not end a session: a line may be lost.
        _ = write(descriptor, line, line.count)
    }
}
