// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import QueryPlanner
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// A client may name any number of databases.
    @Suite struct KnownDatabasesTests {
        private func id(_ number: Int) -> DatabaseID { DatabaseID(project: Text("p\(number)")) }

        /// A query that needs a composite.
        private static let query: QueryRequest = {
            var query = Query(from: CollectionSelector(collectionID: "c"))
            query.filter = .field(FieldPath(name: "n"), .equal, .integer(1))
            query.orders = [Order(FieldPath(name: "m"))]
            return .documents(query)
        }()

        @Test func theOldestAreForgotten() throws {
            var known = KnownDatabases(limit: 8)
            for number in 0..<100 {
                let notes = known.use(id(number))
                notes.traffic.count { $0.documentsRead += 1 }
                notes.latestTime = try #require(Timestamp(microseconds: Int64(number)))
                known.noteRemoval(of: id(number))
                #expect((1...8).contains(known.ids.count))
            }
            let times = known.all.map { $0.notes.latestTime }
            #expect(times.max() == Timestamp(microseconds: 99))
            #expect(times.allSatisfy { $0 > known.forgottenTime })
            #expect(known.forgottenTime > .minimum)
        }

        @Test func whatConcernsIndexesIsKept() {
            var known = KnownDatabases(limit: 4)
            for number in 0..<50 {
                let traffic = known.use(id(number)).traffic
                traffic.count { $0.documentsRead += 1 }
                if number < 4 { traffic.record(Self.query) }
                known.noteRemoval(of: id(number))
            }
            for number in 0..<4 { #expect(known[id(number)]?.traffic.uses.map(\.count) == [1]) }
            #expect(known.ids.count <= 8)
            #expect(!known.mayKeep(id(50)))
            #expect(known.mayKeep(id(0)) && known.mayKeep(id(49)))
            // It has a file again.
            _ = known.use(id(0))
            #expect(known.mayKeep(id(50)))
        }

        /// Databases share the room for what they are asked, and leave it to others when they are forgotten.
        @Test func shapesOfAllDatabases() {
            var known = KnownDatabases(limit: 4, shapes: ShapeRoom(limit: 3))
            for number in 0..<5 {
                let traffic = known.use(id(number)).traffic
                for _ in 0..<2 { traffic.record(Self.simple) }
                #expect(traffic.uses.isEmpty && traffic.advisor.shapeCount == (number < 3 ? 1 : 0))
                #expect(traffic.leftOut.count == (number < 3 ? 0 : 2))
            }
            // Only those that lack nothing are forgotten.
            for number in 0..<3 { known.noteRemoval(of: id(number)) }
            for number in 10..<20 {
                known.use(id(number)).traffic.count { $0.documentsRead += 1 }
                known.noteRemoval(of: id(number))
            }
            #expect(known[id(0)] == nil && known[id(2)] == nil)
            let traffic = known.use(id(20)).traffic
            traffic.record(Self.simple)
            #expect(traffic.leftOut.count == 0 && traffic.advisor.shapeCount == 1)
        }

        /// Without room for their shapes, names are not kept for that, but it is counted how many queries there were.
        @Test func whatIsLeftOutIsCounted() {
            var known = KnownDatabases(limit: 4, shapes: ShapeRoom(limit: 0))
            for number in 0..<50 {
                #expect(known.mayKeep(id(number)))
                for isServed in [false, true] { known.use(id(number)).traffic.record(Self.simple, isServed: isServed) }
                known.noteRemoval(of: id(number))
            }
            #expect(known.ids.count <= 4)
            #expect(known.all.reduce(known.forgottenLeftOut.count) { $0 + $1.notes.traffic.leftOut.count } == 100)
            #expect(known.all.reduce(known.forgottenLeftOut.lacking) { $0 + $1.notes.traffic.leftOut.lacking } == 50)
        }

        /// A query that automatic indexes serve.
        private static let simple: QueryRequest = {
            var query = Query(from: CollectionSelector(collectionID: "c"))
            query.filter = .field(FieldPath(name: "n"), .equal, .integer(1))
            return .documents(query)
        }()

        /// Automatic indexes serve a query unless a file takes them away.
        @Test func whatConcernsIndexes() {
            let traffic = known(id(0))
            let query = QueryRequest.documents(Query(from: CollectionSelector(collectionID: "c")))
            traffic.record(query)
            #expect(!traffic.concernsIndexes)
            traffic.record(query, isServed: false)
            #expect(traffic.concernsIndexes)
        }

        private func known(_ id: DatabaseID) -> Traffic { DatabaseNotes(id).traffic }
    }

    extension IdleDatabaseTests {
        @Test func namesAreNotTakenWithoutEnd() async throws {
            var options = ServerOptions()
            options.folder = folder.path("small")
            let registry = try DatabaseRegistry(options, indexes, RulesSource(), notesLimit: 2)
            var query = Query(from: CollectionSelector(collectionID: "c"))
            query.filter = .field(FieldPath(name: "n"), .equal, .integer(1))
            query.orders = [Order(FieldPath(name: "m"))]
            for name in ["a", "b"] { try await registry.database(id(name)).traffic.record(.documents(query)) }
            try await wait(for: "the end of the last use") {
                registry.closeAll()
                return registry.all.isEmpty
            }
            let refusal = await #expect(throws: RequestError.self) { _ = try await registry.database(id("c")) }
            #expect(refusal?.status == .resourceExhausted)
            #expect(names("small") == ["serve.lock"])
            #expect(try await registry.database(id("a")).traffic.uses.map(\.count) == [1])
            _ = try await registry.database(id("c"))
        }
    }
#endif
