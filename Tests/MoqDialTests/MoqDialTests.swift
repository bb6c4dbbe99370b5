// The tests of MoqDial.
