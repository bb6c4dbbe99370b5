// Faults of MoqomKit: sessions, rooms and those who are in them.
extension KitFault {
    static let roomFaults = [
        ownFedBack, forceMuteIgnored, kickIgnored, grantIgnored, endIgnored, spotlightIgnored, invitationUnheard,
        tokenNotRenewed, lapseUnseen, goneUnseen, returnTimeEndless, localMuteIgnored, reportLost,
    ]

    static let ownFedBack = KitFault(
        "kit-own-fed-back", "What a participant publishes is played back to them as somebody else's.",
        breaks: ["moqom.own-is-not-another", "moqom.presence"], in: "moqom", by: .core)

    static let forceMuteIgnored = KitFault(
        "kit-force-mute-ignored", "A participant that is muted by a moderator goes on.",
        breaks: ["moqom.force-mute"], in: "moqom", by: .core)

    static let kickIgnored = KitFault(
        "kit-kick-ignored", "A participant that is put out of a room stays.",
        breaks: ["moqom.terminal-once", "moqom.moderation"], in: "moqom", by: .core)

    static let grantIgnored = KitFault(
        "kit-grant-ignored", "Rights that are given or taken change nothing.",
        breaks: ["moqom.grants", "moqom.moderation"], in: "moqom", by: .core)

    static let endIgnored = KitFault(
        "kit-host-end-ignored", "A participant stays when the host has ended the room.",
        breaks: ["moqom.terminal-once"], in: "moqom", by: .core)

    static let spotlightIgnored = KitFault(
        "kit-spotlight-ignored", "Who is in the spotlight is not taken over.",
        breaks: ["moqom.moderation"], in: "moqom", by: .core)

    static let invitationUnheard = KitFault(
        "kit-invitation-unheard", "Invitations and the answers to them are not heard.",
        breaks: ["moqom.invitations"], in: "moqom", by: .core)

    static let tokenNotRenewed = KitFault(
        "kit-token-not-renewed", "A token is not renewed before it lapses.",
        breaks: ["moqom.token-renewal"], in: "moqom-links", by: .core)

    static let lapseUnseen = KitFault(
        "kit-token-lapse-unseen", "That a token has lapsed is not noticed.",
        breaks: ["moqom.token-expiry"], in: "moqom-links", by: .core)

    static let goneUnseen = KitFault(
        "kit-gone-unseen", "That what somebody announced is gone is not noticed.",
        breaks: ["moqom.presence", "moqom.not-a-leave"], in: "moqom-links", by: .core)

    static let returnTimeEndless = KitFault(
        "kit-return-awaited", "Somebody who does not come back is waited for for ever.",
        breaks: ["moqom.presence", "moqom.network-failure"], in: "moqom-links", by: .core)

    static let localMuteIgnored = KitFault(
        "kit-local-mute-ignored", "Somebody who is muted here is heard all the same.",
        breaks: ["moqom.mutes"], in: "moqom", by: .core)

    static let reportLost = KitFault(
        "kit-report-said-once", "What a participant says of themselves goes out once only.",
        breaks: ["moqom.mutes", "moqom.grants", "moqom.force-mute", "moqom.invitations"], in: "moqom",
        by: .requests { request, kit in
            guard case .write(_, let name, _, _, _) = request, name == MoqomReport.track else { return [request] }
            return kit.count("report") == 1 ? [request] : []
        })
}
