import Testing

@testable import MoqWire

@Suite struct CodeTableTests {
    @Test(arguments: CodeGeneration.allCases)
    func everyRowGoesFromConditionToNumberAndBack(generation: CodeGeneration) {
        for row in CodeTable.entries(of: generation) {
            #expect(ErrorCondition.named.contains(row.condition))
            #expect(row.number < ErrorCondition.appOffset)
            for signal in row.signals {
                let expression = CodeTable.expression(of: row.condition, in: generation, on: signal)
                #expect(expression.numbers.contains(row.number), "\(row)")
                #expect(CodeTable.conditions(of: row.number, in: generation, on: signal).contains(row.condition))
            }
        }
    }

    @Test(arguments: CodeGeneration.allCases, CodeSignal.allCases)
    func anExactNumberMeansNothingElse(generation: CodeGeneration, signal: CodeSignal) {
        for condition in ErrorCondition.named + [.app(0), .app(.max)] {
            switch CodeTable.expression(of: condition, in: generation, on: signal) {
            case .exact(let numbers):
                for number in numbers {
                    #expect(CodeTable.conditions(of: number, in: generation, on: signal) == [condition])
                }
            case .ambiguous(let numbers, let others):
                #expect(!others.isEmpty && !others.contains(condition))
                let meanings = numbers.flatMap { CodeTable.conditions(of: $0, in: generation, on: signal) }
                #expect(Set(meanings) == Set(others + [condition]))
            case .notExpressible(let reason):
                #expect(reason.contains(condition.name))
            }
        }
    }

    @Test(
        arguments: [
            (ErrorCondition.notFound, CodeSignal.reset, [13], [51]), (.unroutable, .reset, [30], [54]),
            (.dropped, .reset, [24], [0]), (.lagged, .reset, [26], [5]), (.closed, .stop, [25], [1, 3]),
            (.closed, .reset, [], []), (.old, .reset, [2], [52]), (.evicted, .reset, [31], [53]),
            (.cancelled, .reset, [0], [1]), (.malformed, .stop, [5], [18]), (.unauthorized, .close, [6], [2]),
            (.protocolViolation, .close, [15], [3]), (.duplicate, .close, [12], [3]),
            (.groupTooLarge, .reset, [], [50]),
            (.goingAway, .reset, [], [4]), (.deliveryTimeout, .reset, [], [2]), (.version, .close, [9, 21], [21]),
            (.app(7), .reset, [71], [71]), (.app(404), .close, [468], [468]),
        ] as [(ErrorCondition, CodeSignal, [UInt64], [UInt64])])
    func conditionsHaveTheNumbersSeenOnTheWire(
        condition: ErrorCondition, signal: CodeSignal, first: [UInt64], second: [UInt64]
    ) {
        #expect(CodeTable.expression(of: condition, in: .first, on: signal).numbers == first)
        #expect(CodeTable.expression(of: condition, in: .second, on: signal).numbers == second)
    }

    @Test func droppedIsUnambiguousInTheFirstGenerationOnly() {
        #expect(CodeTable.expression(of: .dropped, in: .first, on: .reset) == .exact([24]))
        #expect(
            CodeTable.expression(of: .dropped, in: .second, on: .reset)
                == .ambiguous([0], alsoMeans: [.internalError, .transport]))
    }

    @Test func closedIsNeverTheCodeOfAReset() {
        for generation in CodeGeneration.allCases {
            guard case .notExpressible(let reason) = CodeTable.expression(of: .closed, in: generation, on: .reset)
            else {
                Issue.record("closed is expressible as a reset in \(generation)")
                continue
            }
            #expect(reason.hasPrefix("closed shows as a stop of a stream only"))
        }
    }

    @Test func numbersNobodyRegisteredMeanNothing() {
        #expect(CodeTable.conditions(of: 7, in: .first, on: .reset).isEmpty)
        #expect(CodeTable.conditions(of: 40, in: .second, on: .close).isEmpty)
        #expect(CodeTable.conditions(of: 64 + 65535, in: .first, on: .reset) == [.app(65535)])
        #expect(CodeTable.conditions(of: 64 + 65536, in: .first, on: .reset).isEmpty)
    }

    @Test func theSpacesOfTheSecondGenerationAreApart() {
        #expect(CodeTable.conditions(of: 2, in: .second, on: .reset) == [.deliveryTimeout])
        #expect(CodeTable.conditions(of: 2, in: .second, on: .close) == [.unauthorized])
        #expect(CodeTable.conditions(of: 51, in: .second, on: .close).isEmpty)
    }

    @Test func aNumberThatNothingSendsIsStillNamed() {
        #expect(CodeTable.describe(3, in: .first, on: .reset) == "3 (delivery_timeout)")
        #expect(CodeTable.describe(13, in: .first, on: .reset) == "13 (not_found)")
        #expect(CodeTable.describe(0, in: .second, on: .reset) == "0 (internal or dropped or transport)")
        #expect(CodeTable.describe(63, in: .second, on: .reset) == "63")
    }

    @Test func whatCannotBeExpressedIsSentAsAFailureInside() {
        #expect(CodeTable.numberToSend(for: .notFound, in: .second, on: .reset) == 51)
        #expect(CodeTable.numberToSend(for: .groupTooLarge, in: .first, on: .reset) == 0)
        #expect(CodeTable.numberToSend(for: .lagged, in: .second, on: .close) == 1)
    }

    @Test func namesGoBothWays() {
        #expect(Set(ErrorCondition.allNames).count == ErrorCondition.allNames.count)
        for condition in ErrorCondition.named + [.app(0), .app(7), .app(65535)] {
            #expect(ErrorCondition(name: condition.name) == condition)
        }
        #expect(ErrorCondition(name: "decode") == .malformed)
        for name in ["", "app", "app()", "app(65536)", "app(-1)", "notFound", "app(n)"] {
            #expect(ErrorCondition(name: name) == nil)
        }
    }
}
