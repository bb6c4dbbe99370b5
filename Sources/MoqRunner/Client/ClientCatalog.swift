import MoqBase
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
        return value.setting("container", to: ScenarioValue.object([]).setting("kind", to: .string("legacy")))
    }
}
