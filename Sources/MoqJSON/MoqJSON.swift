// The room of JSON documents (RFC 8259).
//
// `JSONValue` reads one with Jansson: strict, bounded in depth, with the line and column of what is wrong. `JSONWriter`
// writes one, member after member, in the order in which it is told. What a document means is known by the rooms above.
// `JSONPath` names a value in a document, for errors, and finds its line and column.
