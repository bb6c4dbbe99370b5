import MoqJSON

extension JSONWriter {
    /// Writes a member that is an object of strings.
    public mutating func member(_ name: String, _ pairs: NamedValues) {
        self.name(name)
        object { writer in
            for pair in pairs { writer.member(pair.name, pair.value) }
        }
    }
}
