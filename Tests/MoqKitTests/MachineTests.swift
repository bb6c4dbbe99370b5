import MoqScenario
import Testing

@testable import MoqKit

@Suite struct MachineTests {
    private func machine(_ name: String, _ profile: MachineProfile) throws -> Machine {
        Machine(try #require(MachineLibrary.builtIn.machine(name, profile)))
    }

    @Test func aSessionConnectsOnceAndCloses() throws {
        var session = try machine("session", .ios)
        #expect(session.take("connect").transition?.to == "connecting")
        #expect(session.take("handshake.done").transition?.events.map(\.name) == ["connect.returns"])
        guard case .refused(let step, let error) = session.take("connect") else {
            Issue.record("a second connect() was not refused")
            return
        }
        #expect(error.says == "SessionError.alreadyConnected")
        #expect(step.to == "connected")
        #expect(session.take("transport.ended").transition?.to == "error")
        #expect(session.take("teardown.done").transition?.to == "closed")
        #expect(session.isFinished)
    }
}
