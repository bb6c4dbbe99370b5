// What the application behind a MoqomKit session sets, where its actor is declared.
extension ActorReader {
    func moqom(_ reader: MappingReader, _ name: String) -> MoqomSettings {
        var settings = MoqomSettings(user: reader.text("user") ?? name)
        if settings.user.isEmpty || settings.user.contains("/") {
            reader.context.error(
                reader.span, "`\(settings.user)` cannot be the `user` of `\(name)`",
                expected: "a name without `/`, since it is part of a path")
        }
        settings.role = reader.word("role", as: MoqomRoleWord.self) ?? .speaker
        if let renew = reader.take("renew"),
            let inner = MappingReader(renew.value, of: "renew", at: renew.keySpan, context: context)
        {
            settings.renewBefore = inner.duration("before")
            settings.service = inner.word("answers", as: MoqomTokenService.self) ?? .grants
            inner.finish()
        }
        settings.window = reader.duration("reconnect_window") ?? settings.window
        settings.awayAfter = reader.duration("away_after") ?? settings.awayAfter
        settings.clockBehind = reader.duration("clock_behind") ?? .zero
        return settings
    }

    /// Only what lapses can be renewed, and only before it does.
    func checkRenewal(_ actor: ActorDefinition, _ entry: YAMLNode.Entry) {
        guard let settings = actor.moqom, settings.service != .none || settings.renewBefore != nil else { return }
        guard case .minted(let token)? = actor.token, case .after(let life)? = token.expires else {
            context.error(
                entry.keySpan, "the token of `\(actor.name)` never lapses, so there is nothing to renew",
                expected: "`token: { expires: 5s }` beside `renew`")
            return
        }
        guard let before = settings.renewBefore, before >= life else { return }
        context.error(
            entry.keySpan, "the token of `\(actor.name)` is to be renewed before it is given",
            expected: "`before` shorter than the `expires` of its token")
    }
}
