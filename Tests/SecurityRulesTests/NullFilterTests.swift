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
        ("resource.data.f is string", false),
    ])
    func conclusions(_ condition: String, _ isAllowed: Bool) throws {
        let source = RuleCase.frame(condition).replacing("get:", with: "list:")
        let rules = try #require(RuleSet.compile(source).rules)
        for filter in Self.filters {
            let query = Query(from: CollectionSelector(collectionID: "c"), filter: filter)
            let request = RuleRequest(.list(query), time: RuleTimestamp(RecordedRulesTests.time))
            #expect(rules.decide(request) { _ in nil }.isAllowed == isAllowed, "\(filter)")
        }
    }
}
