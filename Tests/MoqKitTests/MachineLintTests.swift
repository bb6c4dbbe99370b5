import MoqScenario
import Testing

@testable import MoqKit

/// What is wrong with a definition is said with its place.
@Suite struct MachineLintTests {
    private static let right = """
        machine: door
        object: Door
        about: A door.
        source: somewhere
        profiles: [ios, android]
        states:
          open: { initial: true }
          shut: A wall.
          gone: { terminal: true }
        inputs:
          push: { kind: call, with: { force: number } }
          burn: { kind: outside }
        events:
          bang: { with: [force] }
        errors:
          heavy: Too heavy.
        variables:
          worn: 0
        transitions:
          - { from: open, on: push, when: { force: { at_least: 2 } }, to: shut, emits: { bang: { force: $force } }, set: { worn: +1 } }
          - { from: open, on: push, when: { force: { at_most: 1 } }, refuse: heavy }
          - { from: shut, on: push, when: { worn: { at_most: 9 } }, to: open }
          - { from: any, on: burn, to: gone }

        """

    private func findings(_ text: String) -> [String] {
        MachineReader().read([ScenarioFile(path: "door.yaml", bytes: Array(text.utf8))]).diagnostics.map {
            "\($0.location.line):\($0.location.column) \($0.message)\($0.suggestion.map { " (\($0))" } ?? "")"
        }
    }

    @Test func aRightDefinitionHasNoFindings() {
        #expect(findings(Self.right) == [])
        let machine = MachineReader().read([ScenarioFile(path: "door.yaml", bytes: Array(Self.right.utf8))]).definitions
        #expect(machine.map(\.profile) == [.ios, .android])
        #expect(machine[0].rules.map(\.key).first == "open --push--> shut [force is at least 2]")
    }

    @Test(arguments: [
        ("machine: door", "machines: door", "1:1 unknown key `machines` in the machine file (machine)"),
        ("push: { kind: call", "push: { kin: call", "11:11 unknown key `kin` in the input push (kind)"),
        ("to: shut, emits", "to: shot, emits", "20:67 there is no state `shot` in this machine (shut)"),
        ("on: burn", "on: brun", "23:22 there is no input `brun` in this machine (burn)"),
        ("{ bang: { force: $force } }", "bong", "20:80 there is no event `bong` in this machine (bang)"),
        ("{ force: $force }", "{ farce: $force }", "20:90 the event `bang` has no field `farce` (force)"),
        (
            "bang: { force: $force }", "bang: { force: $foce }",
            "20:97 `$foce` is neither a variable nor comes with this input (force)"
        ),
        ("refuse: heavy", "refuse: hevy", "21:70 there is no error `hevy` in this machine (heavy)"),
        ("when: { worn: ", "when: { wron: ", "22:37 `wron` is neither a variable nor comes with this input (worn)"),
        ("{ at_least: 2 }", "{ at_lest: 2 }", "20:46 unknown key `at_lest` in `force` (at_least)"),
        (
            "  gone: { terminal: true }", "  gone: { terminal: true }\n  lost: { terminal: true }",
            "10:3 the state `lost` cannot be reached from `open`"
        ),
        (
            "{ at_most: 1 }", "{ at_most: 2 }",
            "21:23 two transitions are for `push` in `open` at once: this one and that at line 20"
        ),
        ("from: any, on", "from: [open, shut, gone], on", "23:37 "),
        (
            "to: open }", "to: gone }\n  - { from: gone, on: push, to: shut }",
            "23:23 `gone` is terminal, and this leads out of it"
        ),
        (
            "source: somewhere", "source: somewhere\nsingle_use: true",
            "23:23 `shut` leads back to `open`, and the machine is for a single use"
        ),
        ("shut: A wall.", "shut: { initial: true }", "8:3 `shut` is a second initial state"),
        ("open: { initial: true }", "open: A hole.", "1:10 the machine `door` has no initial state"),
        ("  bang:", "  boom: Never.\n  bang:", "14:3 the event `boom` is declared and never shown"),
        ("  burn:", "  pull: { kind: call }\n  burn:", "12:3 the input `pull` is declared and never taken"),
        ("  heavy:", "  light: Too light.\n  heavy:", "16:3 the error `light` is declared and never given"),
        ("  worn: 0", "  worn: 0\n  old: false", "19:3 the variable `old` is declared and never asked about"),
        ("refuse: heavy", "refuse: heavy, to: shut", "21:77 a transition leads to a state, or refuses, or ignores"),
        ("profiles: [ios, android]", "profiles: [ios, andriod]", "5:17 `profiles` is `andriod` (android)"),
        ("worn: +1", "worn: false", "20:122 `worn` cannot be `false`"),
        (
            "  - { from: any, on: burn, to: gone }",
            "  - { from: open, on: burn, to: gone }\n  - { from: shut, on: burn, to: gone, only: [ios] }\n  - { from: shut, on: burn, to: shut, only: [android, actual] }\n  - { from: shut, on: burn, to: open, only: [android] }",
            "26:23 two transitions are for `burn` in `shut` at once: this one and that at line 25 (android)"
        ),
    ])
    func whatIsWrongIsFoundWhereItIs(_ right: String, _ wrong: String, _ finding: String) {
        let text = Self.right.replacing(right, with: wrong, maxReplacements: 1)
        #expect(text != Self.right)
        let found = findings(text)
        // A terminal state may stay what it is; `gone` is the exception that shows it.
        if finding == "23:37 " { return #expect(found == []) }
        #expect(found.contains(finding), "\(found)")
    }

    @Test func aStateWithoutAWayOutAndASecondMachineOfOneNameAreFound() {
        let stuck = Self.right.replacing(
            "{ from: shut, on: push, when: { worn: { at_most: 9 } }, to: open }",
            with: "{ from: shut, on: push, ignore: true }"
        )
        .replacing("from: any", with: "from: open").replacing("variables:\n  worn: 0\n", with: "").replacing(
            ", set: { worn: +1 }", with: "")
        #expect(findings(stuck) == ["8:3 nothing leads out of the state `shut`"])
        let file = ScenarioFile(path: "door.yaml", bytes: Array(Self.right.utf8))
        let twice = MachineReader().read([file, file]).diagnostics.map(\.message)
        #expect(twice.first?.hasPrefix("there is already a machine `door` for ios, at door.yaml:1:10") == true)
    }

    /// A door of a house, which stands in another file.
    private func orders(_ order: String) -> [String] {
        let house = Self.right.replacing("machine: door", with: "machine: house").replacing("shut", with: "built")
            .replacing(
                "  - { from: any, on: burn, to: gone }", with: "  - { from: any, on: burn, to: gone, only: [ios] }"
            )
            .replacing("gone: { terminal: true }", with: "gone: { terminal: true, only: [ios] }")
            .replacing("burn: { kind: outside }", with: "burn: { kind: outside, only: [ios] }")
        let files = [Self.right + "orders:\n  - \(order)\n", house].map {
            ScenarioFile(path: "door.yaml", bytes: Array($0.utf8))
        }
        return MachineReader().read(files).diagnostics.map {
            "\($0.location.line):\($0.location.column) \($0.message)\($0.suggestion.map { " (\($0))" } ?? "")"
        }
    }

    @Test(arguments: [
        ("{ after: { house: built }, in: [open, shut] }", []),
        ("{ until: { house: gone }, in: open, then: gone, only: [ios] }", []),
        ("{ after: { hose: built } }", ["25:16 there is no machine `hose` (house)"]),
        ("{ after: { house: bilt } }", ["25:23 there is no state `bilt` in the machine `house` (built)"]),
        ("{ after: { house: built }, in: shot }", ["25:36 there is no state `shot` in this machine (shut)"]),
        (
            "{ until: { house: built }, in: open, then: [gone, gon] }",
            ["25:55 there is no state `gon` in this machine (gone)"]
        ),
        (
            "{ after: { house: built }, until: { house: gone } }",
            ["25:5 an order is either after something or until something"]
        ),
        ("{ in: open }", ["25:5 an order is either after something or until something"]),
        ("{ after: { house: built, door: open } }", ["25:14 `after` is about one machine"]),
        ("{ after: { door: open } }", ["25:16 `door` is this machine"]),
        ("{ after: { house: built }, then: gone }", ["25:32 `then` says how something ends"]),
        ("{ after: { house: built }, on: push }", ["25:32 unknown key `on` in the one order (in)"]),
        ("{ until: { house: gone }, in: open }", ["25:16 `house` has none of these states under android"]),
    ])
    func whatIsWrongWithAnOrderBetweenObjectsIsFoundWhereItIs(_ order: String, _ wanted: [String]) {
        #expect(orders(order) == wanted)
    }

    @Test func aWrongWordIsNotFollowedByWhatComesOfIt() {
        #expect(
            findings(Self.right.replacing("emits: { bang: { force: $force } }", with: "emits: bong"))
                == ["20:80 there is no event `bong` in this machine (bang)"])
    }

    @Test func aMachineOfNoProfileIsRefused() {
        #expect(findings(Self.right.replacing("[ios, android]", with: "[]")) == ["5:11 `profiles` is empty"])
    }

    @Test func aMachineBeyondAllReasonIsRefusedWithoutHoldingAllAgainstAll() {
        let rules = (0..<5000).map { "  - { from: open, on: push, when: { force: \($0) }, to: shut }\n" }.joined()
        let found = findings(Self.right + rules)
        #expect(found == ["520:5 the machine has 5004 transitions"], "\(found.prefix(3))")
        let states = (0..<300).map { "  s\($0): { terminal: true }\n" }.joined()
        #expect(
            findings(Self.right.replacing("inputs:\n", with: states + "inputs:\n"))
                == ["207:3 the machine has 303 states"])
    }

    @Test func whatIsNoYAMLOrEmptyIsSaid() {
        #expect(findings("") == ["1:1 the file is empty"])
        #expect(findings("machine: [").count == 1)
        #expect(findings("- a").first?.hasPrefix("1:1 the machine file is a list") == true)
    }

    @Test func filesOfMachinesAreToldFromScenarios() {
        #expect(MachineReader.isMachine(ScenarioFile(path: "a", bytes: Array("# x\nmachine: door\n".utf8))))
        #expect(MachineReader.isMachine(ScenarioFile(path: "a", bytes: Array("machine: door".utf8))))
        #expect(MachineReader.isMachine(ScenarioFile(path: "a", bytes: Array("# x\r\nmachine: door\r\n".utf8))))
        #expect(!MachineReader.isMachine(ScenarioFile(path: "a", bytes: Array("# x\nmachines: door\n".utf8))))
        #expect(!MachineReader.isMachine(ScenarioFile(path: "a", bytes: [])))
        #expect(!MachineReader.isMachine(ScenarioFile(path: "a", bytes: Array("suite: a\nx:\n  machine: door\n".utf8))))
    }
}
