// The room of dialling: from the URL of a relay to a session on a driver.
//
// A plan says what is to be dialled over which transport and with which trust; `Connection` puts the machines on a
// driver, whatever they are, and takes them away again. It fetches fingerprints, and races transports.
