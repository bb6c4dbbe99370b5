import MoqEvents
import MoqKit

extension TransitionCoverage {
    /// What cases counted. A tally of a profile that is not known counts for nothing.
    init(_ tallies: [TransitionTally]) {
        self.init()
        for tally in tallies {
            guard let profile = MachineProfile(rawValue: tally.profile) else { continue }
            add(machine: tally.machine, profile: profile, key: tally.transition, times: tally.taken)
        }
    }

    /// The counts as they stand in events.
    var tallies: [TransitionTally] {
        rows.map {
            TransitionTally(machine: $0.machine, profile: $0.profile.rawValue, transition: $0.key, taken: $0.taken)
        }
    }

    /// One line for each machine of which something was taken, aligned, with a heading; nothing when nothing was.
    func lines(of library: MachineLibrary = .builtIn) -> [String] {
        let totals = totals(of: library)
        guard !totals.isEmpty else { return [] }
        let rows =
            [["machine", "profile", "taken", "of"]]
            + totals.map { [$0.machine, $0.profile.rawValue, "\($0.taken)", "\($0.all)"] }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column < 2 ? cell + space : space + cell
            }
            return cells.joined(separator: "  ")
        }
    }
}
