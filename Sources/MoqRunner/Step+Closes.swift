import MoqScenario

// Whether the relay has a reason to close sessions: otherwise one that it closes is a fault, whatever came before.
extension ScenarioCase {
    /// Whether a step does something that a relay may answer with a close, or looks at the state of sessions.
    var givesReasonToClose: Bool {
        steps.contains { step in
            step.contains { kind in
                switch kind {
                case .relay, .session(_, .sendRaw), .session(_, .goaway): true
                case .client(_, let call): call.fault == .connectionFailed
                case .session(_, .connect(let connect)): connect.expect != .connected
                case .expect(let step): step.condition.looksAtSession
                case .never(let step): step.condition.looksAtSession
                default: false
                }
            }
        }
    }
}

extension ExpectationTree {
    fileprivate var looksAtSession: Bool {
        switch self {
        case .one(let expectation):
            switch expectation.kind {
            case .session, .goaway, .client(.states(.session, _)), .client(.moqom(.states(.session, _, _))): true
            default: false
            }
        case .all(let nodes), .any(let nodes), .inOrder(let nodes): nodes.contains { $0.looksAtSession }
        }
    }
}

extension SessionActor {
    /// Notes it as a fault when the relay has closed the session and the scenario gave it no reason.
    func noteUnwantedClose() {
        guard definition.kind != .raw, case .closed(let close) = record.state, close.byPeer,
            !scene.scenario.givesReasonToClose
        else { return }
        scene.fault(
            name, "the relay closed the session without a reason in the scenario",
            expected: "a session that stays up", actual: close.text, breaks: ["relay.isolation"])
    }
}
