import MoqBase
import MoqKit
import MoqMedia

/// The words and numbers in which publishing and watching are told.
enum LiveText {
    /// `12.345`: seconds since a beginning, in a column.
    static func time(_ since: Duration) -> String { padded(since.secondsText(decimals: 3), to: 8) }

    static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `1.25 Mbit/s` or `96 kbit/s`, of bits a second.
    static func rate(_ bits: Double) -> String {
        bits >= 1_000_000 ? "\(decimals(bits / 1_000_000, 2)) Mbit/s" : "\(decimals(bits / 1000, 0)) kbit/s"
    }

    /// `85 ms`, of microseconds.
    static func milliseconds(_ microseconds: Int64) -> String { "\((microseconds + 500) / 1000) ms" }

    /// A number with so many decimals.
    static func decimals(_ number: Double, _ count: Int) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "-" }
        let scale = [1.0, 10, 100, 1000][min(max(count, 0), 3)]
        let whole = Int64((number * scale).rounded())
        guard count > 0 else { return String(whole) }
        let fraction = String(abs(whole) % Int64(scale))
        return "\(whole < 0 ? "-" : "")\(abs(whole) / Int64(scale))."
            + String(repeating: "0", count: count - fraction.count) + fraction
    }

    /// `video0: avc1.64001f, 1920x1080, 30 fps, legacy`.
    static func rendition(_ rendition: Rendition) -> String {
        var parts = ["\(rendition.name): \(rendition.codec)"]
        if let width = rendition.width, let height = rendition.height { parts.append("\(width)x\(height)") }
        if let rate = rendition.frameRate { parts.append("\(decimals(rate, 2)) fps") }
        if let rate = rendition.sampleRate { parts.append("\(rate) Hz") }
        if let channels = rendition.channels { parts.append(channels == 1 ? "mono" : "\(channels) channels") }
        parts.append(container(rendition))
        if !rendition.isPlayable { parts.append("not playable") }
        return parts.joined(separator: ", ")
    }

    static func container(_ rendition: Rendition) -> String {
        switch rendition.container {
        case .legacy: "legacy"
        case .loc: "loc"
        case .cmaf: "cmaf"
        }
    }

    /// `H.264, 160x120, 10.00 fps` of a file's track.
    static func track(_ format: TrackFormat) -> String {
        var parts = ["\(format.codec) (\(format.codecString))"]
        if let width = format.width, let height = format.height { parts.append("\(width)x\(height)") }
        if let rate = format.frameRate { parts.append("\(decimals(rate, 2)) fps") }
        if let rate = format.sampleRate { parts.append("\(rate) Hz") }
        if let channels = format.channelCount { parts.append(channels == 1 ? "mono" : "\(channels) channels") }
        return parts.joined(separator: ", ")
    }
}
