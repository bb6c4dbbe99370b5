/// What an object may be in, after the lines so far.
struct TraceSituation: Hashable {
    /// The state.
    var state: String
    /// What it remembers; what is not known is missing.
    var variables: MachineValues
    /// Whether the state has still to be shown.
    var owesState = false
    /// The events that have still to be shown, in this order.
    var owed: [MachineRule.EmissionKey] = []
    /// The rule that led here by the last line; nil when that line showed something that was owed.
    var rule: Int?
}

extension MachineRule {
    /// An event that has to be shown, with what its payload has to hold where that is known.
    struct EmissionKey: Hashable {
        var event: String
        var payload: MachineValues
    }
}
