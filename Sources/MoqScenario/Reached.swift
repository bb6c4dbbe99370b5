/// Something that must really have happened for a verdict to count; otherwise the case is `vacuous`.
public struct Reached: Equatable, Sendable {
    /// What a link did to datagrams.
    public enum LinkEffect: String, CaseIterable, Equatable, Sendable {
        case lost, duplicated, reordered, delayed
    }

    /// What an actor took in.
    public enum Unit: String, CaseIterable, Equatable, Sendable {
        case frames, groups, datagrams
    }

    /// The kinds of things that can be proven.
    public enum Condition: Equatable, Sendable {
        /// More than so many bytes written for it had not been read by the actor at one time.
        case behind(actor: String, bytes: Int)
        /// The link of an actor (nil: all links together) did this to at least so many packets.
        case link(actor: String?, LinkEffect, atLeast: Int)
        /// The actor received at least so many.
        case received(actor: String, Unit, atLeast: Int)
        /// The actor was connected at least so many times.
        case connected(actor: String, atLeast: Int)
    }

    /// What must have happened.
    public var condition: Condition
    /// The sentence, as written.
    public var source: String
    /// Where it is written.
    public var location: SourceLocation
}
