import MoqJSON

// Keys as files have them: JSON, or the base64url of that JSON in one line, as `moq-token` writes them.
extension JSONWebKey {
    /// Reads a key from the bytes of a file, at most `TokenLimits.keyFile` of them.
    public init(reading bytes: [UInt8]) throws(TokenError) {
        guard bytes.count <= TokenLimits.keyFile else {
            throw .unusableKey("it has more than \(TokenLimits.keyFile) bytes")
        }
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        var text = bytes.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        guard !text.isEmpty else { throw .unusableKey("it is empty") }
        if text.first == UInt8(ascii: "{") {
            try self.init(json: Array(text))
        } else {
            guard let json = Base64URL.bytes(String(decoding: text, as: UTF8.self), padded: true) else {
                throw .unusableKey("it is neither JSON nor the base64url of JSON")
            }
            try self.init(json: json)
        }
    }

    private init(json bytes: [UInt8]) throws(TokenError) {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            // What the reader says may quote the document.
            throw .unusableKey("line \(error.line), column \(error.column) is not JSON")
        }
        guard document.members != nil else { throw .unusableKey("it is no JSON object") }
        if document["keys"] != nil { throw .unusableKey("it is a set of keys; give one key of it") }
        let members = KeyMembers(document: document)
        guard let name = document["alg"]?.string else {
            throw .unusableKey("its `alg` is missing; one of \(Self.algorithmNames)")
        }
        guard let algorithm = TokenAlgorithm(rawValue: name) else {
            throw .unusableKey("its `alg` is none of \(Self.algorithmNames)")
        }
        try self.init(
            algorithm, try members.material(), id: try members.text("kid"), operations: try members.operations(),
            scope: try members.scope())
    }

    private static let algorithmNames = TokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")

    /// The key as JSON, private part included.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("alg", algorithm.rawValue)
            writer.member("key_ops", operations.map(\.rawValue))
            writer.member("kid", id)
            if let scope { scope.write(to: &writer) }
            write(material, to: &writer)
        }
        return writer.bytes
    }

    /// The key in the one line that `moq-token` writes to a file, private part included.
    public var fileText: String { Base64URL.text(json) }

    private func write(_ material: KeyMaterial, to writer: inout JSONWriter) {
        var numbers: [(String, [UInt8]?)]
        switch material {
        case .secret(let secret):
            writer.member("kty", "oct")
            numbers = [("k", secret)]
        case .rsa(let modulus, let exponent, let secret):
            writer.member("kty", "RSA")
            numbers = [("n", modulus), ("e", exponent)]
            if let secret {
                numbers += [("d", secret.d), ("p", secret.p), ("q", secret.q)]
                numbers += [("dp", secret.dp), ("dq", secret.dq), ("qi", secret.qi)]
            }
        case .elliptic(let curve, let x, let y, let d):
            writer.member("kty", "EC")
            writer.member("crv", curve.rawValue)
            numbers = [("x", x), ("y", y), ("d", d)]
        case .ed25519(let x, let d):
            writer.member("kty", "OKP")
            writer.member("crv", "Ed25519")
            numbers = [("x", x), ("d", d)]
        }
        for (name, bytes) in numbers { writer.member(name, bytes.map(Base64URL.text)) }
    }
}

/// The members of a key's JSON.
private struct KeyMembers {
    let document: JSONValue

    func material() throws(TokenError) -> KeyMaterial {
        // Old key files have no `kty`, and are secrets.
        switch try text("kty") ?? "oct" {
        case "oct": return .secret(try number("k"))
        case "RSA":
            guard document["oth"] == nil else {
                throw .unusableKey("RSA keys of more than two primes are not supported")
            }
            return .rsa(modulus: try number("n"), exponent: try number("e"), secret: try rsaSecret())
        case "EC":
            guard let curve = EllipticCurve(rawValue: try text("crv") ?? "") else {
                throw .unusableKey("its curve (`crv`) is neither P-256 nor P-384")
            }
            let (x, y) = (try number("x"), try number("y"))
            let d = try optionalNumber("d")
            guard x.count == curve.length, y.count == curve.length, d?.count ?? curve.length == curve.length else {
                throw .unusableKey("its `x`, `y` and `d` have \(curve.length) bytes each on \(curve.rawValue)")
            }
            return .elliptic(curve, x: x, y: y, d: d)
        case "OKP":
            guard try text("crv") == "Ed25519" else { throw .unusableKey("its curve (`crv`) is not Ed25519") }
            let (x, d) = (try number("x"), try optionalNumber("d"))
            guard x.count == 32, d?.count ?? 32 == 32 else {
                throw .unusableKey("its `x` and `d` have 32 bytes each on Ed25519")
            }
            return .ed25519(x: x, d: d)
        default: throw .unusableKey("its `kty` is none of oct, RSA, EC and OKP")
        }
    }

    private func rsaSecret() throws(TokenError) -> KeyMaterial.RSASecret? {
        guard let d = try optionalNumber("d") else { return nil }
        return KeyMaterial.RSASecret(
            d: d, p: try number("p"), q: try number("q"), dp: try number("dp"), dq: try number("dq"),
            qi: try number("qi"))
    }

    func operations() throws(TokenError) -> [JSONWebKey.Operation] {
        guard let value = document["key_ops"] else { return JSONWebKey.Operation.allCases }
        guard let names = value.elements?.map(\.string) else { throw .unusableKey("its `key_ops` are no list") }
        return JSONWebKey.Operation.allCases.filter { operation in names.contains { $0 == operation.rawValue } }
    }

    func scope() throws(TokenError) -> TokenScope? {
        guard let value = document["scope"] else { return nil }
        if case .null = value { return nil }
        guard value.members != nil else { throw .unusableKey("its `scope` is no object") }
        do {
            return TokenScope(
                root: try ClaimReader.text("root", of: value) ?? "",
                publish: try ClaimReader.prefixes("put", of: value),
                subscribe: try ClaimReader.prefixes("get", of: value))
        } catch {
            throw .unusableKey("its `scope` cannot be understood")
        }
    }

    func text(_ name: String) throws(TokenError) -> String? {
        switch document[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw .unusableKey("its `\(name)` is no string")
        }
    }

    private func number(_ name: String) throws(TokenError) -> [UInt8] {
        guard let number = try optionalNumber(name) else { throw .unusableKey("its `\(name)` is missing") }
        return number
    }

    private func optionalNumber(_ name: String) throws(TokenError) -> [UInt8]? {
        guard let text = try text(name) else { return nil }
        guard let bytes = Base64URL.bytes(text, padded: true), !bytes.isEmpty else {
            throw .unusableKey("its `\(name)` is no base64url")
        }
        return bytes
    }
}
