// The tests of MoqHTTP3.
