import MoqMedia
import Testing

@Suite struct MediaReaderTests {
    @Test func aReaderThatDoesNotLoopEnds() throws {
        let file = try Fixture.file("bars-h264-aac.mp4")
        var reader = MediaReader(file)
        var packets: [MediaPacket] = []
        while let packet = reader.next() { packets.append(packet) }
        #expect(packets == file.packets)
        #expect(reader.peek() == nil)
    }

    @Test(arguments: Fixture.good)
    func timesGoOnFromLapToLap(_ name: String) throws {
        let file = try Fixture.file(name)
        var reader = MediaReader(file, isLooping: true)
        var newest = file.tracks.map { _ in Int64.min }
        var firstOfLap: [MediaPacket] = []
        for index in 0..<(file.packets.count * 3) {
            let expected = reader.peek()
            let next = reader.next()
            let packet = try #require(next)
            #expect(packet == expected)
            #expect(packet.decode > newest[packet.track])
            newest[packet.track] = packet.decode
            if index % file.packets.count == 0 { firstOfLap.append(packet) }
        }
        #expect(reader.lap == 2)
        #expect(firstOfLap.allSatisfy { $0.isKeyframe && $0.payload == file.packets[0].payload })
        #expect(firstOfLap.map(\.presentation) == (0..<3).map { firstOfLap[0].presentation + file.duration * $0 })
    }

    @Test func onlyWantedTracksAreGiven() throws {
        let file = try Fixture.file("bars-h264-aac.mp4")
        var reader = MediaReader(file, tracks: [1], isLooping: true)
        for _ in 0..<400 { #expect(reader.next()?.track == 1) }
        var nothing = MediaReader(file, tracks: [7], isLooping: true)
        #expect(nothing.next() == nil)
    }
}
