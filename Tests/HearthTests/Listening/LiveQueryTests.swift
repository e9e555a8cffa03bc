// SPDX-License-Identifier: Apache-2.0

import Hearth
import Observation
import Synchronization
import TestSupport
import Testing

/// C-47 to C-51.
@MainActor @Suite struct LiveQueryTests {
    private struct Item: Codable, Equatable {
        var title: String
        var n: Int
    }

    private let audience: Audience
    private var items: CollectionReference { audience.database.collection("items") }

    init() throws {
        audience = try Audience()
    }

    private func live(
        _ predicates: [QueryPredicate], _ strategy: DecodingFailureStrategy = .raise
    ) -> LiveQuery<Item> {
        LiveQuery(
            collectionPath: "items", predicates: predicates, decodingFailureStrategy: strategy,
            database: audience.database)
    }

    /// Waits until the condition holds, and observes what it reads.
    private func wait(until condition: () -> Bool) async throws {
        while true {
            let change = Flag()
            if withObservationTracking(condition, onChange: { change.raise() }) { return }
            try await TestSupport.wait(for: "a change of the live query") { change.isRaised }
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isRaised: Bool { value.load(ordering: .acquiring) }
        func raise() { value.store(true, ordering: .releasing) }
    }

    @Test func followsTheDatabase() async throws {
        let live = live([.order(by: "n")])
        #expect(live.items.isEmpty && live.path == "items")
        try await items.document("a").setData(["title": "A", "n": 2])
        try await wait { live.items == [Item(title: "A", n: 2)] }
        try await items.document("b").setData(["title": "B", "n": 1])
        try await wait { live.items.map(\.title) == ["B", "A"] }
        live.predicates = [.whereField("n", isGreaterThan: 1)]
        try await wait { live.items.map(\.title) == ["A"] }
        live.predicates.append(.where("title", isEqualTo: "nobody"))
        try await wait { live.error != nil }
        #expect(live.items.isEmpty)
        #expect((live.error as? FirestoreError)?.missingIndex != nil)
        live.predicates = []
        live.path = "others"
        try await wait { live.error == nil }
        #expect(try live.result.get().isEmpty)
        try await audience.database.document("others/x").setData(["title": "X", "n": 0])
        try await wait { live.items.map(\.title) == ["X"] }
    }

    @Test func decodingFailures() async throws {
        try await items.document("a").setData(["title": "A", "n": 1])
        try await items.document("b").setData(["title": 7])
        let live = live([], .ignore)
        try await wait { live.items.map(\.title) == ["A"] }
        #expect(live.error is DecodingError)
        #expect(throws: Never.self) { try live.result.get() }
        live.decodingFailureStrategy = .raise
        #expect(live.items.isEmpty && live.error is DecodingError)
        #expect(throws: DecodingError.self) { try live.result.get() }
        try await items.document("b").delete()
        try await wait { live.error == nil && live.items.count == 1 }
    }

    @Test func everyPredicate() async throws {
        for number in 0..<6 {
            try await items.document("\(number)").setData(["title": "t\(number)", "n": number, "tags": [number, 9]])
        }
        let cases: [([QueryPredicate], [Int])] = [
            ([.whereField("n", isEqualTo: 3)], [3]), ([.whereField("n", isIn: [1, 2])], [1, 2]),
            ([.whereField("n", isNotIn: [0, 1, 2])], [3, 4, 5]), ([.whereField("tags", arrayContains: 2)], [2]),
            ([.whereField("tags", arrayContainsAny: [0, 5])], [0, 5]), ([.whereField("n", isLessThan: 2)], [0, 1]),
            ([.whereField("n", isGreaterThan: 3)], [4, 5]), ([.whereField("n", isLessThanOrEqualTo: 1)], [0, 1]),
            ([.whereField("n", isGreaterThanOrEqualTo: 5)], [5]),
            ([.order(by: "n", descending: true), .limit(to: 2)], [5, 4]),
            ([.order(by: "n"), .limit(toLast: 2)], [4, 5]),
            ([.whereFilter(.orFilter([.whereField("n", isEqualTo: 0), .whereField("n", isEqualTo: 4)]))], [0, 4]),
        ]
        for (predicates, expected) in cases {
            let live = live(predicates)
            try await wait { live.items.map(\.n) == expected }
        }
    }

    /// A released live query removes its listener, so that the database can close.
    @Test func endsWithItsObject() async throws {
        weak var database: Database?
        do {
            let opened = try await Database.open(path: audience.path + "-other", settings: Sample.settings)
            try await opened.document("items/a").setData(["title": "A", "n": 1])
            let live = LiveQuery<Item>(collectionPath: "items", database: opened)
            try await wait { live.items.count == 1 }
            database = opened
        }
        try await TestSupport.wait(for: "the end of the database") { database == nil }
    }
}
