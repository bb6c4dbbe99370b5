// The drivers room: what turns the crank of the machines in `MoqBase`.
//
// - `SocketDriver`: one thread, one epoll set, UDP and TCP sockets, the monotonic clock.
// - `SimulatedDriver`: a virtual clock and a virtual network, both from one seed.
// - `ImpairedLink` under `LinkConditions`: delay, jitter, loss, reordering, duplication, rate and cuts, the same in both
//   worlds and proven by `LinkStatistics`. `StreamLink` is the same under TCP, which turns all of it into time.
//
// A turn: every machine is asked once what it has to send and when it wants to be woken; what it gives passes its link
// outwards; the driver waits; what arrived passes the receiver's link inwards and reaches the machine.
//
// A driver knows no protocol. It belongs to one thread and shares nothing.
