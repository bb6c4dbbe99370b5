import Testing

/// Every rule is shown able to fail, and to let pass what is right.
@Suite struct HouseRulesTests {
    private func file(_ text: String, at path: String = "Sources/MoqWire/X.swift") -> SourceFile {
        SourceFile(path: path, text: text)
    }

    private let rooms = RoomList(
        manifest: """
            func room(_ name: String, _ below: [Target.Dependency] = []) -> Target {
                .target(name: name, dependencies: below)
            }
                    .target(name: "CShim", dependencies: ["CNgtcp2"]),
                    room("MoqBase"),
                    room("MoqWire", ["MoqBase"]),
                    room(
                        "MoqLite",
                        [
                            "MoqBase", "MoqWire",
                        ]),
                    .executableTarget(
                        name: "moqspec",
                        dependencies: ["MoqLite"],
                        swiftSettings: swift),
                    tests("MoqWireTests", ["MoqWire"]),
            """)

    @Test func thePackageListIsUnderstood() {
        #expect(rooms.names == ["CShim", "MoqBase", "MoqWire", "MoqLite", "moqspec", "MoqWireTests"])
        #expect(rooms.allowed["MoqBase"] == [])
        #expect(rooms.allowed["MoqLite"] == ["MoqBase", "MoqWire"])
        #expect(rooms.allowed["moqspec"] == ["MoqLite"])
    }

    @Test func importsAgainstTheGrainAreFound() {
        let found = HouseRules.imports(file("import MoqBase\nimport MoqLite\n"), rooms)
        #expect(found.map(\.line) == [2])
        #expect(HouseRules.imports(file("public import struct MoqLite.X"), rooms).count == 1)
        #expect(HouseRules.imports(file("import Dispatch"), rooms).count == 1)
        #expect(HouseRules.imports(file("import Glibc\n// import MoqLite\n"), rooms).isEmpty)
        let test = file("@testable import MoqWire\nimport MoqBase\n", at: "Tests/MoqWireTests/X.swift")
        #expect(HouseRules.imports(test, rooms).map(\.line) == [2])
    }

    @Test func foundationIsFoundOutsideOfTests() {
        #expect(HouseRules.foundation(file("import Foundation")).count == 1)
        #expect(HouseRules.foundation(file("import FoundationEssentials")).count == 1)
        #expect(HouseRules.foundation(file("import Foundation", at: "Tests/MoqWireTests/X.swift")).isEmpty)
    }

    @Test(arguments: [
        "let now = Date()", "ContinuousClock().now", "clock_gettime(CLOCK_MONOTONIC, &t)",
        "try await Task.sleep(for: x)",
        "usleep(5)", "sleep(1)", "Int.random(in: 0..<5)", "var g = SystemRandomNumberGenerator()", "arc4random()",
        "list.shuffled()", "list.randomElement()", "x.hashValue",
    ])
    func clocksAndChanceAreFoundOutsideOfTheDrivers(_ line: String) {
        #expect(HouseRules.clocks(file(line)).count == 1)
        #expect(HouseRules.clocks(file(line, at: "Sources/MoqDrivers/X.swift")).isEmpty)
        #expect(HouseRules.clocks(file("// \(line)")).isEmpty)
    }

    @Test func chanceThatIsGivenIsNoChance() {
        #expect(HouseRules.clocks(file("Int.random(in: 0..<5, using: &generator)")).isEmpty)
        #expect(HouseRules.clocks(file("Int.random(\n    in: 0..<5,\n    using: &generator)")).isEmpty)
        #expect(HouseRules.clocks(file("list.shuffled(using: &generator)")).isEmpty)
        #expect(HouseRules.clocks(file("machine.update(time: 5); asleep(1); UpDate()")).isEmpty)
    }

    @Test func longFilesAreFound() {
        #expect(HouseRules.length(file(String(repeating: "a\n", count: 401))).count == 1)
        #expect(HouseRules.length(file(String(repeating: "a\n", count: 400))).isEmpty)
    }

    @Test(arguments: [
        "// TODO: x", "/// A stub.", "let a = \"Placeholder\"", "// good enough for now", "Unimplemented",
    ])
    func unfinishedWordsAreFound(_ line: String) {
        #expect(HouseRules.unfinished(file(line)).count == 1)
    }

    @Test func wordsThatOnlyLookUnfinishedAreNot() {
        #expect(HouseRules.unfinished(file("stubborn, todo, for nowhere, hack, EXXXTRA")).isEmpty)
    }

    @Test func pathsOfAMachineAreFound() {
        #expect(HouseRules.machinePaths(file("cat /tmp/x", at: "ci/test")).count == 1)
        #expect(HouseRules.machinePaths(file("let a = \"/root/x\"")).count == 1)
        #expect(HouseRules.machinePaths(file("/home/me", at: "docs/x.md")).count == 1)
        #expect(HouseRules.machinePaths(file("https://example/home/x a/tmp/b ${TMP}/tmp/")).isEmpty)
    }

    @Test(arguments: [
        "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "let a = try! b()", "let a = b as! C",
        "fatalError()", "preconditionFailure()",
    ])
    func whatNeedsAReasonIsFoundWithoutOne(_ line: String) {
        #expect(HouseRules.reasons(file(line)).count == 1)
        #expect(HouseRules.reasons(file("// because\n\n\n\(line)")).isEmpty)
        #expect(HouseRules.reasons(file("\(line) // because")).isEmpty)
        #expect(HouseRules.reasons(file("\(line)\n// because")).isEmpty)
        #expect(HouseRules.reasons(file("// because\n\n\n\n\(line)")).count == 1)
    }

    @Test func pointersAreFoundOutsideOfWhatWrapsC() {
        let line = "func a(_ b: UnsafeMutableRawPointer) {}"
        #expect(HouseRules.pointers(file(line)).count == 1)
        #expect(HouseRules.pointers(file("let a: OpaquePointer")).count == 1)
        #expect(HouseRules.pointers(file(line, at: "Sources/MoqQUIC/X.swift")).isEmpty)
        #expect(HouseRules.pointers(file("a.withUnsafeBytes { $0.count }")).isEmpty)
    }

    @Test(arguments: [
        ("public struct A {", "A"), ("    public let a: Int", "a"), ("public init(a: Int) {", "init"),
        ("public private(set) var a = 1", "a"), ("public static func a<T>(_ b: T) {", "a"), ("open class A {", "A"),
        ("@inlinable public func a() {", "a"), ("public indirect enum A: Error {", "A"),
        ("public subscript(a: Int) {", "subscript"),
        ("public typealias A = B", "A"), ("public init?(name: String) {", "init"), ("public class func a() {", "a"),
    ])
    func undocumentedPublicDeclarationsAreFound(_ line: String, _ name: String) {
        #expect(HouseRules.publicDeclaration(line) == name)
        #expect(HouseRules.documentation(file("\n\(line)"), protocolMembers: []).count == 1)
        #expect(HouseRules.documentation(file("// no doc comment\n\(line)"), protocolMembers: []).count == 1)
        #expect(HouseRules.documentation(file("/// A.\n\(line)"), protocolMembers: []).isEmpty)
        #expect(HouseRules.documentation(file("/// A.\n@discardableResult\n\(line)"), protocolMembers: []).isEmpty)
        #expect(HouseRules.documentation(file("/// A.\n// A remark.\n\(line)"), protocolMembers: []).isEmpty)
    }

    @Test func whatAProtocolDocumentsNeedsNoSecondDocumentation() {
        let members = HouseRules.protocolMembers(
            file(
                "public protocol P: AnyObject {\n    /// A.\n    func a(b: Int)\n    var c: Int { get }\n}\nfunc d() {}\n"
            ))
        #expect(members == ["a", "c"])
        let text =
            "public func a(b: Int) {}\npublic var c = 1\npublic var description: String { x }\npublic func d() {}\n"
        #expect(HouseRules.documentation(file(text), protocolMembers: Set(members)).map(\.line) == [4])
    }

    @Test func whatIsNotPublicNeedsNoDocumentation() {
        let text = "struct A {}\npublic extension A {}\npublic override func a() {}\npublic import B\nlet public = 1\n"
        #expect(HouseRules.documentation(file(text), protocolMembers: []).isEmpty)
    }
}
