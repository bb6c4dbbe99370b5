// What an application opens on the broadcasts that it found.
extension SessionModel {
    /// `Broadcast.catalogs()`.
    public func openCatalogs(
        of broadcast: FoundBroadcast, object: String, decode: @escaping CatalogStream.Decoder
    ) -> CatalogStream {
        openCatalogs(of: broadcast, object: object) { frame, _, _ in decode(frame).map(Optional.some) }
    }

    /// `Broadcast.catalogs()`, with a reader that follows a track; another track than `catalog.json` is what other
    /// applications read.
    public func openCatalogs(
        of broadcast: FoundBroadcast, object: String, track: String = CatalogStream.track,
        follow: @escaping CatalogStream.Follower
    ) -> CatalogStream {
        let stream = CatalogStream(object, of: name, port: port, follow: follow)
        stream.id = upstream.open(stream, path: broadcast.fullPath, track: track, priority: CatalogStream.priority)
        return stream
    }

    /// Where the media of a broadcast is shared.
    public func openHubs(of broadcast: FoundBroadcast, unpack: @escaping MediaHubs.Unpacker) -> MediaHubs {
        MediaHubs(
            path: broadcast.fullPath, session: name, upstream: upstream, as: platform, port: port, unpack: unpack)
    }

    /// `Broadcast.subscribeTrack`: with the defaults of the kits, so from the newest group on.
    public func subscribeTrack(
        _ track: String, of broadcast: FoundBroadcast, _ delivery: TrackSubscription.Delivery, object: String
    ) -> TrackSubscription {
        let subscription = TrackSubscription(object, of: name, track: track, delivery, port: port)
        subscription.id = upstream.open(subscription, path: broadcast.fullPath, track: track)
        return subscription
    }

    /// `AudioDataStream`: `onChunk` is the application, which is given what it reads.
    public func readAudio(
        _ rendition: Rendition, hubs: MediaHubs, isRead: Bool, object: String,
        decoder: any AudioDecoding = UndecodedAudio(), format: AudioConverter.Output = AudioConverter.Output(),
        onChunk: @escaping (AudioChunk) -> Void = { _ in }
    ) throws(ModelError) -> AudioDataStream {
        try AudioDataStream(
            object, rendition, hubs: hubs, isRead: isRead, decoder: decoder, format: format, as: platform, port: port,
            onChunk: onChunk)
    }

    /// `TrackSubscription.close()`.
    public func close(_ subscription: TrackSubscription) {
        subscription.close()
        if let id = subscription.id { upstream.close(id) }
    }

    /// The application stops iterating over catalogs.
    public func close(_ catalogs: CatalogStream) {
        catalogs.close()
        if let id = catalogs.id { upstream.close(id) }
    }
}
