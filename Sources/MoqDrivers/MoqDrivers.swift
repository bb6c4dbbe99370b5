// The drivers room: what turns the crank of the machines in `MoqBase`.
//
// - `SocketDriver`: one thread, one epoll set, UDP and TCP sockets, the monotonic clock.
// - `SimulatedDriver`: a virtual clock and a virtual network, both from one seed.
// - `LinkConditions` / the link: delay, jitter, loss, reordering, duplication and rate, the same in both worlds.
//
// A driver knows no protocol. It belongs to one thread and shares nothing.
