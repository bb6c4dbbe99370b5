import MoqBase
import MoqJSON

/// How the frames of a rendition are packed, as its catalog says (`container`).
public enum Container: Equatable, Sendable {
    /// A timestamp in microseconds, and the payload. What a catalog means that says nothing.
    case legacy
    /// Every frame is a fragment (`moof`, `mdat`) of the file that this initialisation (`ftyp`, `moov`) begins.
    case cmaf(initialisation: [UInt8])
    /// A block of properties, and the payload (draft-ietf-moq-loc).
    case loc
    /// Any other, as the catalog has it. Nobody can read such a rendition; one `cmaf` without an initialisation
    /// (January to May of 2026) is among them.
    case unknown(JSONValue)

    /// The word for it: `legacy`, `cmaf`, `loc`, or that of an unknown container; nil when that has none.
    public var kind: String? {
        switch self {
        case .legacy: "legacy"
        case .cmaf: "cmaf"
        case .loc: "loc"
        case .unknown(let value): value.string ?? value["kind"]?.string
        }
    }

    /// Whether there is a reader for it.
    public var isKnown: Bool {
        if case .unknown = self { false } else { true }
    }
}
