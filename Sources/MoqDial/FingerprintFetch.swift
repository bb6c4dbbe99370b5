import MoqBase
import MoqDrivers
import MoqTransport

/// Fetches the fingerprint of a relay's certificate from an `http://` URL, as the reference client does: GET
/// `/certificate.sha256` at the same host and port. The answer is then pinned.
public enum FingerprintFetch {
    /// How long it may go unnoticed that the owner wants to stop.
    private static let attention = Duration.milliseconds(100)

    /// The SHA-256 of the leaf certificate, in hexadecimal digits. Turns the driver's crank until it is there or
    /// `wait` is over; throws what went wrong and what to try.
    public static func fetch(
        from authority: String, at address: NetworkAddress, on driver: any Driver,
        wait: Duration = HTTPFetch.defaultWait, isCutShort: () -> Bool = { false }
    ) throws(DialError) -> String {
        let machine = HTTPFetch(
            authority: authority, path: HTTPFetch.fingerprintPath, at: driver.now, wait: wait)
        do {
            try driver.connect(machine, to: address)
        } catch {
            throw .socket("\(error)")
        }
        defer { driver.unbind(machine) }
        let limit = driver.now.advanced(by: wait)
        while machine.result == nil, driver.now < limit {
            guard !isCutShort() else { throw .fingerprint("the fetch of the fingerprint was cut short") }
            do {
                try driver.turn(until: min(limit, driver.now.advanced(by: attention)))
            } catch {
                throw .socket("\(error)")
            }
        }
        machine.advance(to: driver.now)
        do {
            return try machine.fingerprint()
        } catch {
            switch error {
            case .connection, .timeout: throw .unreachable(advice(error))
            case .unusable, .status: throw .fingerprint(advice(error))
            }
        }
    }

    /// The reason with what to try, where the fetch does not say that by itself.
    private static func advice(_ error: HTTPFetchError) -> String {
        let text = error.description
        guard case .connection = error else { return text }
        return
            "\(text); an http:// URL needs a relay that tells the fingerprint of its certificate over TCP at the same "
            + "port: start it, pin the certificate with --fingerprint, or use an https:// URL"
    }
}
