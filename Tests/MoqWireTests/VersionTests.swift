import Testing

@testable import MoqWire

@Suite struct VersionTests {
    @Test func namesAndProtocolNamesGoBothWays() {
        #expect(Version.allCases.map(\.name) == ["01", "02", "03", "04", "05", "06", "07-wip"])
        for version in Version.allCases {
            #expect(Version(name: version.name) == version)
            #expect(Version(name: version.description) == version)
            #expect(Version(alpn: version.alpn) == (version <= .lite02 ? nil : version))
            #expect(Version(setupCode: version.setupCode) == (version <= .lite02 ? version : nil))
        }
        #expect(Version(alpn: "03") == nil)
        for name in ["moq-lite-06-wip", "07", "moq-lite-07", "moql"] { #expect(Version(name: name) == nil) }
        #expect(Version.lite01.alpn == "moql" && Version.lite02.alpn == "moql")
        #expect(Version(alpn: "moq-lite-01") == nil)
        #expect(Version.lite07.alpn == "moq-lite-07-wip")
        #expect(Version.lite02.setupCode == 0xFF0D_AD02)
    }

    @Test func whatIsOfferedIsTheReleasedVersionsNewestFirstAndEachNameOnce() {
        #expect(Version.byPreference == [.lite06, .lite05, .lite04, .lite03, .lite02, .lite01])
        #expect(
            Version.protocolNames(for: Version.byPreference)
                == ["moq-lite-06", "moq-lite-05", "moq-lite-04", "moq-lite-03", "moql"])
        #expect(Version.protocolNames(for: [.lite01, .lite07, .lite02]) == ["moql", "moq-lite-07-wip"])
        #expect(Version.protocolNames(for: []).isEmpty)
    }

    @Test(
        arguments: [
            (.lite01, [1, 2]), (.lite02, [1, 2]), (Version.lite03, [1, 2, 4]), (.lite04, [1, 2, 4, 5]),
            (.lite05, [1, 2, 3, 4, 5, 6]),
            (.lite06, [1, 2, 3, 4, 5, 6]), (.lite07, [1, 2, 3, 4, 5, 6]),
        ] as [(Version, [UInt64])])
    func aVersionKnowsItsStreams(version: Version, types: [UInt64]) {
        let known = (0...20).filter { BidirectionalStreamType($0, version: version) != nil }
        #expect(known == types)
        let oneWay = (0...20).filter { UnidirectionalStreamType($0, version: version) != nil }
        #expect(oneWay == (version.hasSetup ? [0, 1] : [0]))
    }

    @Test func whatVersionsHaveIsAsTheDraftsSay() {
        func versions(_ has: (Version) -> Bool) -> String {
            Version.allCases.filter(has).map { String($0.rawValue) }.joined()
        }
        let expected: [(String, (Version) -> Bool)] = [
            ("12", \.usesSetupExchange), ("12", \.hasAnnounceInit), ("34567", \.hasHops), ("567", \.hasSetup),
            ("567", \.hasFetch), ("567", \.hasDatagrams), ("567", \.hasAnnounceOK), ("67", \.hasAnnounceIDs),
            ("67", \.hasCosts), ("6", \.hasColdCost), ("4567", \.hasHopIDs), ("34", \.hopsIncludeSender),
            ("45", \.hasExcludeHop), ("5", \.repeatedActiveReplaces), ("567", \.announcementsCanChange),
            ("12567", \.tellsActiveCount), ("567", \.hasFrameTimestamps), ("345", \.hasOrdered),
            ("67", \.hasFrameRanges), ("67", \.startIsFloor), ("34567", \.hasSubscribeRange),
            ("34567", \.hasSubscribeUpdate), ("34567", \.hasProbe), ("4567", \.probeHasRoundTrip),
            ("4567", \.hasGoaway), ("1234", \.subscribeAnswerIsOK), ("134", \.subscribeOKHasPriority),
            ("34567", \.subscribeAnswersAreTyped), ("3456", \.hasSubscribeDrop), ("67", \.requiresSubscribeStart),
            ("67", \.endWithdrawsRequests), ("7", \.hasEpochs), ("7", \.hasHiddenRoutes),
            ("7", \.hasBorrowedRoutes), ("7", \.hasLargestPosition), ("7", \.subscriberEndsFirst),
            ("7", \.trackAgeIsOptional), ("123456", \.isReleased),
        ]
        for (index, (numbers, has)) in expected.enumerated() {
            #expect(versions(has) == numbers, "row \(index)")
        }
    }
}
