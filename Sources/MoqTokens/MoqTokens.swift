// The room of access tokens: JSON Web Keys (RFC 7517, 7518, 8037), JSON Web Tokens (RFC 7515, 7519), and the claims that
// moq-lite relays understand (`root`, `put`, `get`, `exp`, `iat`).
//
// A `JSONWebKey` signs `TokenClaims` into a token and verifies a token back into claims: `KeyHandle` lets OpenSSL do
// the cryptography, `JSONValue` reads the JSON. `TokenClaims.permissions(at:)` says what the claims allow on one request
// path, and `RequestToken` finds a token in the query of a request path and puts it there.
//
// Time is given as a duration since 1970, never read. Errors never hold a token, a key or a part of one. What a
// session with its permissions may do is the relay's to say.
