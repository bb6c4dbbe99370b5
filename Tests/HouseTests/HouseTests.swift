import Testing

/// The rules of the house, held against the whole tree.
@Suite struct HouseTests {
    @Test func theTreeKeepsTheRulesOfTheHouse() throws {
        let tree = try Tree.ofThisPackage.get()
        let protocolMembers = Set(tree.files.filter { !$0.isTest }.flatMap(HouseRules.protocolMembers))
        // A look at nothing would find nothing.
        #expect(tree.files.count { $0.isSwift } > 100)
        #expect(tree.rooms.allowed["MoqReport"] == ["MoqBase", "MoqJSON", "MoqEvents"])
        for file in tree.files {
            var found = HouseRules.imports(file, tree.rooms)
            found += HouseRules.foundation(file)
            found += HouseRules.clocks(file)
            found += HouseRules.length(file)
            found += HouseRules.unfinished(file)
            found += HouseRules.machinePaths(file)
            found += HouseRules.reasons(file)
            found += HouseRules.pointers(file)
            found += HouseRules.documentation(file, protocolMembers: protocolMembers)
            for violation in found { Issue.record("\(violation)") }
        }
    }

    @Test func everyRoomHasTestsAndEveryFolderIsARoom() throws {
        let tree = try Tree.ofThisPackage.get()
        for file in tree.files where file.isSwift && !file.room.isEmpty {
            #expect(tree.rooms.names.contains(file.room), "\(file.path) belongs to no target of Package.swift")
        }
        for room in tree.rooms.names where room.hasPrefix("Moq") && !room.hasSuffix("Tests") {
            #expect(tree.rooms.names.contains("\(room)Tests"), "\(room) has no tests")
        }
    }

    @Test func everyExceptionIsStillNeededByAFile() throws {
        let tree = try Tree.ofThisPackage.get()
        let lists = [
            HouseExceptions.clocks, HouseExceptions.pointers, HouseExceptions.length, HouseExceptions.foundation,
            HouseExceptions.words,
        ]
        for path in lists.flatMap(\.keys).sorted() {
            #expect(tree.files.contains { $0.path.hasPrefix(path) }, "nothing is at \(path) any more")
        }
        for file in tree.files where HouseExceptions.has(HouseExceptions.length, file.path) {
            #expect(file.lines.count > HouseRules.greatestLength, "\(file.path) is short enough without its exception")
        }
    }
}
