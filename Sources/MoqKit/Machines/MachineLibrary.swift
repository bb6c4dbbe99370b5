import MoqScenario

/// The machines there are, by name and profile.
public struct MachineLibrary: Sendable {
    /// All of them, in the order of the files.
    public let definitions: [MachineDefinition]

    /// A library of definitions.
    public init(_ definitions: [MachineDefinition]) {
        self.definitions = definitions
    }

    /// Those that are part of the program: what stands in fixtures/machines.
    public static let builtIn = MachineLibrary(MachineReader().read(BuiltInMachines.files).definitions)

    /// The machine of a name under a profile.
    public func machine(_ name: String, _ profile: MachineProfile) -> MachineDefinition? {
        definitions.first { $0.name == name && $0.profile == profile }
    }

    /// The machine of a kind of object, such as `Session`, under a profile; its name will do too.
    public func machine(object: String, _ profile: MachineProfile) -> MachineDefinition? {
        machine(object, profile) ?? definitions.first { $0.object == object && $0.profile == profile }
    }

    /// The names of all machines, each once, in the order of the files.
    public var names: [String] {
        var names: [String] = []
        for definition in definitions where !names.contains(definition.name) { names.append(definition.name) }
        return names
    }

    /// The profiles that a machine has.
    public func profiles(of name: String) -> [MachineProfile] {
        definitions.filter { $0.name == name }.map(\.profile)
    }
}
