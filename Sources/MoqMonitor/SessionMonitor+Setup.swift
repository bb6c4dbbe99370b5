import MoqBase
import MoqTransport
import MoqWire

/// SETUP of 05 and later, and the exchange of 01 and 02.
extension SessionMonitor {
    func readSetup(_ record: StreamRecord) -> Bool {
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        guard let setup = decode(Setup.self, message, on: record) else { return false }
        record.purpose = .setup(isRead: true)
        fulfil(.setupSent, on: nil)
        relaySetup = relaySetup ?? setup
        let stray = setup.parameters.first { parameter in
            switch parameter {
            case .path, .role: true
            default: false
            }
        }
        check(
            .setupClientOnly, stray == nil, on: record, message,
            "the relay's SETUP has the parameter \(stray?.id ?? 0)")
        for parameter in setup.parameters {
            switch parameter {
            case .path, .role: break
            case .hop(let hop): learnHop(hop, "SETUP", record, message)
            case .probe, .cost, .unknown: break
            }
        }
        expect(.setupOnce, on: record.id, "the relay did not end the stream of its SETUP")
        return true
    }

    func readExchange(_ exchange: ExchangeRecord, _ record: StreamRecord, _ version: Version) -> Bool {
        guard exchange.isAnswered else {
            guard let message = nextMessage(record, from: .relay, .exchange) else { return false }
            exchange.isAnswered = true
            guard let answer = decode(ServerSetup.self, message, on: record, form: .exchangeLength) else {
                return false
            }
            _ = expectations.fulfil(.exchangeAnswer, on: record.id)
            let number = String(answer.version, radix: 16)
            check(
                .exchangeAnswer, (exchange.offered ?? []).contains(answer.version), on: record, message,
                "the relay chose version 0x\(number), which was not offered")
            check(
                .exchangeParameters, answer.parameters.isEmpty, on: record, message,
                "SERVER_SETUP has \(answer.parameters.count) parameters")
            guard let chosen = Version(setupCode: answer.version), chosen.usesSetupExchange else {
                // Another protocol, or none that can be followed.
                isOver = true
                return false
            }
            self.version = chosen
            return true
        }
        guard let message = nextMessage(record, from: .relay, .counted) else { return false }
        return decode(SessionInfo.self, message, on: record) != nil
    }
}
