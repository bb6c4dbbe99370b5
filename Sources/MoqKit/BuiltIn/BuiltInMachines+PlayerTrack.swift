// Made from fixtures/machines/player-track.yaml by fixtures/machines/embed.sh.
extension BuiltInMachines {
    /// The text of fixtures/machines/player-track.yaml.
    static let playerTrack = #"""
        machine: player-track
        object: PlayerTrack
        about: What a player shows of one kind, audio or video, from one playback.request to the next.
        source: moq-kit ebc250b (iOS 0.4.1, Android 0.4.0)
        profiles: [ios, android, ios-documented, android-documented]

        states:
          off: { initial: true, about: No subscription. }
          subscribed: The subscription is open; nothing was accepted yet.
          ready: A first frame was accepted.
          playing: It can be seen or heard.
          stalled: The picture stands, or there is no sound.
          over: The subscription ended or failed.

        inputs:
          select: { kind: inside, about: A selection was committed. }
          subscribe: { kind: inside, about: "play() or a full restart opened the subscription.", with: { rebuffer_kind: flag } }
          switch: { kind: inside, about: A new rendition was subscribed to while the old one goes on., with: { epoch: number } }
          accepted: { kind: outside, about: "The first video frame, or the first decoded audio, of the epoch.", with: { epoch: number } }
          swapped: { kind: inside, about: "The new rendition took over: audio with its first frame, video at the swap." }
          output: { kind: inside, about: The epoch can be seen or heard for the first time., with: { epoch: number } }
          switch.aborted: { kind: timer, after: 5s, about: No usable keyframe came. }
          starved: { kind: inside, about: A stall of this kind begins. }
          fed: { kind: inside, about: The stall is over. }
          decode.failed: { kind: outside }
          upstream.ended: { kind: outside, about: A clean end. }
          upstream.failed: { kind: outside, about: "A refusal (13, 30, 6) or a failure (24 and others).", with: { code: number } }
          cancelled: { kind: inside, about: "pause(), stopAll(), close(), or the restart that comes next." }
          surface.again: { kind: call, only: [android], about: The surface was taken away and set again. }

        variables:
          next: [none, subscribed, ready, swapped]
          rebuffers: false
          current: 0
          shown: false

        events:
          track.select: { with: [kind, name], lossy: true, about: "The first one comes from the initialiser, where nobody listens." }
          track.subscribe.start: { with: [kind, name, epoch] }
          track.ready: { with: [kind, epoch] }
          track.playing: { with: [kind, epoch] }
          track.switch: { with: [kind, epoch] }
          track.stall.start: { with: [kind] }
          track.stall.end: { with: [kind] }
          rebuffer.start: { with: [kind] }
          rebuffer.end: { with: [kind] }
          decode.error: { with: [kind, epoch] }
          track.subscribe.end: { with: [kind, name, epoch] }
          track.subscribe.error: { with: [kind, name, epoch, code] }

        transitions:
          - { from: any, on: select, to: same, emits: track.select, source: player events, about: It may come before or after ready. }
          - from: [off, over]
            on: subscribe
            to: subscribed
            emits: { track.subscribe.start: { epoch: 1 } }
            set: { current: 1, next: none, shown: false, rebuffers: $rebuffer_kind }
            source: player events
          - { from: subscribed, on: accepted, when: { epoch: { same_as: current } }, to: ready, emits: { track.ready: { epoch: $epoch } }, source: player events }
          - { from: ready, on: output, when: { next: [none, subscribed, ready], epoch: { same_as: current } }, to: playing, emits: { track.playing: { epoch: $epoch } }, set: { shown: true }, source: player events }
          - { from: ready, on: output, when: { next: swapped, epoch: { same_as: current } }, to: playing, emits: { track.playing: { epoch: $epoch } }, set: { next: none, shown: true }, source: player events }

          # Stalls.
          - { from: playing, on: starved, when: { rebuffers: true }, to: stalled, emits: [track.stall.start, rebuffer.start], source: player events }
          - { from: playing, on: starved, when: { rebuffers: false }, to: stalled, emits: track.stall.start, source: player events }
          - { from: stalled, on: fed, when: { rebuffers: true, shown: true }, to: playing, emits: [track.stall.end, rebuffer.end], source: player events }
          - { from: stalled, on: fed, when: { rebuffers: false, shown: true }, to: playing, emits: track.stall.end, source: player events }
          # The monitor of Android watches a track from its first frame on, which may come long before the first output.
          - { from: ready, on: starved, when: { rebuffers: true }, to: stalled, emits: [track.stall.start, rebuffer.start], only: [android], source: stall machines }
          - { from: ready, on: starved, when: { rebuffers: false }, to: stalled, emits: track.stall.start, only: [android], source: stall machines }
          - { from: stalled, on: output, when: { next: [none, subscribed, ready], shown: false, epoch: { same_as: current } }, to: same, emits: { track.playing: { epoch: $epoch } }, set: { shown: true }, only: [android], source: stall machines }
          - { from: stalled, on: fed, when: { rebuffers: true, shown: false }, to: ready, emits: [track.stall.end, rebuffer.end], only: [android], source: stall machines }
          - { from: stalled, on: fed, when: { rebuffers: false, shown: false }, to: ready, emits: track.stall.end, only: [android], source: stall machines }

          # A switch in place: the old rendition plays until the new one takes over.
          - from: [subscribed, ready, playing, stalled]
            on: switch
            when: { next: none, epoch: { follows: current } }
            to: same
            emits: { track.subscribe.start: { epoch: $epoch } }
            set: { next: subscribed }
            source: player events
          - { from: [ready, playing, stalled], on: accepted, when: { next: subscribed, epoch: { follows: current } }, to: same, emits: { track.ready: { epoch: $epoch } }, set: { next: ready }, source: player events }
          - { from: [ready, playing, stalled], on: swapped, when: { next: ready }, to: same, emits: track.switch, set: { next: swapped, current: +1 }, source: player events }
          - { from: playing, on: output, when: { next: swapped, epoch: { same_as: current } }, to: same, emits: { track.playing: { epoch: $epoch } }, set: { next: none }, source: player events }
          - { from: stalled, on: output, when: { next: swapped, epoch: { same_as: current } }, to: same, emits: { track.playing: { epoch: $epoch } }, set: { next: none, shown: true }, source: player events }
          - from: [subscribed, ready, playing, stalled]
            on: switch.aborted
            when: { next: [subscribed, ready] }
            to: same
            emits: track.subscribe.error
            set: { next: none }
            only: [ios]
            source: rendition switch
            about: "Timed out waiting for a usable video keyframe. No new selection is shown."
          - { from: [subscribed, ready, playing, stalled], on: switch.aborted, when: { next: [subscribed, ready] }, to: same, emits: track.select, set: { next: none }, only: [android], source: rendition switch }
          - from: [subscribed, ready, playing, stalled]
            on: upstream.failed
            when: { next: [subscribed, ready] }
            to: same
            emits: track.subscribe.error
            open: true
            source: rendition switch
            about: The subscription of the new rendition was refused; the switch is aborted later.

          # Ends.
          - { from: [subscribed, ready, playing, stalled], on: upstream.ended, to: over, emits: track.subscribe.end, source: ends of tracks }
          - { from: [subscribed, ready, playing, stalled], on: upstream.failed, to: over, emits: { track.subscribe.error: { code: $code } }, open: true, source: ends of tracks }
          - { from: [subscribed, ready, playing, stalled], on: decode.failed, to: same, emits: decode.error, source: player events }
          - { from: [subscribed, ready, playing, stalled, over], on: cancelled, to: off, source: ends of tracks, about: Without an event; a stall that is open stays open. }
          - { from: off, on: cancelled, ignore: true }
          - { from: off, on: upstream.ended, ignore: true }
          - { from: off, on: upstream.failed, ignore: true }
          - { from: [off, over], on: decode.failed, ignore: true }
          - { from: over, on: upstream.failed, ignore: true }
          - { from: over, on: upstream.ended, ignore: true }
          - from: [ready, playing, stalled]
            on: surface.again
            to: subscribed
            emits: { track.subscribe.start: { epoch: 1 } }
            set: { next: none, current: 1, shown: false }
            source: ends of tracks
            about: Still epoch 1, and no second playback.start.

        orders:
          - { after: { player: playing }, in: [subscribed, ready, playing, stalled], source: player events, about: playback.request comes before track.subscribe.start. }
          - { until: { player: [paused, stopped, destroyed] }, in: [subscribed, ready, playing, stalled], then: off, source: player calls, about: These cancel the subscriptions of the tracks. }

        """#
}
