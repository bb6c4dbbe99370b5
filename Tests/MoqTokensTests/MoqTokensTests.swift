// The tests of MoqTokens.
