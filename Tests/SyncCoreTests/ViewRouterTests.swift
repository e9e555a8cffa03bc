// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import Testing

@testable import SyncCore

/// A change is compared only with the views that it may concern, however many there are.
@Suite struct ViewRouterTests {
    private func query(_ collection: Text, where field: String, _ comparison: FieldOperator, _ value: Int64) throws
        -> SyncQuery
    {
        try SyncQuery(
            Query(
                from: CollectionSelector(collectionID: collection),
                filter: .field(FieldPath(name: Text(field)), comparison, .integer(value))),
            database: ScenarioForm.database)
    }

    private func document(_ path: DocumentPath, n: Int64) -> SyncDocument {
        let time = Timestamp(microseconds: 1)!
        return SyncDocument(path, .found(Fields([Field("n", .integer(n))])!, createTime: time), version: time)
    }

    @Test func valuesChooseTheViews() throws {
        var router = ViewRouter()
        for n in 0..<1_000 {
            router.insert(try query("c", where: "n", .equal, Int64(n)))
            router.insert(SyncQuery(document: ScriptedClient.path("d\(n)")))
        }
        let range = try query("c", where: "n", .greaterThan, 998)
        router.insert(range)
        router.insert(try query("other", where: "n", .equal, 7))

        let seven = document(ScriptedClient.path("d1"), n: 7)
        let expected = [try query("c", where: "n", .equal, 7), SyncQuery(document: ScriptedClient.path("d1"))]
        #expect(router.queries(for: seven) == Set(expected))
        let last = document(ScriptedClient.path("x"), n: 999)
        #expect(router.queries(for: last) == [range, try query("c", where: "n", .equal, 999)])
        router.remove(range)
        #expect(router.queries(for: last) == [try query("c", where: "n", .equal, 999)])
        // A document that is gone is a row of no query, but may be listened to by its name.
        let gone = SyncDocument(ScriptedClient.path("d1"), .missing, version: .noVersion)
        #expect(router.queries(for: gone) == [SyncQuery(document: ScriptedClient.path("d1"))])
    }
}
