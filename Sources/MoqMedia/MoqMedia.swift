// The room of media: files, codecs and what a picture or a tone of the fixtures says, by libavformat and libavcodec.
//
//     path or bytes -> MediaFile (tracks, packets on one epoch) -> MediaReader (looping) -> a publisher
//     a player -> MediaDecoder -> DecodedPicture (PictureMark), DecodedSound (ToneMark) -> a checker
//     a player -> MediaWriter -> bytes of an MP4 file
//
// Nothing here waits, and only `MediaFile.load(path:)` opens a file. Times are microseconds. The libraries are loaded
// at their first use, run on the thread that calls, print nothing, and their contexts are owned by the final classes
// `Demuxer`, `Muxer` and `MediaDecoder`.
