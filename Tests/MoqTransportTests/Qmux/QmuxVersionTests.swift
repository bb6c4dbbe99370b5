import MoqTransport
import Testing

@Suite struct QmuxVersionTests {
    @Test func namesAreOfferedNewestFirstAndBareOnesLast() {
        // As moq-ffi 0.4.18 offers them.
        let names = QmuxSubprotocol.offers(for: ["moq-lite-06", "moql"]).map(\.name)
        #expect(
            names == [
                "qmux-02.moq-lite-06", "qmux-01.moq-lite-06", "qmux-00.moq-lite-06", "qmux-02.moql", "qmux-01.moql",
                "qmux-00.moql", "qmux-02", "qmux-01", "qmux-00", "webtransport",
            ])
        let records = QmuxSubprotocol.offers(for: ["a"], versions: [.draft01], requiresProtocol: true)
        #expect(records.map(\.name) == ["qmux-01.a"])
    }

    @Test func namesAreTakenApart() {
        #expect(
            QmuxSubprotocol(name: "qmux-01.moq-lite-05")
                == QmuxSubprotocol(version: .draft01, applicationProtocol: "moq-lite-05"))
        #expect(QmuxSubprotocol(name: "qmux-00")?.applicationProtocol == nil)
        #expect(QmuxSubprotocol(name: "webtransport")?.version == .webTransport)
        for name in ["", "qmux-03", "qmux-01.", "qmux-01x", "webtransport.moq-lite-04", "moq-lite-05", "QMUX-01"] {
            #expect(QmuxSubprotocol(name: name) == nil, "\(name)")
        }
    }
}
