// The tests of MoqDial: every transport is dialled on the simulated network, against the server's end of the same
// binding or against something that is no relay at all.
