/// One change of a catalog.
public enum CatalogChange: Equatable, Sendable {
    /// The renditions of a kind are exactly these from now on.
    case replaceRenditions(CatalogSection, [ScenarioValue.Member])
    /// A rendition is there from now on, or is described anew.
    case addRendition(CatalogSection, name: String, ScenarioValue)
    /// A rendition is gone.
    case removeRendition(CatalogSection, name: String)
    /// A key of the root has this value from now on.
    case setField(name: String, ScenarioValue)
    /// A key of the root is gone.
    case removeField(name: String)
    /// This one time the text is written as it stands; the catalog that is kept does not change.
    case raw(String)
}

/// The kinds of renditions that a catalog lists.
public enum CatalogSection: String, CaseIterable, Equatable, Sendable {
    case video, audio
}

/// The catalog that an actor keeps, as a value: the root object of the hang catalog.
public struct CatalogDocument: Equatable, Sendable {
    /// The root object.
    public private(set) var root: ScenarioValue = .object([])

    /// An empty catalog.
    public init() {}

    /// Makes the changes, and returns the text to write.
    public mutating func apply(_ changes: [CatalogChange]) -> String {
        var raw: String?
        for change in changes {
            switch change {
            case .replaceRenditions(let section, let renditions):
                setRenditions(.object(renditions), of: section)
            case .addRendition(let section, let name, let value):
                setRenditions(renditions(of: section).setting(name, to: value), of: section)
            case .removeRendition(let section, let name):
                setRenditions(renditions(of: section).setting(name, to: nil), of: section)
            case .setField(let name, let value): root = root.setting(name, to: value)
            case .removeField(let name): root = root.setting(name, to: nil)
            case .raw(let text): raw = text
            }
        }
        return raw ?? root.json
    }

    private func renditions(of section: CatalogSection) -> ScenarioValue {
        root[section.rawValue]?["renditions"] ?? .object([])
    }

    private mutating func setRenditions(_ renditions: ScenarioValue, of section: CatalogSection) {
        let present = root[section.rawValue] ?? .object([])
        root = root.setting(section.rawValue, to: present.setting("renditions", to: renditions))
    }
}
