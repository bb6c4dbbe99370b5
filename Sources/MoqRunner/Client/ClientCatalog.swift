import MoqBase
import MoqHang
import MoqKit
import MoqScenario

// What the models' publishers write of their renditions.

extension Rendition {
    /// What a publisher writes of it.
    var scenarioValue: ScenarioValue {
        var value = ScenarioValue.object([])
        value = value.setting("codec", to: .string(codec))
        if let description { value = value.setting("description", to: .string(Hexadecimal.encode(description))) }
        if let width { value = value.setting("codedWidth", to: .integer(Int64(width))) }
        if let height { value = value.setting("codedHeight", to: .integer(Int64(height))) }
        if let frameRate { value = value.setting("framerate", to: .number(frameRate)) }
        if let sampleRate { value = value.setting("sampleRate", to: .integer(Int64(sampleRate))) }
        if let channels { value = value.setting("numberOfChannels", to: .integer(Int64(channels))) }
        let timeline = ScenarioValue.object([])
            .setting("track", to: .string(PublisherModel.timeline(of: name))).setting("timescale", to: .integer(1000))
        return value.setting("container", to: container.scenarioValue).setting("timeline", to: timeline)
    }
}

extension RenditionContainer {
    fileprivate var scenarioValue: ScenarioValue {
        let value = ScenarioValue.object([])
        return switch self {
        case .legacy: value.setting("kind", to: .string("legacy"))
        case .loc: value.setting("kind", to: .string("loc"))
        case .cmaf(let initialisation):
            value.setting("kind", to: .string("cmaf")).setting("init", to: .string(Base64.encode(initialisation)))
        }
    }
}
