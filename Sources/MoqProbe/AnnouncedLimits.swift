import MoqBase
import MoqDial

/// The limits that a relay announced, by QUIC or by Qmux, which mean the same by them.
struct AnnouncedLimits {
    /// Streams that this side may open at first.
    var streamsBidirectional: UInt64
    var streamsUnidirectional: UInt64
    /// Bytes towards the relay at first: of all streams, of those that this side opens both ways, of those that the
    /// relay opens, and of one-way streams.
    var connection: UInt64
    var streamOfClient: UInt64
    var streamOfRelay: UInt64
    var streamUnidirectional: UInt64
    /// Zero for none.
    var idleTimeout: Duration
    /// Zero for no datagrams.
    var datagramFrame: UInt64

    /// What the facts of a connection hold; nil when it was not told.
    init?(_ facts: ConnectionFacts) {
        if let quic = facts.peerParameters {
            streamsBidirectional = quic.maximumStreamsBidirectional
            streamsUnidirectional = quic.maximumStreamsUnidirectional
            connection = quic.maximumData
            streamOfClient = quic.maximumStreamDataBidirectionalRemote
            streamOfRelay = quic.maximumStreamDataBidirectionalLocal
            streamUnidirectional = quic.maximumStreamDataUnidirectional
            idleTimeout = quic.idleTimeout
            datagramFrame = quic.maximumDatagramFrame
        } else if let qmux = facts.qmuxParameters {
            streamsBidirectional = qmux.streamsBidirectional
            streamsUnidirectional = qmux.streamsUnidirectional
            connection = qmux.data
            streamOfClient = qmux.streamDataBidirectionalRemote
            streamOfRelay = qmux.streamDataBidirectionalLocal
            streamUnidirectional = qmux.streamDataUnidirectional
            idleTimeout = .milliseconds(Int64(clamping: qmux.idleTimeout))
            datagramFrame = qmux.datagramFrame
        } else {
            return nil
        }
    }
}
