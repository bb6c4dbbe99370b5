/// The files by which the language was designed, word for word.
enum ExampleFile {
    static let errors = #"""
        suite: errors
        about: Codes 13, 24, 25 and 26, each raised on purpose and seen from every side.

        scenarios:
          - id: errors.not-found.no-such-track
            title: A subscription to a track that its publisher refuses is reset with 13, promptly
            requirements: [subscribe.refusal-is-reset, errors.not-found.code]
            actors:
              camera: session
              viewer: session
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - viewer.subscribe: { broadcast: game, track: nope }
              - camera.expect: { subscribe_request: { track: nope } }
              - camera.refuse: { track: nope, code: not_found }
              - viewer.expect: { track: nope, reset: not_found, within: 1s }

          - id: errors.not-found.wrong-namespace
            title: A session without the namespace path never sees a broadcast, and says why
            needs: [path-scoping]
            requirements: [path.scope, session.namespace-missing]
            actors:
              camera: session
              lost: { kind: session, path: / }
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - lost.connect: { expect: any }
              - lost.never: { announced: game, for: 500ms }

          - id: errors.lagged.slow-reader
            title: A reader that stops reading is told that it lagged, and others are not slowed
            requirements: [errors.lagged.code, relay.slow-reader-isolated]
            needs: [group-budget]
            actors:
              camera: session
              slow: session
              quick: session
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - parallel:
                  - slow.subscribe: { broadcast: game, track: video }
                  - quick.subscribe: { broadcast: game, track: video }
              - slow.pause_reading: {}
              - camera.write: { track: video, group: 0, frames: 4000, size: 64 KiB, pace: as_fast_as_possible }
              - quick.expect: { track: video, frames: 4000, within: 20s }
              - slow.resume_reading: {}
              - slow.expect: { track: video, group: 0, reset: { any_of: [lagged, old, evicted] } }
            reached:
              - slow was behind by 32 MiB    # without this the verdict is vacuous, not pass
        """#

    static let producerDrop = #"""
        suite: producer-drop
        about: What a viewer sees when a publisher goes away without finishing.

        defaults:
          within: 2s
          matrix:
            version: [moq-lite-03, moq-lite-04, moq-lite-05]
            transport: [quic, webtransport]

        scenarios:
          - id: producer-drop.abort-mid-group
            title: A group that its producer drops is reset with code 24 for every subscriber
            requirements: [errors.dropped.reset-code, group.reset.keeps-session]
            actors:
              camera: session
              viewer: session
              late: session
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - viewer.expect: { announced: game }
              - viewer.subscribe: { broadcast: game, track: video }
              - camera.write: { track: video, group: 0, frames: 3, size: 1 KiB }
              - viewer.expect: { track: video, group: 0, frames: 3 }
              - camera.drop: { track: video, group: 0 }
              - viewer.expect: { track: video, group: 0, reset: dropped }
              - viewer.expect: { session: connected }

          - id: producer-drop.session-lost
            title: A publisher whose process dies is unannounced, and its tracks end with an error
            requirements: [announce.end-on-disconnect, errors.dropped.session-loss]
            actors:
              camera: session
              viewer: session
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - viewer.subscribe: { broadcast: game, track: video }
              - camera.write: { track: video, groups: 2, frames: 5, size: 4 KiB }
              - viewer.expect: { track: video, groups: 2 }
              - camera.vanish: {}            # no close, no more packets
              - viewer.expect: { unannounced: game, within: 40s }
              - viewer.expect: { track: video, ended: with_error }
        """#

    static let catalogChurn = #"""
        suite: catalog-churn
        about: Tracks come and go while people watch.

        scenarios:
          - id: catalog-churn.rendition-added-and-removed
            title: A player moves to the new rendition and never restarts a torn-down player
            requirements: [catalog.update-replaces, player.single-use]
            matrix:
              profile: [ios, android]
            actors:
              studio: { kind: publisher, profile: "${profile}" }
              couch: { kind: player, profile: "${profile}", target_buffering: 100 ms }
            steps:
              - studio.start_capture: { video: fixtures/media/bars-h264-aac.mp4, loop: true }
              - studio.add_video_track: { name: camera }
              - studio.publish: { path: live/studio }
              - studio.start: {}
              - couch.subscribe: { prefix: live }
              - couch.expect: { broadcast: studio, catalog: { video: 1, audio: 0 } }
              - couch.play: {}
              - couch.expect:
                  in_order: [track.ready, playback.start]
                  within: 3s
              - studio.catalog: { add: { video: 480p, codec: avc1.42c01e } }
              - couch.expect: { catalog: { video: 2 } }
              - studio.catalog: { remove: { video: 480p } }
              - couch.expect: { catalog: { video: 1 } }
              - couch.expect: { stats: { stalls: 0, dropped_frames: 0, latency: "< 300 ms" }, for: 3s }
              - studio.stop: {}
              - studio.expect: { publisher: [publishing, stopped] }
              - couch.expect: { broadcast: studio, is: offline }

          - id: catalog-churn.storm
            title: A hundred catalog updates a second reach a slow subscriber as the newest, whole
            requirements: [catalog.newest-wins, group.latest]
            network: { delay: 80ms, loss: 2%, seed: 7 }
            actors:
              studio: session
              reader: session
            steps:
              - studio.publish: { broadcast: live, tracks: [catalog.json] }
              - reader.subscribe: { broadcast: live, track: catalog.json }
              - repeat:
                  times: 300
                  every: 10ms
                  steps:
                    - studio.catalog: { video: { "v${i}": { codec: avc1.64001f } } }
              - reader.expect: { catalog: { video: [v299] }, within: 5s }
              - reader.never: { catalog: { older_than_seen: true } }
        """#
}
