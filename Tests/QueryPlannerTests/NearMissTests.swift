// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import Testing

/// The existing index that comes nearest, and the one thing to blame.
@Suite struct NearMissTests {
    private func definition(
        _ fields: [IndexField], scope: QueryScope = .collection, name: Direction = .ascending
    ) -> IndexDefinition {
        IndexDefinition(collectionGroup: "c", scope: scope, fields: fields, nameDirection: name)
    }

    private func field(_ name: Text, _ direction: Direction = .ascending) -> IndexField {
        IndexField(FieldPath(name: name), .order(direction))
    }

    private func reason(
        _ text: String, _ indexes: IndexDefinition...
    ) throws -> String? {
        let database = DatabaseID(project: "p")
        let catalog = IndexCatalog(IndexConfiguration(indexes: indexes))
        let query = try QueryText.parse(text, database: database)
        guard case .missing(let error, _) = Outcome(query, catalog, database) else { return "served" }
        return error.closestIndex(in: catalog)?.reason
    }

    private let query = #"c.where("a","==",1).orderBy("b")"#

    @Test func namesTheOneReason() throws {
        #expect(try reason(query, definition([field("x"), field("y")])) == nil)
        #expect(
            try reason(query, definition([field("a"), field("b"), field("d")]))?.contains("also has the field d")
                == true)
        #expect(
            try reason(query, definition([field("a"), field("b", .descending)]))?.contains("b as DESCENDING") == true)
        #expect(
            try reason(query, definition([field("a"), field("b")], name: .descending))?.contains("__name__ runs")
                == true)
        #expect(try reason(query, definition([field("b"), field("a")]))?.contains("another order") == true)
        #expect(
            try reason(#"c.where("a","==",1).where("d","==",1).orderBy("b")"#, definition([field("a"), field("b")]))
                == "It lacks the field d.")
        #expect(
            try reason(
                #"collectionGroup("c").where("a","==",1).orderBy("b")"#, definition([field("a"), field("b")]))?
                .contains("COLLECTION_GROUP") == true)
        #expect(try reason(query, definition([field("a", .descending), field("b")])) == "served")
    }

    @Test func theNearestOfSeveralIsTaken() throws {
        let far = definition([field("a"), field("x"), field("y")])
        let near = definition([field("a"), field("b", .descending)])
        #expect(try reason(query, far, near)?.contains("b as DESCENDING") == true)
        #expect(try reason(query, near, far)?.contains("b as DESCENDING") == true)
    }
}
