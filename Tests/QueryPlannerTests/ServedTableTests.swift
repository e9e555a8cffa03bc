// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import Testing

/// Common shapes of queries with automatic indexes only: served, or the index that production asks for (I-25 to I-51).
@Suite struct ServedTableTests {
    static let rows: [(query: String, missing: String?)] = [
        (#"c.where("a","==",1)"#, nil),
        (#"c.where("a","==",1).where("b","==",2).where("c","==",3)"#, nil),
        (#"c.where("a","in",[1,2])"#, nil),
        (#"c.where("a","in",[1,2]).orderBy("a")"#, nil),
        (#"c.where("a","in",[1,2]).orderBy("a","desc")"#, nil),
        (#"c.where("a","==",1).orderBy("a")"#, nil),
        (#"c.where("a",">",1).where("a","<",9)"#, nil),
        (#"c.where("a","!=",1)"#, nil),
        (#"c.where("a","not-in",[1,2])"#, nil),
        (#"c.where("a","!=",null)"#, nil),
        (#"c.where("a",">",1).orderBy("a","desc")"#, nil),
        (#"c.where("a",">",1).orderBy("a").orderBy("__name__","desc")"#, "(a ASC, __name__ DESC)"),
        (#"c.where("arr","array-contains",1)"#, nil),
        (#"c.where("arr","array-contains-any",[1,2])"#, nil),
        (#"c.where("arr","array-contains",1).where("a","==",1)"#, nil),
        (#"c.where("arr","array-contains",1).orderBy("a")"#, "(arr ARRAY_CONTAINS, a ASC, __name__ ASC)"),
        (#"c.where("arr","array-contains",1).where("a",">",1)"#, "(arr ARRAY_CONTAINS, a ASC, __name__ ASC)"),
        (#"c.where("a","==",1).orderBy("b")"#, "(a ASC, b ASC, __name__ ASC)"),
        (#"c.where("a","==",1).where("b",">",2)"#, "(a ASC, b ASC, __name__ ASC)"),
        (#"c.where("a",">",1).where("b",">",1)"#, "(a ASC, b ASC, __name__ ASC)"),
        (#"c.orderBy("a").orderBy("b")"#, "(a ASC, b ASC, __name__ ASC)"),
        (#"c.orderBy("__name__")"#, nil),
        (#"c.where("__name__","==","x")"#, nil),
        (#"c.where("__name__","in",["x","y"])"#, nil),
        (#"c.where("__name__",">=","x")"#, nil),
        (#"c.orderBy("__name__","desc")"#, "(__name__ DESC)"),
        (#"c.where("a","==",1).orderBy("__name__","desc")"#, nil),
        (#"c.where(or(where("a","==",1),where("b","==",2)))"#, nil),
        (#"c.where(or(where("a",">",2),where("b","==",1)))"#, "(b ASC, a ASC, __name__ ASC)"),
        (#"c.where(or(where("a","==",2),where("b","==",1))).orderBy("a")"#, "(b ASC, a ASC, __name__ ASC)"),
        (#"collectionGroup("c")"#, nil),
        (#"collectionGroup("c").where("f","==",1)"#, "(f ASC, __name__ ASC)"),
        (#"collectionGroup("c").orderBy("f")"#, "(f ASC, __name__ ASC)"),
        (#"c.where("a","==",1).count()"#, nil),
        (#"c.aggregate(sum("a"))"#, nil),
        (#"c.where("a","==",1).aggregate(sum("b"))"#, "(a ASC, b ASC, __name__ ASC)"),
        (#"c.where("a","==",1).select("z")"#, nil),
        // What production suggests (I-49).
        (#"c.where("userId","==",1).orderBy("createdAt","desc")"#, "(userId ASC, createdAt DESC, __name__ DESC)"),
        (
            #"c.where("toUserId","==",1).where("status","==",1).orderBy("createdAt","desc")"#,
            "(status ASC, toUserId ASC, createdAt DESC, __name__ DESC)"
        ),
        (
            #"c.where("published","==",true).where("tags","array-contains",1).orderBy("createdAt","desc")"#,
            "(tags ARRAY_CONTAINS, published ASC, createdAt DESC, __name__ DESC)"
        ),
        (#"c.where("b",">",1).where("a",">",1).orderBy("b")"#, "(b ASC, a ASC, __name__ ASC)"),
        (#"c.where("z",">",1).where("q","==",1)"#, "(q ASC, z ASC, __name__ ASC)"),
        (#"c.where("q","==",1).aggregate(sum("z"))"#, "(q ASC, z ASC, __name__ ASC)"),
        (#"collectionGroup("orders").orderBy("orderDate","desc")"#, "(orderDate DESC, __name__ DESC)"),
    ]

    @Test(arguments: rows) func isServedOrAsksFor(_ row: (query: String, missing: String?)) throws {
        let database = DatabaseID(project: "p")
        let query = try QueryText.parse(row.query, database: database)
        do {
            _ = try Planner.plan(query, catalog: IndexCatalog(IndexConfiguration()), database: database)
            #expect(row.missing == nil)
        } catch .missingIndex(let error) {
            #expect(error.definition.properties == row.missing)
        }
    }

    @Test func I_12_equalityTakesEitherMode() throws {
        func served(_ text: String, _ mode: SingleFieldIndex.Mode) throws -> Bool {
            let database = DatabaseID(project: "p")
            let catalog = IndexCatalog(
                composites: [],
                fieldOverrides: [
                    FieldOverride(
                        collectionGroup: "c", path: FieldPath(name: "a"), indexes: [SingleFieldIndex(mode, .collection)]
                    )
                ])
            return Outcome(try QueryText.parse(text, database: database), catalog, database) == .served
        }
        #expect(try served(#"c.where("a","==",1)"#, .descending))
        #expect(try served(#"c.where("a","==",1)"#, .ascending))
        #expect(try served(#"c.orderBy("a","desc")"#, .descending))
        #expect(try !served(#"c.orderBy("a","desc")"#, .ascending))
        #expect(try !served(#"c.where("a","==",1)"#, .contains))
        #expect(try served(#"c.where("a","==",1).orderBy("__name__","desc")"#, .descending))
        #expect(try !served(#"c.where("a","==",1).orderBy("__name__","desc")"#, .ascending))
    }

    @Test func I_24_E_5_buildingIndexIsInvisibleButNamed() throws {
        let database = DatabaseID(project: "p")
        let query = try QueryText.parse(#"c.where("a","==",1).orderBy("b")"#, database: database)
        let definition = IndexDefinition(
            collectionGroup: "c", scope: .collection,
            fields: [
                IndexField(FieldPath(name: "a"), .order(.ascending)),
                IndexField(FieldPath(name: "b"), .order(.ascending)),
            ], nameDirection: .ascending)
        let catalog = IndexCatalog(
            composites: [IndexCatalog.Composite(definition, state: .building)], fieldOverrides: [])
        guard case .missing(let error, _) = Outcome(query, catalog, database) else {
            Issue.record("served by an index that is being built")
            return
        }
        #expect(error.isBuilding)
        #expect(
            error.message(in: database).hasPrefix(
                "The query requires an index. That index is currently building and cannot be used yet. See its status here: "
            ))
    }

    /// Production's choice is not recorded; the first in DNF order is ours.
    @Test func I_53_firstFailingDisjunctIsNamed() throws {
        let database = DatabaseID(project: "p")
        let query = try QueryText.parse(
            #"c.where(or(where("a","==",1),where("d","==",1),where("b","==",1))).orderBy("a")"#, database: database)
        guard case .missing(let error, _) = Outcome(query, IndexCatalog(IndexConfiguration()), database) else {
            Issue.record("served")
            return
        }
        #expect(error.definition.properties == "(d ASC, a ASC, __name__ ASC)")
    }

    /// I-8: an override replaces what is in force, so the fix repeats it.
    @Test func I_8_fixKeepsTheModesInForce() throws {
        let database = DatabaseID(project: "p")
        let catalog = IndexCatalog(IndexConfiguration())
        let query = try QueryText.parse(#"collectionGroup("c").orderBy("f")"#, database: database)
        guard case .missing(let error, _) = Outcome(query, catalog, database) else {
            Issue.record("served")
            return
        }
        let fix = error.fix(for: catalog)
        #expect(fix.indexes.isEmpty)
        #expect(
            fix.fieldOverrides.map(\.indexes) == [
                SingleFieldIndex.automatic.union([.init(.ascending, .collectionGroup)])
            ])
        let plain = try QueryText.parse(#"c.where("f","==",1)"#, database: database)
        #expect(Outcome(plain, IndexCatalog(fix), database) == .served)
        #expect(Outcome(query, IndexCatalog(fix), database) == .served)
    }
}
