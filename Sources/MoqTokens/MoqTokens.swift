// The room of access tokens: JSON Web Keys, JSON Web Tokens, and the claims that moq-lite relays understand.
//
// A key signs claims into a token and verifies a token back into claims (OpenSSL does the cryptography, Jansson reads the
// JSON). Time is given, never read. Which session may do what with its claims is the relay's to say.
