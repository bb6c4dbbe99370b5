/// Names with values in the order in which they were given, each name once.
///
/// A dictionary would lose the order, which reports show and which must not differ between runs.
public struct NamedValues: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// One name with its value.
    public struct Element: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A name with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var elements: [Element] = []

    /// Nothing.
    public init() {}

    /// The pairs in their order; a name that comes again replaces its value and keeps its place.
    public init(dictionaryLiteral pairs: (String, String)...) {
        for (name, value) in pairs { self[name] = value }
    }

    /// The pairs in their order; a name that comes again replaces its value and keeps its place.
    public init(_ pairs: some Sequence<(String, String)>) {
        for (name, value) in pairs { self[name] = value }
    }

    /// The value of a name. Setting appends a new name at the end; setting nil removes it.
    public subscript(name: String) -> String? {
        get { elements.first { $0.name == name }?.value }
        set {
            let index = elements.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): elements[index].value = value
            case (let index?, nil): elements.remove(at: index)
            case (nil, let value?): elements.append(Element(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    public var startIndex: Int { elements.startIndex }
    public var endIndex: Int { elements.endIndex }
    /// The pair at a position.
    public subscript(position: Int) -> Element { elements[position] }
}
