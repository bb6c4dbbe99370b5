import MoqBase

/// Which server certificates a client accepts.
public enum CertificateTrust: Hashable, Sendable {
    /// Those that lead to a root of the operating system and carry the host name.
    case systemRoots
    /// Those that lead to a root in one of these PEM files and carry the host name.
    case roots([String])
    /// Those whose leaf has one of these SHA-256 fingerprints (64 hexadecimal digits); name and dates do not matter.
    case pinned([String])
    /// All of them. Only ever on the user's explicit wish.
    case insecure

    /// The same with fingerprints as 64 lowercase digits; colons and spaces in them are taken. Throws when one is none.
    public func normalized() throws(QUICError) -> CertificateTrust {
        guard case .pinned(let fingerprints) = self else { return self }
        var result: [String] = []
        for fingerprint in fingerprints {
            let text = fingerprint.filter { $0 != ":" && !$0.isWhitespace }
            guard let bytes = Hexadecimal.decode(text), bytes.count == 32 else {
                throw .unusableCertificate(
                    "'\(fingerprint)' is not a SHA-256 fingerprint: it takes 64 hexadecimal digits")
            }
            result.append(Hexadecimal.encode(bytes))
        }
        if result.isEmpty { throw .unusableCertificate("no certificate fingerprint to pin was given") }
        return .pinned(result)
    }
}

/// Why a certificate was refused, so that a person can decide what to do about it.
public struct CertificateRefusal: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    public enum Problem: Hashable, Sendable {
        /// No trusted root vouches for it.
        case unknownIssuer
        case expired
        case notYetValid
        /// It is not for the host that was dialled.
        case nameMismatch(expected: String)
        /// The leaf's fingerprint is none of those pinned.
        case fingerprintMismatch(expected: [String])
        /// The server sent none.
        case missing
        /// Anything else, in words.
        case other(String)
    }

    /// What is wrong with it.
    public var problem: Problem
    /// SHA-256 of the leaf that was seen, in lowercase hexadecimal; empty if there was none.
    public var fingerprint: String

    /// A refusal of its parts.
    public init(problem: Problem, fingerprint: String) {
        self.problem = problem
        self.fingerprint = fingerprint
    }

    public var description: String {
        let what =
            switch problem {
            case .unknownIssuer: "the certificate's issuer is not trusted (self-signed, or by an unknown authority)"
            case .expired: "the certificate has expired"
            case .notYetValid: "the certificate is not valid yet"
            case .nameMismatch(let expected): "the certificate is not for \(expected)"
            case .fingerprintMismatch(let expected):
                "the certificate's fingerprint is not the pinned one (\(expected.joined(separator: ", ")))"
            case .missing: "the server sent no certificate"
            case .other(let words): "the certificate is not acceptable: \(words)"
            }
        return fingerprint.isEmpty ? what : "\(what); its SHA-256 fingerprint is \(fingerprint)"
    }
}
