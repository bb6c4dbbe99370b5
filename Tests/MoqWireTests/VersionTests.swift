import Testing

@testable import MoqWire

@Suite struct VersionTests {
    @Test func namesAndProtocolNamesGoBothWays() {
        #expect(Version.allCases.map(\.name) == ["03", "04", "05", "06"])
        for version in Version.allCases {
            #expect(Version(name: version.name) == version)
            #expect(Version(name: version.alpn) == version)
            #expect(Version(alpn: version.alpn) == version)
        }
        #expect(Version(alpn: "03") == nil)
        #expect(Version(name: "moq-lite-06-wip") == nil)
        #expect(Version.byPreference.first == .lite06)
    }

    @Test(
        arguments: [
            (Version.lite03, [1, 2, 4]), (.lite04, [1, 2, 4, 5]), (.lite05, [1, 2, 3, 4, 5, 6]),
            (.lite06, [1, 2, 3, 4, 5, 6]),
        ] as [(Version, [UInt64])])
    func aVersionKnowsItsStreams(version: Version, types: [UInt64]) {
        let known = (0...20).filter { BidirectionalStreamType($0, version: version) != nil }
        #expect(known == types)
        let oneWay = (0...20).filter { UnidirectionalStreamType($0, version: version) != nil }
        #expect(oneWay == (version.hasSetup ? [0, 1] : [0]))
    }

    @Test func whatVersionsHaveIsAsTheDraftsSay() {
        func versions(_ has: (Version) -> Bool) -> String {
            Version.allCases.filter(has).map { String($0.name.suffix(1)) }.joined()
        }
        #expect(versions(\.hasSetup) == "56")
        #expect(versions(\.hasFetch) == "56")
        #expect(versions(\.hasDatagrams) == "56")
        #expect(versions(\.hasAnnounceOK) == "56")
        #expect(versions(\.hasAnnounceIDs) == "6")
        #expect(versions(\.hasHopIDs) == "456")
        #expect(versions(\.hopsIncludeSender) == "34")
        #expect(versions(\.hasExcludeHop) == "45")
        #expect(versions(\.repeatedActiveReplaces) == "5")
        #expect(versions(\.hasFrameTimestamps) == "56")
        #expect(versions(\.hasOrdered) == "345")
        #expect(versions(\.hasFrameRanges) == "6")
        #expect(versions(\.hasGoaway) == "456")
        #expect(versions(\.probeHasRoundTrip) == "456")
        #expect(versions(\.subscribeAnswerIsOK) == "34")
        #expect(versions(\.requiresSubscribeStart) == "6")
    }
}
