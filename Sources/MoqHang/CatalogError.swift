import MoqBase
import MoqJSON

/// Why a catalog, or another JSON document of a broadcast, cannot be read.
public struct CatalogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of fault it is, for programs.
    public enum Fault: String, CaseIterable, Hashable, Sendable {
        /// The bytes are no JSON document.
        case notJSON = "not_json"
        /// A field is not there that must be.
        case missing
        /// A value has another type than it must.
        case wrongType = "wrong_type"
        /// A number is beyond what the field holds.
        case outOfRange = "out_of_range"
        /// A description is no hexadecimal text.
        case notHex = "not_hex"
        /// An initialisation is no base64 text.
        case notBase64 = "not_base64"
        /// A structured codec with a malformed suffix.
        case invalidCodec = "invalid_codec"
        /// A field is there twice, under its name and under its former name.
        case duplicate
        /// The document, or what its compression holds, is longer than is read.
        case tooLong = "too_long"
        /// A compressed frame does not inflate.
        case corrupt
        /// A delta without the snapshot that it changes.
        case noSnapshot = "no_snapshot"
    }

    /// What kind of fault it is.
    public var fault: Fault
    /// The value that is at fault; the root for faults of the document.
    public var path: JSONPath
    /// Where that is in the text; nil when the document did not come as text.
    public var place: JSONPath.Place?
    /// What is wrong, what was expected.
    public var problem: String

    /// An error of its parts.
    public init(_ fault: Fault, at path: JSONPath = JSONPath(), place: JSONPath.Place? = nil, _ problem: String) {
        self.fault = fault
        self.path = path
        self.place = place
        self.problem = problem
    }

    init(_ error: JSONError) {
        let place = JSONPath.Place(line: error.line, column: error.column)
        self.init(.notJSON, place: place, "is no JSON: \(error.problem)")
    }

    public var description: String {
        let position = place.map { " (line \($0.line), column \($0.column))" } ?? ""
        return "\(path)\(position): \(problem)"
    }
}
