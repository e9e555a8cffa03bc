// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import QueryPlanner
    import Testing

    @testable import FirestoreServer

    /// Queries with IDs in their field paths, each of which has a shape of its own.
    @Suite struct TrafficTests {
        private let traffic = Traffic(DatabaseID(project: "p"), limit: 3)

        private func record(_ field: String) throws {
            var query = Query(from: CollectionSelector(collectionID: "c"))
            query.filter = .field(FieldPath(name: "n"), .equal, .integer(1))
            query.orders = [Order(FieldPath(name: Text(field)))]
            traffic.record(.documents(query))
        }

        @Test func shapesBeyondTheLimit() throws {
            for number in 0..<5 { for _ in 0..<2 { try record("f\(number)") } }
            #expect(traffic.uses.map(\.count) == [2, 2, 2])
            #expect(traffic.advisor.shapeCount == 3)
            #expect(traffic.leftOut == 4)
        }
    }
#endif
