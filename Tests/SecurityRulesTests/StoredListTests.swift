// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Testing

@testable internal import SecurityRules

/// Lists of stored documents, whose elements are converted where conditions look at them.
@Suite struct StoredListTests {
    private static func reference(_ id: Text) -> Value {
        .reference(Reference(database: DatabaseID(project: "p"), path: ResourcePath(segments: ["c", id])))
    }

    private static let point = GeoPoint(latitude: 1, longitude: 2).map(Value.geoPoint) ?? .null

    private static let values: [Value] = [
        .null, .boolean(true), .integer(1), .double(1.5), .double(-0.0), .string("text"), .bytes([1, 2, 3, 4]),
        .timestamp(.maximum), reference("d"), .vector([1, 2]), point,
        .map(Fields(sorting: [Field("a", .array([.integer(1)])), Field("b", reference("d"))])),
    ]

    @Test func storedListsAreAsMadeOnes() {
        let (stored, made) = (RuleList(stored: Self.values), RuleList(Self.values.map(RuleValue.init)))
        #expect(stored.count == made.count)
        #expect(zip(stored, made).allSatisfy { $0.isSame(as: $1) })
        let others: [RuleValue] = [.int(2), .float(0), .float(1), .string(""), .list([])]
        for value in made.values + others + [RuleValue(Self.reference("e"))] {
            #expect(stored.has(value) == made.has(value))
            #expect(stored.count(ofExtent: value.extent) == made.count(ofExtent: value.extent))
        }
        let (part, other) = (stored.part(2..<9), made.part(2..<9))
        #expect(RuleValue.list(part).isSame(as: .list(other)) && part.count == 7)
        var (reach, otherReach) = (100_000, 100_000)
        stored.use(&reach, times: 3)
        made.use(&otherReach, times: 3)
        #expect(reach == otherReach && reach < 100_000)
    }

    /// Nothing of a long list is converted for its size, or for one of its elements.
    @Test(.timeLimit(.minutes(1))) func elementsOfLongListsAreFound() throws {
        let terms = (0..<30).map { "resource.data.l[\($0)] && resource.data.l.size() == 1000000" }
        let source = SecurityLintRule.source(
            "match /c/{id} { allow get: if \(terms.joined(separator: " && ")); }")
        let rules = try #require(RuleSet.compile(source).rules)
        let fields = Fields(sorting: [Field("l", .array(Array(repeating: .boolean(true), count: 1_000_000)))])
        let request = RuleRequest(.get([ResourcePath(segments: ["c", "d"])]), time: RuleTimestamp(.minimum))
        for _ in 0..<300 { #expect(rules.decide(request) { _ in fields }.isAllowed) }
    }
}
