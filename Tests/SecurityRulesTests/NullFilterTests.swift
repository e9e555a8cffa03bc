// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// What the emulator (1.19.9) concludes from equality filters with null and NaN.
@Suite struct NullFilterTests {
    private static let filters: [Filter] = [
        .field("f", .equal, .null), .field("f", .in, .array([.null])), .field("f", .equal, .double(.nan)),
        .field("f", .in, .array([.double(.nan), "bob"])),
        .or([.field("f", .equal, "bob"), .field("f", .equal, .null)]),
    ]

    @Test(arguments: [
        ("resource.data.f != null", true), ("null != resource.data.f", true), ("resource.data.f == null", false),
        ("resource.data.f == 'bob'", false), ("resource.data.f != 'x'", false), ("'f' in resource.data", true),
        ("resource.data.f is string", false), ("resource.data.f < true", false),
    ])
    func conclusions(_ condition: String, _ isAllowed: Bool) throws {
        for filter in Self.filters {
            #expect(try Self.decide(condition, filter).isAllowed == isAllowed, "\(filter)")
        }
    }

    /// From null and NaN alone any comparison with a bool follows.
    @Test(arguments: ["FIELD == true", "FIELD == false", "FIELD != true", "true != FIELD"])
    func boolsFollow(_ condition: String) throws {
        let condition = condition.replacing("FIELD", with: "resource.data.f")
        for filter in Self.filters.prefix(3) {
            #expect(try Self.decide(condition, filter).isAllowed, "\(filter)")
        }
    }

    /// Two filters on a field, one of them an equality: the emulator compares values of one type, and takes a float of the
    /// query and an int of the rule for different, whatever they are.
    @Test(arguments: [
        ("!= 'a'", false, false), ("!= true", false, false), ("!= 3", true, true), ("!= null", true, true),
        ("!= 2", false, true), ("== 2", true, false), ("== 2.0", true, true), ("!= 2.0", false, false),
        (">= 1", true, false), ("< 3", true, false), (">= 1.0", true, true), ("< 3.5", true, true),
    ])
    func equalityBesideAnother(_ comparison: String, _ ofInt: Bool, _ ofFloat: Bool) throws {
        for (value, isAllowed) in [(Value.integer(2), ofInt), (.double(2), ofFloat)] {
            let filter = Filter.and([.field("f", .equal, value), .field("f", .lessThan, .integer(9))])
            #expect(try Self.decide("resource.data.f \(comparison)", filter).isAllowed == isAllowed, "\(value)")
        }
    }

    @Test(arguments: ["true", "null", "[1]", "{}", "/a/b", "latlng.value(1, 2)"])
    func whatHasNoOrderIsATypeError(_ value: String) throws {
        let filter = Filter.field("f", .greaterThan, .integer(5))
        for condition in ["resource.data.f < \(value)", "\(value) >= resource.data.f"] {
            let message = try Self.decide(condition, filter).message
            #expect(message.hasPrefix("\nType error. Received: ["), "\(message)")
        }
    }

    private static func decide(_ condition: String, _ filter: Filter) throws -> Decision {
        let source = RuleCase.frame(condition).replacing("get:", with: "list:")
        let rules = try #require(RuleSet.compile(source).rules)
        let query = Query(from: CollectionSelector(collectionID: "c"), filter: filter)
        return rules.decide(RuleRequest(.list(query), time: RuleTimestamp(RecordedRulesTests.time))) { _ in nil }
    }
}
