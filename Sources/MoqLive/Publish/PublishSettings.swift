import MoqHang
import MoqWire

/// How a file is published.
public struct PublishSettings: Sendable {
    /// How frames are packed.
    public enum Packing: String, CaseIterable, Hashable, Sendable {
        /// A timestamp and the payload.
        case legacy
        /// A fragment of a file for each frame.
        case cmaf
    }

    /// A track that says what the broadcast has.
    public enum CatalogForm: String, CaseIterable, Hashable, Sendable {
        /// `catalog.json`.
        case plain = "catalog.json"
        /// `catalog.json.z`: the same, compressed.
        case compressed = "catalog.json.z"
        /// `catalog`: the mirror for players of MSF.
        case msf
    }

    /// Where the broadcast is, below the path of the session.
    public var path: BroadcastPath
    /// How frames are packed.
    public var packing = Packing.legacy
    /// The catalogs that are offered: all that the original stack writes.
    public var catalogs = CatalogForm.allCases
    /// Whether the file begins anew at its end.
    public var loops = false
    /// How long the first packet waits at most until somebody asks for the media; nil not to wait.
    public var waitForViewer: Duration?
    /// After how long it ends, counted from the first packet; nil for the end of the file.
    public var duration: Duration?

    /// Settings with the defaults.
    public init(path: BroadcastPath) {
        self.path = path
    }
}
