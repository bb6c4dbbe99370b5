// The room of dialling: from the URL of a relay to a session on a driver.
//
// - `Route`: where a relay is met over one transport, and how its certificate is judged. `Route.routes` knows which
//   routes a URL opens.
// - `DialPlan`: a route with what is offered on it: protocol names, limits, key log, chance.
// - `Connection`: the machine of a plan on a driver, and the `TransportSession` that it carries; of several plans it is
//   a race, as the reference client runs it, and the session is that of the winner.
// - `ConnectionFacts`: what was agreed on, for reports.
//
// Nothing here reads a clock or opens a socket: all of it goes through a `Driver`, real or simulated.
