import MoqLite
import MoqTransport
import MoqWire

// Faults of groups and frames on their way to subscribers.
extension RelayFault {
    static let groupFaults = [
        groupLost, groupDoubled, groupTorn, framesReordered, priorityInverted, framesPassedWhole,
    ]

    static let framesPassedWhole = RelayFault(
        "frames-passed-whole", "The bytes of a frame are passed on when the whole of it is there.",
        breaks: ["frame.streaming"], in: "frames", by: .session { $0.tellsFrameParts = false })

    static let groupLost = RelayFault(
        "group-lost", "Every second group of a subscription does not arrive.",
        breaks: ["subscribe.live", "group.whole", "relay.fan-out"], in: "groups",
        by: .wire { act, stream in
            guard stream.isGroup, stream.place % 2 == 1 else { return [act] }
            // Nobody is to know that there was a stream: it is opened, and ends without a word.
            if case .write = act { return [] }
            return [act]
        })

    static let groupDoubled = RelayFault(
        "group-doubled", "Every group is sent twice.",
        breaks: ["group.once"], in: "groups",
        by: .wire { act, stream in
            guard stream.isGroup else { return [act] }
            stream.held.append(act)
            guard act == .finish else { return [act] }
            stream.transport.sendBeside(stream.heldBytes)
            return [act]
        })

    static let groupTorn = RelayFault(
        "group-torn", "The last frame of a group is left out, and the group ends as if it were whole.",
        breaks: ["group.whole"], in: "groups",
        by: .wire { act, stream in
            guard stream.isGroup else { return [act] }
            guard case .write = act else {
                stream.held = []
                return [act]
            }
            guard stream.writes > 0 else { return [act] }
            let held = stream.held
            stream.held = [act]
            return held
        })

    static let framesReordered = RelayFault(
        "frames-reordered", "The first two frames of a group change places.",
        breaks: ["frame.order", "frame.content", "group.whole"], in: "groups", versions: .lite01 ... .lite04,
        by: .wire { act, stream in
            guard stream.isGroup else { return [act] }
            if stream.writes == 1, case .write = act {
                stream.held = [act]
                return []
            }
            let held = stream.held
            stream.held = []
            if case .write = act { return [act] + held }
            return held + [act]
        })

    static let priorityInverted = RelayFault(
        "priority-inverted", "What subscribers want least is sent first.",
        breaks: ["subscribe.priority"], in: "delivery",
        by: .wire { act, stream in
            guard stream.id.direction == .unidirectional, case .priority(let wanted) = act, wanted.urgency <= 255 else {
                return [act]
            }
            return [.priority(SendPriority(urgency: 255 - wanted.urgency, sequence: .max - wanted.sequence))]
        })
}
