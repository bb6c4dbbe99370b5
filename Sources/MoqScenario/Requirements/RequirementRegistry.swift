import MoqBase

/// One file of the registry: the requirements about one subject.
public struct RequirementArea: Equatable, Sendable {
    /// What ids of the area begin with.
    public var name: String
    /// What the area is about, in a sentence.
    public var about: String
    /// Its requirements, in the order of the file.
    public var requirements: [Requirement]

    /// An area.
    public init(name: String, about: String, requirements: [Requirement]) {
        self.name = name
        self.about = about
        self.requirements = requirements
    }
}

/// All requirements there are: what scenarios name, what the monitor checks, and what reports count.
public struct RequirementRegistry: Equatable, Sendable {
    /// The areas, in the order of their files.
    public let areas: [RequirementArea]
    /// All requirements, area by area.
    public let requirements: [Requirement]
    /// Every id that the files name, in their order, also of rows that have mistakes.
    public let ids: [String]
    private let places: [String: Int]

    /// A registry of areas. Of requirements with the same id the first counts.
    public init(areas: [RequirementArea], ids: [String]? = nil) {
        self.areas = areas
        requirements = areas.flatMap(\.requirements)
        self.ids = ids ?? requirements.map(\.id)
        places = Dictionary(requirements.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// The requirement of an id.
    public subscript(id: String) -> Requirement? {
        places[id].map { requirements[$0] }
    }

    /// The id that somebody probably meant.
    public func nearest(to id: String) -> String? {
        NearestWord.of(id, among: ids)
    }

    /// The area of a name.
    public func area(named name: String) -> RequirementArea? {
        areas.first { $0.name == name }
    }

    /// What is said about sessions of a version over a transport.
    public func applying(version: String, transport: String) -> [Requirement] {
        requirements.filter { $0.applies(version: version, transport: transport) }
    }

    /// What a relay is held to under a profile.
    public func held(under profile: RequirementProfile) -> [Requirement] {
        requirements.filter { $0.isHeld(under: profile) }
    }

    /// Where each requirement comes from, by its id.
    public var sources: [String: String] {
        Dictionary(requirements.map { ($0.id, $0.source.description) }) { first, _ in first }
    }

    /// What scenarios have to name and none of these does.
    public func unnamed(by suites: [Suite]) -> [Requirement] {
        let named = Set(suites.flatMap(\.scenarios).flatMap(\.requirements))
        return requirements.filter { $0.checked.needsScenario && !named.contains($0.id) }
    }

    /// The same as warnings, a line each.
    public func warnings(about suites: [Suite]) -> [Diagnostic] {
        unnamed(by: suites).map { requirement in
            Diagnostic(
                location: requirement.location, length: 1, sourceLine: nil,
                message: "no scenario names `\(requirement.id)`, which is to be checked by one", expected: nil,
                suggestion: nil, severity: .warning)
        }
    }
}
