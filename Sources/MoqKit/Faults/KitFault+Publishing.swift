// Faults of publishers: what they announce, and what they put on the wire.
extension KitFault {
    static let publishingFaults = [
        catalogNotGrown, catalogKeepsStopped, withdrawUntold, announcedOnce, objectDoubled, objectLost, objectTorn,
        dataUnfinished, mediaUnfinished, oneGroup, lateTrackStarts, clockPerTrack, mediaStopped,
        emitterKept,
    ]

    /// Media tracks are named after a number and a format.
    static func isData(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) && !name.hasPrefix("catalog")
    }

    static let catalogNotGrown = KitFault(
        "kit-catalog-not-grown", "Of the tracks of a publisher the catalog lists the first only.",
        breaks: ["publisher.catalog-grows", "viewing.crowd", "viewing.churn"], in: "publisher",
        by: .requests { request, _ in
            guard case .catalog(let path, let renditions) = request else { return [request] }
            return [.catalog(path: path, Array(renditions.prefix(1)))]
        })

    static let catalogKeepsStopped = KitFault(
        "kit-catalog-keeps-stopped", "A track that was stopped stays in the catalog.",
        breaks: ["publisher.catalog-grows", "viewing.rendition-gone", "viewing.churn"], in: "publisher",
        by: .requests { request, kit in
            guard case .catalog(let path, let renditions) = request else { return [request] }
            return kit.count("\(path) \(renditions.count)") == 1 && !renditions.isEmpty ? [request] : []
        })

    static let withdrawUntold = KitFault(
        "kit-withdraw-untold", "A broadcast that is unpublished stays announced.",
        breaks: [
            "publisher.stop-ends-all", "viewing.every-departure", "viewing.published-again", "moqom.presence",
            "moqom.backstage",
        ], in: "publisher",
        by: .requests { request, _ in if case .withdraw = request { [] } else { [request] } })

    static let announcedOnce = KitFault(
        "kit-announced-once", "A path that was announced before is not announced again.",
        breaks: [
            "viewing.published-again", "kit.replacement", "viewing.replaced", "moqom.restoration",
            "viewing.objects-once",
        ],
        in: "kit-returns",
        by: .requests { request, kit in
            guard case .announce(let path) = request else { return [request] }
            return kit.count(path) == 1 ? [request] : []
        })

    static let objectDoubled = KitFault(
        "kit-object-doubled", "Each object of a data track is sent in two groups.",
        breaks: ["publisher.data-objects", "viewing.objects-once", "viewing.data-apart", "kit.monotonic"],
        in: "kit-returns",
        by: .requests { request, _ in
            guard case .write(_, let name, _, _, true) = request, isData(name) else { return [request] }
            return [request, request]
        })

    static let objectLost = KitFault(
        "kit-object-lost", "Every third object of a data track is not sent.",
        breaks: ["publisher.data-objects", "viewing.objects-once", "viewing.data-apart", "kit.arrival"], in: "kit-data",
        by: .requests { request, kit in
            guard case .write(_, let name, _, _, true) = request, isData(name) else { return [request] }
            return kit.count(name) % 3 == 0 ? [] : [request]
        })

    static let objectTorn = KitFault(
        "kit-object-torn", "Objects of a data track lose their last byte.",
        breaks: ["publisher.data-objects", "frame.content", "viewing.data-apart"], in: "data-tracks",
        by: .requests { request, _ in
            guard case .write(let path, let name, let frames, let starts, true) = request, isData(name) else {
                return [request]
            }
            let torn = frames.map { OutgoingFrame(payload: Array($0.payload.dropLast()), timestamp: $0.timestamp) }
            return [.write(path: path, name: name, torn, startsGroup: starts, endsGroup: true)]
        })

    static let dataUnfinished = KitFault(
        "kit-data-unfinished", "A data track that is stopped does not end.",
        breaks: ["publisher.data-end", "publisher.data-objects", "viewing.every-departure"], in: "data-tracks",
        by: .requests { request, _ in
            switch request {
            case .finishTrack(_, let name) where isData(name), .dropTrack(_, let name) where isData(name): []
            default: [request]
            }
        })

    static let mediaUnfinished = KitFault(
        "kit-media-unfinished", "A media track that is stopped does not end.",
        breaks: ["player.natural-end", "viewing.rendition-gone", "viewing.every-departure", "publisher.catalog-grows"],
        in: "player",
        by: .requests { request, _ in
            if case .finishTrack(_, let name) = request, !isData(name) { [] } else { [request] }
        })

    static let oneGroup = KitFault(
        "kit-one-group", "Pictures are all sent in one group.",
        breaks: ["subscribe.latest-group", "player.event-order", "media.starts-at-keyframe", "player.switch-in-place"],
        in: "player",
        by: .requests { request, kit in
            guard case .write(let path, let name, let frames, true, false) = request else { return [request] }
            return [.write(path: path, name: name, frames, startsGroup: kit.count(name) == 1, endsGroup: false)]
        })

    static let mediaStopped = KitFault(
        "kit-media-runs-dry", "After three hundred writes nothing of a media track is sent any more.",
        breaks: ["player.keeps-up", "viewing.crowd", "viewing.chained", "viewing.churn", "viewing.impaired-plays"],
        in: "player",
        by: .requests { request, kit in
            guard case .write(_, let name, _, _, _) = request, !isData(name) else { return [request] }
            return kit.count(name) > 300 ? [] : [request]
        })

    static let lateTrackStarts = KitFault(
        "kit-late-track-starts", "A track that is added after the start is published.",
        breaks: ["publisher.go-live-order"], in: "publisher", by: .core)

    static let clockPerTrack = KitFault(
        "kit-clock-of-its-own", "Each track begins with a time of zero of its own.",
        breaks: ["viewing.clocks", "media.own-clocks", "media.near-clocks", "media.in-step"], in: "kit-figures",
        by: .core)

    static let emitterKept = KitFault(
        "kit-emitter-unbound", "An emitter that was stopped never sends again, or always does.",
        breaks: ["viewing.objects-once", "publisher.data-objects"], in: "kit-returns", by: .core)
}
