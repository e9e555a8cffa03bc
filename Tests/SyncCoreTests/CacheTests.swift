// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import SyncCore
import Testing

/// The cache as the program sees and changes it: what stays, what goes, and what is complete.
@Suite struct CacheTests {
    private let client: ScriptedClient
    private let all: SyncQuery

    init() throws {
        client = ScriptedClient(in: try FileReplica())
        all = try ScriptedClient.collection()
    }

    private static func query(
        _ filter: Filter? = nil, orders: [Order] = [Order(FieldPath(name: "n"))], limit: Int? = nil,
        group: Bool = false, parent: DocumentPath? = nil
    ) throws -> SyncQuery {
        var query = Query(
            parent: parent, from: CollectionSelector(collectionID: "c", allDescendants: group), filter: filter,
            orders: orders)
        query.limit = limit
        return try SyncQuery(query, database: ScenarioForm.database)
    }

    private static let isOne = Filter.field(FieldPath(name: "n"), .equal, .integer(1))
    private static let isRed = Filter.field(FieldPath(name: "color"), .equal, .string("red"))

    private static func documents(_ count: Int64) -> [SyncDocument] {
        (1...count).map { ScriptedClient.document("d\($0)", $0, at: 1) }
    }

    /// Listens until the server has sent everything.
    private func sync(_ query: SyncQuery, _ documents: [SyncDocument], at time: Int64) {
        client.listen(query)
        client.sync(documents, at: time)
        client.feed(.unlisten(listener: 1))
    }

    private func cachedIDs() throws -> [Int64] {
        try (1...9).filter { try client.cached("d\($0)").base.isCached }
    }

    private func collectAll() {
        var input: SyncInput? = .collectGarbage(threshold: 0, percentile: 100)
        while let next = input {
            input = client.feed(next).waits(.collection).last.map { .timer(.collection, ticket: $0.ticket) }
        }
    }

    // MARK: Pins

    @Test func collectionSparesPinnedQueries() throws {
        let low = try CacheTests.query(.field(FieldPath(name: "n"), .lessThanOrEqual, .integer(2)))
        #expect(client.feed(.pin(low, call: 1)).answers == [1: .ok])
        sync(all, CacheTests.documents(4), at: 1)
        sync(low, CacheTests.documents(2), at: 2)
        collectAll()
        #expect(try cachedIDs() == [1, 2])
        #expect(client.listen(low).listens.first?.resumeToken == [2])
        client.feed(.unlisten(listener: 1))
        try client.restart()
        collectAll()
        #expect(try cachedIDs() == [1, 2])
        #expect(client.feed(.unpin(low, call: 2)).answers == [2: .ok])
        collectAll()
        #expect(try cachedIDs() == [])
        #expect(try client.target(of: low) == nil)
        #expect(try client.replica.problems() == [])
    }

    @Test func eagerCollectionSparesPinnedQueries() throws {
        let client = ScriptedClient(policy: .eager)
        client.feed(.pin(all, call: 1))
        client.listen(all)
        client.sync(CacheTests.documents(2), at: 1)
        client.feed(.unlisten(listener: 1))
        #expect(try client.cached("d1").base.isCached)
        client.feed(.unpin(all, call: 2))
        #expect(try !client.cached("d1").base.isCached)
        #expect(try client.target(of: all) == nil)
    }

    // MARK: Eviction

    @Test func evictionKeepsWhatIsNeeded() throws {
        let shown = SyncQuery(document: CacheTests.documents(1)[0].path)
        let pinned = try CacheTests.query(CacheTests.isOne)
        var documents = CacheTests.documents(5)
        let text = Text(String(repeating: "x", count: 100_000))
        documents[4].contents = .found(
            Fields([Field("n", .integer(5)), Field("s", .string(text))])!, createTime: .noVersion)
        sync(all, documents, at: 1)
        client.feed(.pin(pinned, call: 1))
        sync(pinned, [ScriptedClient.document("d2", 1, at: 2)], at: 2)
        client.listen(shown, ListenOptions(source: .cache), 2)
        client.feed(.write([.set(ScriptedClient.path("d3"), .empty)], write: 1))
        let size = try client.machine.cacheSize()
        #expect(client.feed(.evict(all, call: 2)).answers == [2: .ok])
        #expect(try cachedIDs() == [1, 2, 3])
        #expect(try client.machine.cacheSize() < size - 50_000)
        for id in 1...3 {
            let answer = client.feed(.evict(SyncQuery(document: ScriptedClient.path("d\(id)")), call: 3)).answers
            #expect(answer == [3: .failedPrecondition], "d\(id)")
        }
        // A listen that resumed would not be sent what is gone.
        #expect(client.listen(all, ListenOptions(), 3).listens.first?.resumeToken == [])
        client.feed(.unlisten(listener: 3))
        client.feed(.unlisten(listener: 2))
        #expect(client.feed(.evict(shown, call: 4)).answers == [4: .ok])
        #expect(try cachedIDs() == [2, 3])
        #expect(try client.replica.problems() == [])
    }

    @Test func aTargetThatLosesADocumentCannotResume() throws {
        sync(all, CacheTests.documents(2), at: 1)
        client.feed(.evict(SyncQuery(document: ScriptedClient.path("d1")), call: 1))
        #expect(try cachedIDs() == [2])
        #expect(client.listen(all).listens.first?.resumeToken == [])
    }

    @Test func whatIsListenedToStays() throws {
        client.listen(all)
        client.sync(CacheTests.documents(3), at: 1)
        client.feed(.evict(all, call: 1))
        #expect(try cachedIDs() == [1, 2, 3])
        #expect(try client.target(of: all)?.resumeToken == [1])
    }

    // MARK: Completeness

    private func time(_ query: SyncQuery) throws -> Int64? {
        try client.machine.completeVersion(of: query)?.microseconds
    }

    @Test func aQueryIsCompleteAsOfTheServersLastWord() throws {
        #expect(try time(all) == nil)
        client.listen(all)
        client.say(.target(.added, targets: [client.wireIDs.last!], resumeToken: [], readTime: nil))
        client.say(.document(CacheTests.documents(1)[0], updated: [client.wireIDs.last!], removed: []))
        client.boundary(at: 1)
        // A part of the result has a token too.
        #expect(try time(all) == nil)
        client.say(.target(.current, targets: [client.wireIDs.last!], resumeToken: [2], readTime: nil))
        client.boundary(at: 2)
        #expect(try time(all) == 2)
        client.boundary(at: 3)
        try client.restart()
        #expect(try time(all) == 2)
        client.listen(all)
        // The server has counted other documents than the client has.
        client.say(.existenceFilter(ExistenceFilter(count: 5, unchangedNames: nil), target: client.wireIDs.last!))
        client.say(.target(.added, targets: [client.wireIDs.last!], resumeToken: [], readTime: nil))
        client.say(.existenceFilter(ExistenceFilter(count: 5, unchangedNames: nil), target: client.wireIDs.last!))
        client.boundary(at: 4)
        #expect(try time(all) == nil)
        client.sync(CacheTests.documents(5), at: 5)
        #expect(try time(all) == 5)
        client.say(.target(.reset, targets: [client.wireIDs.last!], resumeToken: [], readTime: nil))
        client.boundary(at: 6)
        #expect(try time(all) == nil)
    }

    @Test func widerQueriesAnswerForNarrowerOnes() throws {
        let byName = try CacheTests.query(orders: [])
        sync(byName, CacheTests.documents(3), at: 1)
        let red = try CacheTests.query(CacheTests.isRed)
        let elsewhere = try CacheTests.query(parent: ScriptedClient.path("d1"))
        for query in [byName, all, red, SyncQuery(document: ScriptedClient.path("d1"))] {
            #expect(try time(query) == 1, "\(query.canonicalID)")
        }
        #expect(try time(elsewhere) == nil)
        #expect(try time(CacheTests.query(group: true)) == nil)
        #expect(try time(SyncQuery(document: elsewhere.documentBelow)) == nil)
        collectAll()
        #expect(try time(all) == nil)

        // One that is ordered by a field lacks the documents without it.
        sync(all, CacheTests.documents(3), at: 2)
        #expect(try time(byName) == nil)
        #expect(try time(CacheTests.query(CacheTests.isRed, orders: [])) == nil)
        #expect(try time(CacheTests.query(CacheTests.isOne, orders: [])) == 2)
        #expect(try time(CacheTests.query(.and([CacheTests.isOne, CacheTests.isRed]), limit: 1)) == 2)
        #expect(try time(CacheTests.query(.or([CacheTests.isOne, CacheTests.isRed]), orders: [])) == nil)
        collectAll()

        sync(red, CacheTests.documents(1), at: 3)
        #expect(try time(all) == nil)
        #expect(try time(CacheTests.query(.and([CacheTests.isRed, CacheTests.isOne]), orders: [])) == 3)
        collectAll()

        sync(try CacheTests.query(orders: [], group: true), CacheTests.documents(3), at: 4)
        #expect(try time(all) == 4 && time(elsewhere) == 4)
    }

    @Test func aLimitIsCompleteUntilOneOfItsDocumentsChanges() throws {
        let two = try CacheTests.query(limit: 2)
        sync(two, CacheTests.documents(2), at: 1)
        #expect(try time(two) == 1)
        #expect(try time(all) == nil)
        client.feed(.disableNetwork)
        client.feed(.write([.set(ScriptedClient.path("d1"), Fields([Field("n", .integer(9))])!)], write: 1))
        #expect(try time(two) == nil)
        client.feed(.cancelWrite(batch: 1, call: 1))
        #expect(try time(two) == 1)
        // Fewer documents than the limit are all that there are.
        client.feed(.enableNetwork)
        let nine = try CacheTests.query(limit: 9)
        sync(nine, CacheTests.documents(2), at: 2)
        client.feed(.write([.set(ScriptedClient.path("d1"), Fields([Field("n", .integer(9))])!)], write: 2))
        #expect(try time(nine) == 2)
    }
}

extension SyncQuery {
    /// A document of the collection below `d1`.
    fileprivate var documentBelow: DocumentPath {
        CollectionPath(ScriptedClient.path("d1").resource.appending("c")).document("x")
    }
}
