import MoqDrivers
import MoqEvents
import MoqScenario

/// The list of known failures, as far as it is about the relay and the cases of a run.
public struct KnownFailures: Sendable {
    /// The entries about this relay.
    private let entries: [KnownFailure]
    /// The numbers of the entries that list a case, by its id.
    private let ofCase: [String: [Int]]
    /// What was found not to be true any more.
    let complaints: Complaints

    /// Entries, and by the id of a case of a run the numbers of those that list it. `complaints` is what is not true before
    /// anything has run: an entry that is expired, or that lists no case.
    public init(entries: [KnownFailure], ofCase: [String: [Int]], complaints: [String] = []) {
        self.entries = entries
        self.ofCase = ofCase
        self.complaints = Complaints(complaints)
    }

    /// What was found not to be true of the list so far, a line each.
    public var lines: [String] { complaints.lines }

    /// What the list makes of a case that ended with a verdict: another verdict with the reason, or nil where the list
    /// has nothing to say.
    func verdict(of caseID: String, _ verdict: Verdict, _ findings: [Finding]) -> (Verdict, String)? {
        guard let numbers = ofCase[caseID], !numbers.isEmpty else { return nil }
        let listed = numbers.map { entries[$0] }
        let places = listed.map { "\($0.location.file):\($0.location.line)" }.joined(separator: " and ")
        let against = findings.filter { $0.severity == .fail || $0.severity == .warn }
        switch verdict {
        case .pass:
            complaints.add("\(caseID) passed, and \(places) lists it as a known failure", of: caseID)
            return nil
        case .fail, .warn: break
        // What did not get far enough to fail says nothing about the list.
        case .error, .skip, .blocked, .notTestable, .vacuous, .known: return nil
        }
        let reasons = against.map { finding in
            listed.first {
                $0.isAbout(
                    headline: finding.headline, actual: finding.actual, requirements: finding.requirements)
            }
        }
        if let strange = zip(against, reasons).first(where: { $0.1 == nil })?.0 {
            let recorded = listed.map(\.recorded).joined(separator: "; ")
            let actual = strange.actual.map { "; actual: \($0)" } ?? ""
            complaints.add(
                "\(caseID) failed for another reason than \(places) records (\(recorded)): \(strange.headline)\(actual)",
                of: caseID, isFailure: verdict == .fail)
            return nil
        }
        guard let entry = reasons.first.flatMap({ $0 }) else { return nil }
        return (.known, "\(entry.reason) (\(entry.link))")
    }

    /// What is not true any more of the list; shared by the workers of a run.
    final class Complaints: @unchecked Sendable {
        // Sendable by its lock: every access to the state below holds it.
        private let lock = Lock()
        private let first: [String]
        private var ofCases: [String: String] = [:]
        private var failures = 0

        init(_ first: [String]) {
            self.first = first
        }

        func add(_ line: String, of caseID: String, isFailure: Bool = false) {
            lock.locked {
                ofCases[caseID] = line
                if isFailure { failures += 1 }
            }
        }

        /// A line for each, those of cases in the order of their ids.
        var lines: [String] {
            lock.locked { first + ofCases.sorted { $0.key < $1.key }.map(\.value) }
        }

        /// Cases on the list that failed for another reason.
        var otherFailures: Int {
            lock.locked { failures }
        }
    }
}
