// Faults of what subscriptions bring, and of what is found.
extension KitFault {
    static let trackFaults = [
        catalogUpdateIgnored, catalogEndUnheard, frameLost, mediaLost, frameDoubled, codeLost,
        codeMapped, endUnheard, cleanAsLoss, monotonicAsItComes, catalogUnasked,
        pathsFromRoot, replacementUnseen,
    ]

    private static func isCatalog(_ track: String) -> Bool { track.hasSuffix(" catalog.json") }

    static let catalogUpdateIgnored = KitFault(
        "kit-catalog-update-ignored", "Only the first catalog of a broadcast is read.",
        breaks: [
            "publisher.catalog-grows", "catalog.update-replaces", "viewing.churn", "catalog.newest-wins",
            "viewing.rendition-gone",
        ], in: "publisher",
        by: .frames { payload, track, kit in isCatalog(track) ? [kit.first(track, payload)] : [payload] })

    static let catalogEndUnheard = KitFault(
        "kit-catalog-end-unheard", "A broadcast whose catalog ended stays live.",
        breaks: ["player.offline", "viewing.every-departure", "kit.session-loss", "viewing.expiry"], in: "kit-leaving",
        by: .ends { end, track in isCatalog(track) ? nil : end })

    static let frameLost = KitFault(
        "kit-object-unread", "Every fourth object of a data track is lost on its way to the application.",
        breaks: [
            "kit.arrival", "kit.monotonic", "publisher.data-objects", "viewing.data-apart", "viewing.objects-once",
        ],
        in: "kit-data",
        by: .frames { payload, track, kit in
            let isMedia = !isData(track.split(separator: " ").last.map(String.init) ?? "")
            return isMedia || kit.count(track) % 4 != 0 ? [payload] : []
        })

    static let mediaLost = KitFault(
        "kit-media-unread", "Every second frame of media is lost on its way to the player.",
        breaks: [
            "player.keeps-up", "viewing.crowd", "viewing.chained", "media.whole", "kit.audio-data",
            "viewing.impaired-plays", "viewing.figures", "viewing.slow-link-alone",
        ], in: "kit-crowds",
        by: .frames { payload, track, kit in
            let isMedia = !isData(track.split(separator: " ").last.map(String.init) ?? "") && !isCatalog(track)
            return !isMedia || kit.count(track) % 2 != 0 ? [payload] : []
        })

    static let frameDoubled = KitFault(
        "kit-frame-doubled", "Each frame of a track is read twice.",
        breaks: [
            "publisher.data-objects", "kit.arrival", "kit.monotonic", "viewing.data-apart", "viewing.figures",
            "viewing.objects-once",
        ],
        in: "kit-data",
        by: .frames { payload, track, _ in isCatalog(track) ? [payload] : [payload, payload] })

    static let codeLost = KitFault(
        "kit-code-lost", "Whatever ends with an error is taken to be finished.",
        breaks: [
            "viewing.codes-reach", "player.natural-end", "errors.not-found.code", "publisher.data-end",
            "moqom.track-end", "kit.arrival", "viewing.group-skipped",
        ], in: "kit-leaving",
        by: .ends { end, _ in if case .code = end { .clean } else { end } })

    static let codeMapped = KitFault(
        "kit-code-mapped", "Every error code is taken to be zero.",
        breaks: [
            "viewing.codes-reach", "errors.not-found.code", "errors.passed-on-unchanged", "player.natural-end",
            "errors.dropped.session-loss", "moqom.track-end",
        ], in: "kit-leaving",
        by: .ends { end, _ in if case .code = end { .code(0) } else { end } })

    static let endUnheard = KitFault(
        "kit-end-unheard", "The end of a track is not noticed.",
        breaks: ["player.natural-end", "viewing.every-departure", "publisher.data-end", "viewing.rendition-gone"],
        in: "player",
        by: .ends { end, track in isCatalog(track) ? end : nil })

    static let cleanAsLoss = KitFault(
        "kit-finish-as-loss", "A track that is finished is taken to be lost.",
        breaks: ["player.natural-end", "publisher.data-end", "viewing.every-departure"], in: "player",
        by: .ends { end, _ in end == .clean ? .sessionLost : end })

    static let monotonicAsItComes = KitFault(
        "kit-monotonic-as-it-comes", "Objects of older groups are handed on where only newer ones are wanted.",
        breaks: ["kit.monotonic"], in: "kit-data", by: .core)

    static let catalogUnasked = KitFault(
        "kit-catalog-unasked", "Catalogs are asked for under another name.",
        breaks: [
            "publisher.catalog-grows", "viewing.crowd", "viewing.chained", "media.catalog-forms",
            "viewing.published-again",
        ],
        in: "publisher",
        by: .requests { request, _ in
            guard case .subscribe(let id, let path, "catalog.json", let age, let priority) = request else {
                return [request]
            }
            return [.subscribe(id: id, path: path, track: "catalogue.json", maximumAge: age, priority: priority)]
        })

    static let pathsFromRoot = KitFault(
        "kit-paths-from-root", "What is found has its path from the root, not from the prefix.",
        breaks: ["kit.prefix-relative", "viewing.wrong-place", "path.relative"], in: "client-session", by: .core)

    static let replacementUnseen = KitFault(
        "kit-replacement-unseen", "A broadcast at a path that was found before is not found again.",
        breaks: ["kit.replacement", "viewing.replaced", "viewing.published-again", "kit.two-sessions"],
        in: "client-session", by: .core)
}
