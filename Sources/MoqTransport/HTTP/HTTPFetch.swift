import MoqBase

/// Why something could not be fetched over HTTP, in words that a person can act on.
public enum HTTPFetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The connection could not be made, or broke; the text says which and why.
    case connection(String)
    /// Nothing complete came within the deadline.
    case timeout(String)
    /// What came is no answer that can be used.
    case unusable(String)
    /// The server answered with another status than 200.
    case status(Int, String)

    public var description: String {
        switch self {
        case .connection(let why), .timeout(let why), .unusable(let why): why
        case .status(let status, let what): "\(what) was answered with HTTP status \(status)"
        }
    }
}

/// One GET over HTTP/1.1 without TLS: a body within a bound and a deadline, or an error in words.
public final class HTTPFetch: ByteStreamMachine {
    /// Where a relay of the original stack tells the fingerprint of its certificate.
    public static let fingerprintPath = "/certificate.sha256"
    /// The longest body that is taken unless asked otherwise: a fingerprint has 65 bytes.
    public static let defaultBodyLimit = 64 << 10
    /// How long connection and answer may take unless asked otherwise: as a QUIC handshake.
    public static let defaultWait = Duration.seconds(10)

    /// What came of it, once known.
    public private(set) var result: Result<HTTPAnswer, HTTPFetchError>?

    private let what: String
    private let wait: Duration
    private let until: Instant
    private var request: [UInt8]?
    private var parser: HTTPResponseParser

    /// Fetches `http://authority` + `path`; `authority` is host and port as the Host header carries them. The path is
    /// shown in errors without its query.
    public init(
        authority: String, path: String, at now: Instant, bodyLimit: Int = defaultBodyLimit,
        wait: Duration = defaultWait
    ) {
        what = "http://\(authority)\(path.prefix { $0 != "?" })"
        self.wait = wait
        until = now.advanced(by: wait)
        parser = HTTPResponseParser(bodyLimit: bodyLimit)
        let headers = [
            ("Host", authority), ("User-Agent", "moqspec"), ("Accept", "*/*"), ("Connection", "close"),
        ].map { HTTPHeader(name: $0.0, value: $0.1) }
        if let request = HTTPRequest(target: path, headers: headers) {
            self.request = request.bytes
        } else {
            result = .failure(.unusable("cannot fetch \(what): the path is badly escaped"))
        }
    }

    public func receive(_ bytes: [UInt8], at now: Instant) {
        guard result == nil else { return }
        settle(parser.take(bytes))
    }

    public func receiveEnd(failure: String?, at now: Instant) {
        guard result == nil else { return }
        if let failure {
            result = .failure(.connection("cannot fetch \(what): \(failure)"))
        } else {
            settle(parser.takeEnd())
        }
    }

    public func transmit(at now: Instant) -> [UInt8]? {
        defer { request = nil }
        return request
    }

    public var isFinished: Bool { result != nil }

    public var deadline: Instant? { result == nil ? until : nil }

    public func advance(to now: Instant) {
        guard result == nil, until <= now else { return }
        result = .failure(
            .timeout("cannot fetch \(what): no complete answer within \(wait); check the address and that it is HTTP"))
    }

    private func settle(_ outcome: HTTPResponseParser.Outcome) {
        switch outcome {
        case .incomplete: break
        case .answer(let answer) where answer.status == 200: result = .success(answer)
        case .answer(let answer): result = .failure(.status(answer.status, what))
        case .refused(let why): result = .failure(.unusable("cannot fetch \(what): \(why)"))
        }
    }

    /// The fingerprint in the answer to `fingerprintPath`: SHA-256 of the leaf certificate in 64 lowercase
    /// hexadecimal digits. Throws what went wrong, also when the body is none or nothing has come yet.
    public func fingerprint() throws(HTTPFetchError) -> String {
        guard let result else { throw .timeout("cannot fetch \(what): no answer has come") }
        let advice = "give the fingerprint with --fingerprint, or use an https:// URL"
        let body: [UInt8]
        switch result {
        case .success(let answer): body = answer.body
        case .failure(.status(404, let what)):
            throw .unusable("\(what) was answered with HTTP status 404: this server tells no fingerprint; \(advice)")
        case .failure(.status(let status, let what)):
            throw .unusable("\(what) was answered with HTTP status \(status) instead of a fingerprint; \(advice)")
        case .failure(.unusable(let why)): throw .unusable("\(why); \(advice)")
        case .failure(.timeout(let why)): throw .timeout("\(why); \(advice)")
        case .failure(.connection(let why)): throw .connection(why)
        }
        let text = String(decoding: body, as: UTF8.self).filter { !$0.isWhitespace }
        guard let bytes = Hexadecimal.decode(text), bytes.count == 32 else {
            let shown = String(decoding: body.prefix(40).filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
            throw .unusable("\(what) gave no SHA-256 fingerprint (64 hexadecimal digits) but `\(shown)`; \(advice)")
        }
        return Hexadecimal.encode(bytes)
    }
}
