import MoqBase
import MoqDrivers
import MoqTransport
import Testing

@testable import MoqDial

@Suite struct FingerprintFetchTests {
    private func fetch(_ answer: String?, ends: Bool = true) throws -> Result<String, DialError> {
        let scene = try DialScene()
        if let answer { try scene.serveStreams { _ in Parrot(answer, ends: ends) } }
        do {
            return .success(
                try FingerprintFetch.fetch(
                    from: "localhost:4443", at: scene.address, on: scene.driver, wait: .seconds(2)))
        } catch {
            return .failure(error)
        }
    }

    private func complaint(_ answer: String?, ends: Bool = true) throws -> String {
        switch try fetch(answer, ends: ends) {
        case .success(let digits): "no complaint, but \(digits)"
        case .failure(let error): error.description
        }
    }

    @Test func theDigitsAreTakenWithoutWhatIsAroundThem() throws {
        let digits = String(repeating: "Ab", count: 32)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 65\r\n\r\n\(digits)\n"
        #expect(try fetch(answer) == .success(digits.lowercased()))
    }

    @Test func nonsenseIsToldWithWhatToTry() throws {
        let html = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>"
        #expect(try complaint(html).contains("--fingerprint"))
        #expect(try complaint("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").contains("404"))
        for answer in ["HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n"] {
            #expect(try complaint(answer).contains("--fingerprint"))
        }
        #expect(try complaint("SSH-2.0-OpenSSH_9.2\r\n").contains("http://localhost:4443/certificate.sha256"))
        for text in [html, "SSH-2.0-x\r\n"] { #expect(try !complaint(text).contains("\n")) }
    }

    @Test func silenceAndAClosedPortEndInTime() throws {
        #expect(try complaint("", ends: false).contains("within"))
        #expect(try complaint("", ends: false).contains("--fingerprint"))
        #expect(try complaint(nil).contains("--fingerprint"))
    }
}
