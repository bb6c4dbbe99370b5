import MoqEvents

extension RunResults {
    /// The cases in the order of their files, lines and names: the same whatever ran side by side.
    var casesInFileOrder: [CaseResult] {
        cases.enumerated().sorted { left, right in
            let (a, b) = (left.element.start, right.element.start)
            if a.place.file != b.place.file { return a.place.file < b.place.file }
            if a.place.line != b.place.line { return a.place.line < b.place.line }
            if a.caseID != b.caseID { return a.caseID < b.caseID }
            return left.offset < right.offset
        }.map(\.element)
    }
}

extension CaseResult {
    /// Why the case ended as it did, in one line; nil when there is nothing to say.
    var reason: String? {
        end?.reason ?? deciding?.finding.headline
    }

    /// The findings that weigh, in order.
    var weighing: [Evidence] {
        findings.filter { $0.finding.severity != .note }
    }
}
