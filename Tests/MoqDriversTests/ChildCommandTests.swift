import Testing

@testable import MoqDrivers

@Suite struct ChildCommandTests {
    @Test(arguments: ["relay --port 4443", "env A=1 relay '--name=x y'", "./relay -v"])
    func oneProgramTakesThePlaceOfItsShell(command: String) {
        #expect(!ChildProcess.isCompound(command))
    }

    @Test(arguments: ["sleep 1 && relay", "cd /tmp; relay", "relay | tee log", "(relay)", "! relay", "A=1 relay"])
    func aCompoundCommandKeepsItsShell(command: String) {
        #expect(ChildProcess.isCompound(command))
    }
}
