import MoqScenario

/// The definitions that are part of the program. Made from fixtures/machines by fixtures/machines/embed.sh.
enum BuiltInMachines {
    /// The files, by the paths they have in the repository.
    static let files: [ScenarioFile] = [
        ScenarioFile(path: "fixtures/machines/session.yaml", bytes: Array(session.utf8)),
    ]
}
