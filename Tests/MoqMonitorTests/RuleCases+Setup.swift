import MoqBase
import MoqTransport
import MoqWire

@testable import MoqMonitor

extension RuleCase {
    /// Grammar, setup, codes.
    static let setup: [RuleCase] = [
        RuleCase(.grammar, .lite06) {
            $0.relaySays(ByteScript.group(), [0, 3, 5], end: true)
        } legal: {
            $0.relaySays(ByteScript.group(), [0, 3, 5])
            $0.relay(.reset(ByteScript.group(), .code(1)))
        },
        RuleCase(.grammar, .lite04) {
            $0.watch()
            $0.relaySays(ByteScript.asked(), [5, 1, 2, 0xFF, 0xFE, 0])
        } legal: {
            $0.watch()
            $0.relaySays(ByteScript.asked(), [5, 1, 1, 0x61, 1, 9])
        },
        RuleCase(.lengths, .lite05) {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [0, 2, 5, 5])
        } legal: {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [0, 1, 5])
        },
        RuleCase(.shortest, .lite05) {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [0, 2, 0x40, 5])
        } legal: {
            $0.subscribe()
            $0.relaySays(ByteScript.asked(), [0, 2, 0x40, 0x45])
        },
        RuleCase(.shortest, .lite06) {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, frames: 0, tail: [0x40, 2, 1, 0xAA])
        } legal: {
            $0.subscribe()
            $0.answer(.start(group: 1))
            $0.group(1, frames: 0, tail: [2, 1, 0xAA])
        },
        RuleCase(.knownTypes, .lite06) {
            $0.relaySays(ByteScript.group(), [0x3F])
        } legal: { _ in
        },
        RuleCase(.knownTypes, .lite03) {
            $0.relaySays(ByteScript.relayAsks(), [6, 1, 0])
        } legal: {
            $0.relaySays(ByteScript.relayAsks(), [4])
        },
        RuleCase(.oneRequest, .lite06) {
            $0.relaySays(ByteScript.relayAsks(), AnnounceRequest().stream(.lite06) + [1])
        } legal: {
            $0.relaySays(ByteScript.relayAsks(), AnnounceRequest().stream(.lite06))
        },
        RuleCase(.answersFit, .lite06) {
            $0.clientSays(ByteScript.asked(), [0x3F])
            $0.relaySays(ByteScript.asked(), [1])
        } legal: {
            $0.clientSays(ByteScript.asked(), [0x3F])
            $0.relay(.reset(ByteScript.asked(), .code(1)))
        },
        RuleCase(.unknownType, .lite04) {
            $0.clientSays(ByteScript.asked(), [6, 0])
            $0.waitInVain()
        } legal: {
            $0.clientSays(ByteScript.asked(), [6, 0])
            $0.relay(.reset(ByteScript.asked(), .code(0)))
            $0.waitInVain()
        },
        RuleCase(.refusedLength, .lite06) {
            $0.clientSays(ByteScript.asked(), [1, 2, 0, 0])
            $0.waitInVain()
        } legal: {
            $0.clientSays(ByteScript.asked(), [1, 2, 0, 0])
            $0.relay(.reset(ByteScript.asked(), .code(1)))
            $0.waitInVain()
        },
        RuleCase(.bothHalves, .lite06) {
            $0.watch()
            $0.announce(ok: 0)
            $0.client(.finished(ByteScript.asked()))
            $0.waitInVain()
        } legal: {
            $0.watch()
            $0.announce(ok: 0)
            $0.client(.finished(ByteScript.asked()))
            $0.relay(.reset(ByteScript.asked(), .code(1)))
            $0.waitInVain()
        },
        RuleCase(.setupOnce, .lite06) {
            $0.relaySays(ByteScript.group(), Setup(hop: 9).stream(.lite06), end: true)
        } legal: { _ in
        },
        RuleCase(.setupOnce, .lite05, isSetUp: false) {
            $0.relaySays(ByteScript.relaySetup, Setup(hop: 9).stream(.lite05))
            $0.waitInVain()
        } legal: {
            $0.relaySays(ByteScript.relaySetup, Setup(hop: 9).stream(.lite05), end: true)
            $0.waitInVain()
        },
        RuleCase(.setupSent, .lite06, isSetUp: false) {
            $0.clientSays(ByteScript.clientSetup, Setup(hop: 7).stream(.lite06), end: true)
            $0.waitInVain()
        } legal: {
            // Without the client's SETUP the relay owes nothing.
            $0.clientSays(ByteScript.clientSetup, [1])
            $0.waitInVain()
        },
        RuleCase(.setupSent, .lite05, isSetUp: false) {
            $0.clientSays(ByteScript.clientSetup, Setup(hop: 7).stream(.lite05), end: true)
            $0.waitInVain()
        } legal: {
            $0.clientSays(ByteScript.clientSetup, Setup(hop: 7).stream(.lite05), end: true)
            $0.relaySays(ByteScript.relaySetup, Setup(hop: 9).stream(.lite05), end: true)
            $0.waitInVain()
        },
        RuleCase(.setupNone, .lite04) {
            $0.relaySays(ByteScript.group(), [1, 1, 0], end: true)
        } legal: { _ in
        },
        RuleCase(.setupClientOnly, .lite06, isSetUp: false) {
            $0.relaySays(ByteScript.relaySetup, Setup(path: "/x", hop: 9).stream(.lite06), end: true)
        } legal: {
            $0.relaySays(ByteScript.relaySetup, Setup(probe: .report, cost: 2, hop: 9).stream(.lite06), end: true)
        },
        RuleCase(.setupHop, .lite06) {
            $0.watch()
            $0.announce(ok: 0, hop: 10)
        } legal: {
            $0.watch()
            $0.announce(ok: 0, hop: 9)
        },
        RuleCase(.setupHopBound, .lite06, isSetUp: false) {
            $0.relaySays(ByteScript.relaySetup, Setup(hop: 1 << 53).stream(.lite06), end: true)
        } legal: {
            $0.relaySays(ByteScript.relaySetup, Setup(hop: 1 << 52).stream(.lite06), end: true)
        },
        RuleCase(.exchangeAnswer, .lite02, isSetUp: false) {
            $0.clientSays(ByteScript.exchange, ClientSetup(versions: [Version.lite01.setupCode]).bytes(.lite02))
            $0.relaySays(ByteScript.exchange, ServerSetup(version: Version.lite02.setupCode).bytes(.lite02))
        } legal: {
            $0.clientSays(ByteScript.exchange, ClientSetup(versions: [1, Version.lite01.setupCode]).bytes(.lite02))
            $0.relaySays(ByteScript.exchange, ServerSetup(version: Version.lite01.setupCode).bytes(.lite02))
        },
        RuleCase(.exchangeAnswer, .lite02, isSetUp: false) {
            $0.clientSays(ByteScript.exchange, ClientSetup(versions: [Version.lite02.setupCode]).bytes(.lite02))
            $0.waitInVain()
        } legal: {
            $0.clientSays(ByteScript.exchange, [0x20, 0])
            $0.waitInVain()
        },
        RuleCase(.exchangeParameters, .lite02, isSetUp: false) {
            $0.clientSays(ByteScript.exchange, ClientSetup(versions: [Version.lite02.setupCode]).bytes(.lite02))
            let answer = ServerSetup(version: Version.lite02.setupCode, parameters: [.number(id: 2, 1)])
            $0.relaySays(ByteScript.exchange, answer.bytes(.lite02))
        } legal: {
            $0.clientSays(ByteScript.exchange, ClientSetup(versions: [Version.lite02.setupCode]).bytes(.lite02))
            let answer = ServerSetup(version: Version.lite02.setupCode).bytes(.lite02)
            $0.relaySays(ByteScript.exchange, answer + SessionInfo(bitrate: 1000).bytes(.lite02))
        },
        RuleCase(.mapping, .lite06) {
            $0.relay(.reset(ByteScript.group(), .unmapped(raw: 13)))
        } legal: {
            $0.relay(.stopped(ByteScript.asked(), .unmapped(raw: 0)))
        },
        RuleCase(.knownCodes, .lite06) {
            $0.relay(.stopped(ByteScript.asked(), .code(0x22)))
        } legal: {
            // A reset of a group has the number that its publisher gave it.
            $0.relaySays(ByteScript.group(), [0])
            $0.relay(.reset(ByteScript.group(), .code(0x22)))
        },
        RuleCase(.knownCodes, .lite06) {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 0x30), reason: "")))
        } legal: {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 3), reason: "")))
        },
        RuleCase(.ownSpace, .lite06) {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 5), reason: "")))
        } legal: {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 3), reason: "")))
        },
        RuleCase(.oneGeneration, .lite06) {
            $0.relay(.stopped(ByteScript.asked(), .code(13)))
        } legal: {
            $0.relay(.stopped(ByteScript.asked(), .code(1)))
        },
        RuleCase(.readableReason, .lite06) {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 3), reason: "a\u{FFFD}")))
        } legal: {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 3), reason: "a")))
        },
        RuleCase(.plainCode, .lite06) {
            let code = StreamCodeMapping.wire(.code(3))
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: code), reason: "")))
        } legal: {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 3), reason: "")))
        },
        RuleCase(.exchangeLength, .lite02, isSetUp: false) {
            $0.clientSays(ByteScript.exchange, ClientSetup(versions: [Version.lite02.setupCode]).bytes(.lite02))
            var answer = ServerSetup(version: Version.lite02.setupCode).bytes(.lite02)
            answer[2] += 1
            $0.relaySays(ByteScript.exchange, answer + [0])
        } legal: {
            $0.clientSays(ByteScript.exchange, ClientSetup(versions: [Version.lite02.setupCode]).bytes(.lite02))
            $0.relaySays(ByteScript.exchange, ServerSetup(version: Version.lite02.setupCode).bytes(.lite02))
        },
        RuleCase(.noSecrets, .lite06) {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 2), reason: "no s3cret")))
        } legal: {
            $0.relay(.closed(SessionClose(initiator: .peer, cause: .application(code: 2), reason: "no")))
        },
    ]
}
