// The tests of MoqTLS.
