// Faults of the figures that players show.
extension KitFault {
    static let figureFaults = [
        figures(
            "kit-figures-none", "The statistics of a player are empty.",
            ["viewing.figures", "player.keeps-up", "viewing.crowd", "viewing.chained"]
        ) {
            $0 = TrackStatistics()
        },
        figures(
            "kit-latency-in-milliseconds", "The latency is given in another unit.",
            ["viewing.figures", "player.keeps-up", "viewing.target", "viewing.clocks"]
        ) {
            $0.latency = $0.latency.map { $0 / 1000 }
        },
        figures(
            "kit-latency-grows", "The latency is given as much too large.",
            ["player.keeps-up", "viewing.target", "viewing.crowd", "viewing.clocks"]
        ) {
            $0.latency = $0.latency.map { $0 + 10_000_000 }
        },
        figures("kit-bitrate-in-bits", "The bitrate is given in another unit.", ["viewing.figures"]) {
            $0.bitrate = $0.bitrate.map { $0 * 1000 }
        },
        figures(
            "kit-stalls-uncounted", "Stalls are not counted.",
            ["player.stall", "viewing.figures", "viewing.short-outage", "media.rebuffer"]
        ) {
            if $0.stalls != nil { ($0.stalls, $0.stallTime, $0.rebufferingRatio) = (0, 0, 0) }
        },
        figures(
            "kit-stalls-made-up", "A stall is counted that was none.",
            [
                "player.stall", "player.keeps-up", "viewing.switch-both-ways", "viewing.impaired-plays",
                "viewing.crowd", "viewing.slow-link-alone",
            ]
        ) {
            $0.stalls = $0.stalls.map { $0 + 1 }
        },
        figures(
            "kit-switches-uncounted", "Switches are not counted.",
            ["player.switch-in-place", "viewing.switch-both-ways", "viewing.restart-by-kind"]
        ) {
            ($0.switchesRequested, $0.switchesCompleted) = (nil, nil)
        },
        figures(
            "kit-pace-wrong", "Pictures and arrivals a second are given as a tenth of what they are.",
            ["viewing.figures", "viewing.crowd", "viewing.chained", "player.keeps-up", "viewing.replaced"]
        ) {
            $0.framesPerSecond = $0.framesPerSecond.map { $0 / 10 }
            $0.arrivalRate = $0.arrivalRate.map { $0 / 10 }
        },
        figures(
            "kit-first-frame-unknown", "When the first frame came is not said.",
            ["viewing.figures", "player.event-order", "viewing.crowd"]
        ) {
            ($0.firstFrame, $0.firstPlaying) = (nil, nil)
        },
        figures(
            "kit-order-unseen", "Frames out of order and jumps of the timeline are not counted.",
            ["viewing.impaired-plays", "viewing.clocks", "media.out-of-order", "media.clock-jump", "viewing.figures"]
        ) {
            ($0.outOfOrder, $0.discontinuities) = (0, 0)
        },
    ]

    private static func figures(
        _ name: String, _ about: String, _ requirements: [String],
        _ change: @escaping @Sendable (inout TrackStatistics) -> Void
    ) -> KitFault {
        KitFault(
            name, about, breaks: requirements, in: "kit-figures",
            by: .samples { sample in
                var other = sample
                change(&other.video)
                change(&other.audio)
                return other
            })
    }
}
