import MoqScenario

extension ScenarioCase {
    /// Whether media is read or decoded in it: files that are captured, players that decode.
    var usesMedia: Bool { actors.contains(where: \.decodes) || steps.captureFiles }
}

extension [Step] {
    fileprivate var captureFiles: Bool {
        contains { step in
            switch step.kind {
            case .client(_, let call): call.action.readsFile
            case .parallel(let branches): branches.contains(where: \.captureFiles)
            case .repeat(let inner): inner.firstRound.captureFiles
            case .after(let inner): inner.steps.captureFiles
            case .session, .program, .relay, .network, .expect, .never, .wait: false
            }
        }
    }
}

extension ClientAction {
    fileprivate var readsFile: Bool {
        let sources: [CaptureAction.Source?] =
            switch self {
            case .startCapture(let capture): [capture.video, capture.audio]
            case .addTrack(let track): [track.source]
            default: []
            }
        return sources.contains { if case .file? = $0 { true } else { false } }
    }
}
