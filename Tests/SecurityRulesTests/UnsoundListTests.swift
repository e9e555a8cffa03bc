// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import Testing

@testable internal import SecurityRules

/// What the lint rule unsound-list says of conditions on lists and sizes, beside what rules decide.
@Suite struct UnsoundListTests {
    private static func findings(_ condition: String) -> [String] {
        let source = SecurityLintRule.source("match /a/{b} { allow get, list: if \(condition); }")
        return RulesLinter.findings(in: source).filter { $0.rule.id == "unsound-list" }.map(\.message)
    }

    private static let path = ResourcePath(segments: ["a", "x"])

    private static func decide(
        _ condition: String, _ operation: RuleRequest.Operation, _ fields: Fields = .empty
    ) throws -> Bool {
        let source = SecurityLintRule.source("match /a/{b} { allow get, list: if \(condition); }")
        let rules = try #require(RuleSet.compile(source).rules, "\(condition)")
        let request = RuleRequest(operation, time: RuleTimestamp(RecordedRulesTests.time))
        return rules.decide(request) { _ in fields }.isAllowed
    }

    private static func list(_ filter: Filter?) -> RuleRequest.Operation {
        .list(Query(from: CollectionSelector(collectionID: "a"), filter: filter))
    }

    /// A query without filters is allowed if, and only if, the default makes the condition true.
    @Test(arguments: [
        ("TAGS.size() == 0", true), ("TAGS.size() > 0", false), ("!(TAGS.size() > 0)", true),
        ("0 == TAGS.size()", true),
        ("!TAGS.hasAny(['a'])", true), ("TAGS.hasAny(['a'])", false), ("TAGS.hasAny(['a']) == false", true),
        ("!TAGS.hasAny([request.path[0]])", true),
        ("TAGS.hasOnly(['a'])", true), ("TAGS.hasOnly([request.path[0]])", true), ("TAGS.hasAll(['a'])", false),
        ("!TAGS.hasAll(['a'])", true), ("TAGS.hasAll([])", true), ("TAGS == []", true), ("TAGS != []", false),
        ("TAGS.removeAll(['a']).size() == 0", true), ("TAGS.concat(['a']).size() == 0", false),
        ("TAGS.removeAll([request.path[0]]).size() == 0", true),
        ("TAGS.toSet().difference(['a'].toSet()).size() == 0", true), ("TAGS[0] == 'a'", false),
        ("resource.data.get('f', ['a'])[0] == 'a'", true), ("resource.data.get('f', ['a']).hasAny(['a'])", true),
        ("!('a' in resource.data.get('f', ['b']).concat(['a']))", false),
        ("resource.data.get('f', '').size() < 5", true), ("resource.data.get('f', 'ab').matches('a.*')", true),
        ("resource.data.get('f', 'A').lower() == 'a'", true), ("resource.data.get('f', 1) + 1 == 2", true),
        ("resource.data.get('f', 1) + 1 > 2", false), ("resource.data.get(['m', 'f'], 0) == 0", true),
        ("resource.data.get('m', {}).get('f', 0) == 0", true), ("resource.data.get('m', {}).f == 0", false),
        ("resource.data.get('f', resource.data.get('g', 0)) == 0", true),
    ])
    func computedDefaultsAreNamed(_ form: String, _ isUnsound: Bool) throws {
        let condition = form.replacing("TAGS", with: "resource.data.get('tags', [])")
        let isNamed = Self.findings(condition).contains { $0.hasPrefix("the default of get()") }
        #expect(isNamed == isUnsound)
        #expect(try Self.decide(condition, Self.list(nil)) == isUnsound)
    }

    /// Of a list that contains one value, the query does not know that it contains no other.
    @Test(arguments: [
        "!resource.data.tags.hasAny(['x'])", "resource.data.tags.hasAny(['x']) == false",
        "true != resource.data.tags.hasAny(['x'])", "!resource.data.get('tags', ['x']).hasAny(['x'])",
    ])
    func negationsOfHasAnyAreNamed(_ condition: String) throws {
        #expect(Self.findings(condition).map { $0.hasPrefix("the negation of hasAny()") } == [true])
        #expect(try Self.decide(condition, Self.list(.field(FieldPath(name: "tags"), .arrayContains, .string("y")))))
        let fields = Fields(sorting: [Field("tags", .array([.string("x"), .string("y")]))])
        #expect(try !Self.decide(condition, .get([Self.path]), fields))
    }

    /// A condition that holds by its default has one finding.
    @Test(arguments: [
        "!resource.data.get('tags', []).hasAny(['x'])", "!(resource.data.get('f', 'b') in ['a'])",
    ])
    func defaultsAreNamedOnce(_ condition: String) {
        #expect(Self.findings(condition).map { $0.hasPrefix("the default of get()") } == [true])
    }

    /// A document that a query returns has no fewer fields than the query has filters for.
    @Test(arguments: [
        ("resource.data.size() > 1", false), ("2 <= resource.data.keys().size()", false),
        ("!(resource.data.size() < 2)", false), ("resource.data.keys().removeAll(['g']).size() >= 1", false),
        ("resource.data.size() < 2", true), ("resource.data.size() == 1", true), ("1 >= resource.data.size()", true),
        ("!(resource.data.size() > 1)", true), ("resource.data.size() != 2", true),
        ("resource.data.diff({'h': 1}).affectedKeys().size() > 1", true),
    ])
    func sizesAreNamedThatMoreFieldsExceed(_ condition: String, _ isUnsound: Bool) throws {
        #expect(Self.findings(condition).contains { $0.hasPrefix("the size of") } == isUnsound)
        // Queries with a filter for one field, and for two; documents with those fields and others.
        let one = Filter.field(FieldPath(name: "f"), .equal, .integer(1))
        let two = Filter.and([one, .field(FieldPath(name: "g"), .equal, .integer(1))])
        let documents = [["f", "g"], ["f", "g", "h"], ["f", "h"]].map { names in
            Fields(sorting: names.map { Field(Text($0), .integer(1)) })
        }
        var hasForbidden = false
        for (filter, returned) in [(one, documents), (two, Array(documents.prefix(2)))] {
            guard try Self.decide(condition, Self.list(filter)) else { continue }
            for fields in returned {
                let isAllowed = try Self.decide(condition, .get([Self.path]), fields)
                hasForbidden = hasForbidden || !isAllowed
            }
        }
        #expect(hasForbidden == isUnsound)
    }
}
