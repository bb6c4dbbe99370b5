import MoqScenario
import MoqWire
import Testing

@testable import MoqConformance

@Suite struct CodeBookTests {
    @Test(arguments: [
        ("not_found", UInt64(13), UInt64(51)), ("dropped", 24, 0), ("lagged", 26, 5), ("old", 2, 52),
        ("unroutable", 30, 54),
        ("evicted", 31, 53), ("cancelled", 0, 1),
    ])
    func conditionsHaveTheNumbersOfTheirGeneration(name: String, first: UInt64, second: UInt64) throws {
        let old = CodeBook(generation: .first)
        let new = CodeBook(generation: .second)
        #expect(try old.numbers(of: .condition(name), on: .reset).get().contains(first))
        #expect(try new.numbers(of: .condition(name), on: .reset).get().contains(second))
        #expect(old.matches(first, .oneOf([.condition(name)]), on: .reset) == true)
        #expect(old.matches(second == first ? 99 : second, .oneOf([.condition(name)]), on: .reset) == false)
    }

    @Test func closedIsNeverAResetAndSoNotTestableThere() {
        let book = CodeBook(generation: .first)
        #expect(book.matches(25, .oneOf([.condition("closed")]), on: .reset) == nil)
        #expect(book.matches(25, .oneOf([.condition("closed")]), on: .stop) == true)
    }

    @Test func withoutAGenerationConditionsAreNotTestableAndNumbersAre() {
        let book = CodeBook(generation: nil)
        #expect(book.matches(13, .oneOf([.condition("not_found")]), on: .reset) == nil)
        #expect(book.matches(13, .oneOf([.number(13)]), on: .reset) == true)
        #expect(book.matches(14, .oneOf([.number(13)]), on: .reset) == false)
    }

    @Test func applicationCodesAreShifted() {
        let book = CodeBook(generation: .second)
        #expect(book.numberToSend(for: .application(7), on: .reset) == 71)
        #expect(book.matches(71, .oneOf([.application(7)]), on: .reset) == true)
    }

    @Test func oneOfSeveralIsEnough() {
        let book = CodeBook(generation: .second)
        let codes = CodeExpectation.oneOf([.condition("lagged"), .condition("old")])
        #expect(book.matches(52, codes, on: .reset) == true)
        #expect(book.matches(53, codes, on: .reset) == false)
    }

    @Test func anUnmappedNumberIsNoCode() {
        let book = CodeBook(generation: .second)
        let judgement = book.judge(.resetUnmapped(raw: 0), against: .oneOf([.condition("internal")]), on: .reset)
        #expect(!judgement.isMet)
        #expect(book.judge(.resetUnmapped(raw: 0), against: .any, on: .reset).isMet)
        #expect(!book.judge(.finished, against: .any, on: .reset).isMet)
    }
}
