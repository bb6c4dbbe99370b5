import MoqBase
import MoqEvents
import MoqScenario
import MoqTransport

extension SessionActor {
    /// Writes a request of HTTP/1.1 on the TCP connection of a raw actor.
    func get(_ action: GetAction) throws(RunnerError) {
        guard let line = rawLine, isConnected else { throw .unusable("\(name) is not connected, so it cannot ask") }
        var target = action.path
        if let below = action.below {
            guard let path = scene.path(below) else { throw .unusable("`\(below)` is no path") }
            target += Self.escaped("\(line.connection.route.requestPath)/\(path)")
        }
        if let query = action.query { target += "?\(query)" }
        let request = "GET \(target) HTTP/1.1\r\nHost: \(line.connection.route.authority)\r\nConnection: close\r\n\r\n"
        line.transport.write(Array(request.utf8), to: ByteStreamSession.stream)
        scene.note(.check, name, "asks for \(target)")
    }

    /// A path for a request: whatever has a meaning there, or is not ASCII, as a percent sign and two digits.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "/-._~".contains(character))
            return isPlain ? String(character) : "%\(Hexadecimal.encode([byte]))"
        }.joined()
    }
}
