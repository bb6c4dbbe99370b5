import MoqBase
import MoqTransport
import MoqWire

/// What was judged, and how it came out.
extension SessionMonitor {
    /// A rule had something to judge, and it was right.
    func held(_ rule: MonitorRule) { checks.held(rule) }

    /// Judges something by a rule.
    func check(
        _ rule: MonitorRule, _ holds: Bool, on record: StreamRecord, _ message: TappedMessage,
        _ words: @autoclosure () -> String
    ) {
        if holds { checks.held(rule) } else { note(rule, on: record, message, words()) }
    }

    /// Judges something by a rule that has no bytes to show.
    func check(_ rule: MonitorRule, _ holds: Bool, on stream: StreamID?, _ words: @autoclosure () -> String) {
        if holds { checks.held(rule) } else { note(rule, on: stream, words()) }
    }

    /// Writes down a breach, as far as there is room and the rule belongs to the profile.
    func note(
        _ rule: MonitorRule, on stream: StreamID?, at offset: UInt64? = nil, _ bytes: [UInt8], _ words: String
    ) {
        if let profile = rule.profile, profile != configuration.profile { return }
        checks.broken(rule)
        guard breaches.count < MonitorLimits.breaches, admits(rule) else { return }
        let evidence = Array(bytes.prefix(MonitorLimits.evidenceBytes))
        append(
            MonitorBreach(
                rule: rule, stream: stream, offset: offset, bytes: withoutSecrets(evidence),
                explanation: withoutSecrets(words), instant: now, lacking: lacking(rule)))
    }

    func note(_ rule: MonitorRule, on stream: StreamID?, at offset: UInt64? = nil, _ words: String) {
        note(rule, on: stream, at: offset, [], words)
    }

    func note(_ rule: MonitorRule, on record: StreamRecord, _ message: TappedMessage, _ words: String) {
        note(rule, on: record.id, at: message.offset, message.bytes, words)
    }

    /// The capability for want of which the relay is not held to a rule.
    private func lacking(_ rule: MonitorRule) -> String? {
        guard let name = rule.needs, !configuration.lacking.isEmpty else { return nil }
        let isLacking =
            configuration.lacking.contains(name)
            || version.map { configuration.lacking.contains("\(name)@\($0.name)") } ?? false
        return isLacking ? name : nil
    }

    // MARK: Secrets

    private func withoutSecrets(_ words: String) -> String {
        configuration.secrets.filter { !$0.isEmpty }.reduce(words) { $0.replacing($1, with: "[secret]") }
    }

    private func withoutSecrets(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for secret in configuration.secrets where !secret.isEmpty {
            // Evidence may end inside of one.
            let needle = Array(secret.utf8)
            for start in bytes.indices {
                let length = min(needle.count, bytes.count - start)
                let isBeginning = length >= min(needle.count, MonitorLimits.tellingBytes)
                guard isBeginning, bytes[start..<start + length].elementsEqual(needle[..<length]) else { continue }
                for index in start..<start + length { bytes[index] = UInt8(ascii: "*") }
            }
        }
        return bytes
    }
}
