/// Walks through the steps of the outside programs of a case: what is stopped, told or looked at was started.
struct ProgramCheck {
    let context: ReadingContext
    private var started: Set<String> = []

    init(context: ReadingContext) {
        self.context = context
    }

    mutating func check(_ action: ProgramAction, of actor: String, at step: Step) {
        if case .start = action {
            started.insert(actor)
        } else {
            needStarted(actor, context.span(ofStep: step))
        }
    }

    func check(_ expectation: ProgramExpectation, of actor: String, at place: SourceLocation) {
        guard expectation != .running(false) else { return }
        needStarted(actor, context.span(of: actor, from: place))
    }

    private func needStarted(_ actor: String, _ span: SourceSpan) {
        guard !started.contains(actor), !context.unclearActors.contains(actor) else { return }
        context.error(span, "`\(actor)` is never started before this", expected: "`\(actor).start` before it")
    }
}
