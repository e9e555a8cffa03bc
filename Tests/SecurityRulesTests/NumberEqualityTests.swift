// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import Testing

@testable internal import SecurityRules

/// What the emulator (1.19.9) answers where an int meets the float that is closest to it, and where the zeros meet.
@Suite struct NumberEqualityTests {
    /// Between 2^53 and 2^63 the float is seldom the int. `I` stands for an int, `J` for the int that `D` is.
    @Test(arguments: [
        ("I == D", true), ("J == D", true), ("9223372036854775807 == 9223372036854775808.0", true),
        ("{'x': I}.diff({'x': D}).affectedKeys().hasOnly([])", false),
        ("{'x': J}.diff({'x': D}).affectedKeys().hasOnly([])", true),
        ("{'x': {'y': I}}.diff({'x': {'y': D}}).affectedKeys().hasOnly([])", false),
        ("{'x': {'y': J}}.diff({'x': {'y': D}}).affectedKeys().hasOnly([])", true),
        ("{'x': [I]}.diff({'x': [D]}).affectedKeys().hasOnly([])", false),
        ("{'x': [J]}.diff({'x': [D]}).affectedKeys().hasOnly([])", true),
        ("I in [D].toSet()", false), ("D in [I].toSet()", false), ("J in [D].toSet()", true),
        ("[I].toSet() == [D].toSet()", false), ("[J].toSet() == [D].toSet()", true),
        ("[I].toSet().hasOnly([D])", false), ("[I].toSet().hasAny([D])", false), ("[I, D].toSet().size() == 2", true),
        ("[J, D].toSet().size() == 1", true), ("[[I]].toSet().hasAny([[D]])", false),
        ("[[J]].toSet().hasAny([[D]])", true), ("[I].toSet().difference([D].toSet()).size() == 1", true),
        ("[9223372036854775807].toSet().hasAny([9223372036854775808.0])", false),
        ("[0-9223372036854775807-1].toSet().hasAny([-9223372036854775808.0])", true),
        ("1 in [1.0]", false), ("1 in [1.0].toSet()", true), ("[1].hasAny([1.0])", false),
    ])
    func intsAndFloats(_ condition: String, _ isAllowed: Bool) throws {
        let whole = condition.replacing("I", with: "1234567890123456789").replacing("J", with: "1234567890123456768")
            .replacing("D", with: "1234567890123456768.0")
        #expect(try isTrue(whole) == isAllowed)
    }

    @Test(arguments: [
        ("-0.0 in [0.0]", true), ("0.0 in [-0.0]", true), ("0 in [-0.0]", false), ("[0.0].hasAny([-0.0])", true),
        ("[0.0].hasAll([-0.0])", true), ("[0.0].hasOnly([-0.0])", true), ("[0.0].removeAll([-0.0]).size() == 0", true),
        ("[0.0] == [-0.0]", false), ("{'x': 0.0} == {'x': -0.0}", false), ("[[0.0]].hasAny([[-0.0]])", false),
        ("[-0.0] in [[0.0]]", false), ("{'x': -0.0} in [{'x': 0.0}]", false), ("[[0.0]] == [[-0.0]]", false),
        ("-0.0 in [0.0].toSet()", true), ("[-0.0] in [[0.0]].toSet()", true), ("0 in [-0.0].toSet()", true),
        ("[0.0, -0.0].toSet().size() == 1", true), ("[0.0].toSet() == [-0.0].toSet()", true), ("0 == -0.0", true),
        ("{'x': 0.0}.diff({'x': -0.0}).affectedKeys().hasOnly([])", true),
    ])
    func zeros(_ condition: String, _ isAllowed: Bool) throws {
        #expect(try isTrue(condition) == isAllowed)
    }

    /// Many elements are found by their hashes.
    @Test func zerosAmongMany() throws {
        let many = (1...20).map { "\($0).5" }.joined(separator: ", ")
        #expect(try isTrue("[0.0, 0.5].hasAny([\(many), -0.0])"))
        #expect(try !isTrue("[[0.0]].hasAny([\(many), [-0.0]])"))
    }

    private func isTrue(_ condition: String) throws -> Bool {
        let source = SecurityLintRule.source("match /a/{id} { allow list: if \(condition); }")
        let rules = try #require(RuleSet.compile(source).rules, "\(condition)")
        let query = Query(from: CollectionSelector(collectionID: "a"))
        return rules.decide(RuleRequest(.list(query), time: RuleTimestamp(RecordedRulesTests.time))) { _ in nil }
            .isAllowed
    }
}
