import MoqBase
import MoqConformance
import MoqScenario
import MoqTransport
import MoqWire

// What bytes that depend on the case are, once it runs.

extension SessionActor {
    /// The version of a raw actor: what it offers, whatever it says on its streams.
    var rawVersion: Version? { Version(name: definition.version ?? scene.scenario.version) }

    /// Bytes as they go out.
    func encode(_ parts: [RawBytes], _ version: Version?) throws(RunnerError) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts { bytes += try encode(part, version) }
        return bytes
    }

    private func encode(_ part: RawBytes, _ version: Version?) throws(RunnerError) -> [UInt8] {
        if case .bytes(let bytes) = part { return bytes }
        guard let version else { throw .unusable("\(name) has no version, so its messages cannot be written") }
        do throws(WireError) {
            return try message(part, version)
        } catch {
            throw .unusable("bytes that \(name) is to send cannot be written: \(error)")
        }
    }

    private func message(_ part: RawBytes, _ version: Version) throws(WireError) -> [UInt8] {
        switch part {
        case .bytes(let bytes):
            return bytes
        case .message(let parts):
            var inner: [UInt8] = []
            for part in parts { inner += try message(part, version) }
            return counted(inner)
        case .path(let broadcast):
            return counted(Array(spelled(broadcast).utf8))
        case .text(let text):
            return counted(Array(text.utf8))
        case .group(let subscription, let sequence):
            return try GroupHeader(subscribeID: subscription, sequence: sequence).encodeStream(version: version)
        case .frame(let size):
            // The difference to the time before, which is none.
            return (version.hasFrameTimestamps ? [0] : []) + number(size)
        case .announcements(let prefix):
            return try AnnounceRequest(prefix: path(prefix)).encodeStream(version: version)
        case .subscribe(let id, let track):
            return try Subscribe(
                id: id, broadcast: path(track.broadcast ?? ""), track: TrackName(track.track),
                options: SubscribeOptions(nil)
            ).encodeStream(version: version)
        case .track(let track):
            return try TrackRequest(broadcast: path(track.broadcast ?? ""), track: TrackName(track.track))
                .encodeStream(version: version)
        case .fetch(let track, let group):
            return try Fetch(
                broadcast: path(track.broadcast ?? ""), track: TrackName(track.track), priority: 0, group: group
            ).encodeStream(version: version)
        }
    }

    /// A path below the case's own as it was written, so that slashes to spare and far too many parts can be sent.
    private func spelled(_ broadcast: String) -> String {
        let prefix = scene.prefix.text
        return broadcast.isEmpty ? prefix : prefix.isEmpty ? broadcast : "\(prefix)/\(broadcast)"
    }

    private func path(_ broadcast: String) -> BroadcastPath { scene.path(broadcast) ?? .empty }

    private func counted(_ bytes: [UInt8]) -> [UInt8] { number(UInt64(bytes.count)) + bytes }

    private func number(_ value: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(value)
        return writer.bytes
    }
}

extension CodeBook {
    /// A code as it goes out on a stream.
    func sent(_ code: Code, on signal: CodeSignal) -> StreamCode {
        if case .wire(let number) = code { return .unmapped(raw: number) }
        return .code(numberToSend(for: code, on: signal))
    }
}
