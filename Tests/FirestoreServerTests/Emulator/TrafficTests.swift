// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import IndexCatalog
    import QueryPlanner
    import Testing

    @testable import FirestoreServer

    /// Queries with IDs in their field paths, each of which has a shape of its own.
    @Suite struct TrafficTests {
        private let traffic = Traffic(DatabaseID(project: "p"), limit: 3)

        /// A query that automatic indexes serve, and that asks for its own field.
        private func ordinary(_ field: String) -> QueryRequest {
            var query = Query(from: CollectionSelector(collectionID: "c"))
            query.filter = .field(FieldPath(name: Text(field)), .equal, .integer(1))
            return .documents(query)
        }

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
            #expect(traffic.leftOut.count == 4)
            #expect(traffic.leftOut.lacking == 0)
        }

        /// What automatic indexes serve gives way to what says something about the index file.
        @Test func shapesThatGiveWay() throws {
            for number in 0..<5 { for _ in 0..<2 { traffic.record(ordinary("f\(number)")) } }
            #expect(traffic.leftOut.count == 4 && !traffic.concernsIndexes)
            // They lack automatic indexes. The first of them was kept.
            traffic.record(ordinary("f0"), isServed: false)
            traffic.record(ordinary("g"), isServed: false)
            #expect(traffic.concernsIndexes && traffic.uses.isEmpty)
            #expect(traffic.leftOut.count == 6 && traffic.advisor.shapeCount == 3)
            try record("m")
            #expect(traffic.uses.map(\.count) == [1])
            #expect(!traffic.additions(to: IndexConfiguration()).indexes.isEmpty)
            #expect(traffic.leftOut.count == 8 && traffic.advisor.shapeCount == 3 && traffic.leftOut.lacking == 0)
            // Nothing is left that could give way.
            try record("n")
            traffic.record(ordinary("h"), isServed: false)
            traffic.record(ordinary("h"))
            #expect(traffic.leftOut.count == 11 && traffic.leftOut.lacking == 1)
            try record("m")
            #expect(traffic.uses.map(\.count) == [2])
        }

        /// Databases get back what shapes that gave way have taken, once.
        @Test func roomOfShapesThatGiveWay() {
            let room = ShapeRoom(limit: 2)
            do {
                let short = Traffic(DatabaseID(project: "p"), room: room)
                for number in 0..<3 { short.record(ordinary("f\(number)")) }
                for number in 0..<3 { short.record(ordinary("g\(number)"), isServed: false) }
                #expect(short.leftOut.count == 4 && short.leftOut.lacking == 1)
                #expect(!room.take())
            }
            #expect(room.take() && room.take() && !room.take())
        }
    }
#endif
