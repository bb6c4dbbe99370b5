import MoqBase

extension Driver {
    /// Binds a machine on several hosts, one of each family, under one port number; with `accept`, byte streams are
    /// accepted under the same number too. Gives the addresses in the order of `hosts`.
    ///
    /// Port 0 chooses a number that is free everywhere. Hosts that this machine does not have (no IPv6, say) are left
    /// out as long as one is left. On an error nothing stays bound.
    public func bind(
        _ machine: any DatagramMachine, on hosts: [NetworkAddress.Host], port: UInt16,
        accept: ((NetworkAddress) -> (any ByteStreamMachine)?)? = nil
    ) throws(DriverError) -> [NetworkAddress] {
        // Each attempt begins with a number that the driver chose; that all of so many are taken elsewhere has
        // another reason than bad luck.
        var attemptsLeft = port == 0 ? 16 : 1
        while true {
            attemptsLeft -= 1
            var bound: [NetworkAddress] = []
            var listening: [NetworkAddress] = []
            var missing: DriverError?
            do throws(DriverError) {
                for host in hosts {
                    let wanted = NetworkAddress(host: host, port: bound.first?.port ?? port)
                    do throws(DriverError) {
                        let address = try bind(machine, to: wanted)
                        bound.append(address)
                        if let accept { listening.append(try listen(on: address, accept: accept)) }
                    } catch .addressUnavailable(let address, let why) {
                        missing = .addressUnavailable(address, why)
                    }
                }
                if let missing, bound.isEmpty { throw missing }
                return bound
            } catch {
                unbind(machine)
                for address in listening { stopListening(at: address) }
                guard attemptsLeft > 0, case .cannotBind = error else { throw error }
            }
        }
    }
}
