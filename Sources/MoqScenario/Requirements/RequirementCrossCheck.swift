/// What only all rows of all files together show: ids and areas that are there twice, and counterparts that are not.
struct RequirementCrossCheck {
    private struct Counterpart {
        let id: String
        let profile: RequirementProfile
        let other: String
        let span: SourceSpan
        let context: ReadingContext
    }

    /// Every id, in the order of the files.
    private(set) var ids: [String] = []
    private var places: [String: SourceLocation] = [:]
    private var areas: [String: SourceLocation] = [:]
    private var counterparts: [Counterpart] = []

    mutating func note(area: String, _ span: SourceSpan, _ context: ReadingContext) {
        let file = "\(area).yaml"
        if let place = areas[area] {
            context.error(span, "there is already an area `\(area)`, at \(place)", expected: "one file for an area")
        } else if !context.text.file.hasSuffix("/\(file)"), context.text.file != file {
            context.error(span, "`area` is `\(area)`, and the file is not called by it", expected: "`\(file)`")
        }
        areas[area] = areas[area] ?? context.text.location(of: span)
    }

    mutating func note(id: String, at span: SourceSpan, _ context: ReadingContext) {
        if let place = places[id] {
            context.error(span, "there is already a requirement `\(id)`, at \(place)", expected: "an id of its own")
            return
        }
        places[id] = context.text.location(of: span)
        ids.append(id)
    }

    mutating func note(
        id: String, _ profile: RequirementProfile, differsFrom other: String, at span: SourceSpan,
        _ context: ReadingContext
    ) {
        counterparts.append(Counterpart(id: id, profile: profile, other: other, span: span, context: context))
    }

    /// Says what is wrong.
    func run() {
        for row in counterparts {
            guard places[row.other] != nil else {
                row.context.unknownWord(
                    row.other, at: row.span, "there is no requirement `\(row.other)`", among: ids)
                continue
            }
            let answer = counterparts.first { $0.id == row.other }
            guard answer?.profile == row.profile || answer?.other != row.id else { continue }
            row.context.error(
                row.span, "`\(row.other)` is not the other side of `\(row.id)`",
                expected: "one of `draft` and one of `deployed`, each naming the other")
        }
    }
}
