/// Why media could not be read, decoded or written. Every text is a sentence for people.
public enum MediaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file could not be read: which, and why.
    case unreadable(String)
    /// Bytes are no media file of a kind that is read.
    case notMedia(String)
    /// A file has no track that could be published; the text names what it has instead.
    case noUsableTrack(String)
    /// A codec, or this shape of it, is not supported.
    case unsupportedCodec(String)
    /// What describes a track contradicts itself or is cut short.
    case badDescription(String)
    /// A frame does not decode.
    case undecodable(String)
    /// A frame cannot be written into a file.
    case unwritable(String)
    /// The libraries cannot be used, or refused something that has nothing to do with the input.
    case library(String)

    public var description: String {
        switch self {
        case .unreadable(let text), .notMedia(let text), .noUsableTrack(let text), .unsupportedCodec(let text),
            .badDescription(let text), .undecodable(let text), .unwritable(let text), .library(let text):
            text
        }
    }
}
