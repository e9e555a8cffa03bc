// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// `usingIndex` is refused if it could change a result, and otherwise does not change it.
@Suite struct IndexHintTests {
    private static let configuration = IndexConfiguration(
        indexes: [
            index(.collection, IndexField("a", .order(.ascending)), IndexField("b", .order(.ascending))),
            index(.collection, IndexField("b", .order(.descending)), IndexField("a", .order(.ascending))),
            index(.collection, IndexField("a", .order(.ascending)), IndexField("z", .order(.ascending))),
            index(.collection, IndexField("t", .contains), IndexField("a", .order(.ascending))),
        ],
        fieldOverrides: [
            FieldOverride(
                collectionGroup: "c", path: "g",
                indexes: SingleFieldIndex.automatic.union([SingleFieldIndex(.ascending, .collectionGroup)])),
            FieldOverride(collectionGroup: "c", path: "exempt", indexes: []),
        ])

    private static func index(_ scope: QueryScope, _ fields: IndexField...) -> IndexDefinition {
        IndexDefinition(
            collectionGroup: "c", scope: scope, fields: fields,
            nameDirection: fields.last?.mode.direction ?? .ascending)
    }

    private func plan(
        _ text: String, _ catalog: IndexCatalog = IndexCatalog(configuration)
    ) throws -> Result<ExecutionPlan, IndexHintError> {
        let database = DatabaseID(project: "hearth")
        let query = try QueryText.parse(text, database: database)
        do throws(PlanningError) {
            let plan = try Planner.plan(query, catalog: catalog, database: database)
            return .success(plan.execution)
        } catch {
            guard case .hint(let reason) = error else { throw error }
            return .failure(reason)
        }
    }

    @Test(arguments: [
        ("(nothing ASC, b ASC)", "unknown"), ("(a ASC, b DESC)", "unknown"), ("(b ASC, a ASC)", "unknown"),
        // Documents without z would be missing.
        ("(a ASC, z ASC)", "z"),
        // An entry for each element.
        ("(t ARRAY_CONTAINS, a ASC)", "t"), ("(t ARRAY_CONTAINS)", "t"),
        ("(z ASC)", "z"), ("(exempt ASC)", "unknown"),
    ])
    func refusedWhereItWouldChangeTheResult(index: String, reason: String) throws {
        let result = try plan(#"c.where("a","==",1).where("b",">",2).usingIndex("\#(index)")"#)
        switch result {
        case .failure(.unknown): #expect(reason == "unknown")
        case .failure(.doesNotCover(_, let path)): #expect(path.wire == reason)
        default: Issue.record("\(result)")
        }
    }

    @Test func refusedInAnotherScopeAndWhileItIsBuilt() throws {
        let group = #"collectionGroup("c").where("g","==",1)"#
        #expect(throws: Never.self) { try plan(group + #".usingIndex("(g ASC)")"#).get() }
        guard case .failure(.wrongScope) = try plan(group + #".usingIndex("(g DESC)")"#) else {
            Issue.record("an index in collection scope was taken for a group")
            return
        }
        let definition = Self.configuration.indexes[0]
        let building = IndexCatalog(
            composites: [IndexCatalog.Composite(definition, state: .building)], fieldOverrides: [])
        guard case .failure(.building) = try plan(#"c.where("a","==",1).usingIndex("(a ASC, b ASC)")"#, building) else {
            Issue.record("an index that is being built was taken")
            return
        }
    }

    @Test(arguments: ["", "a ASC", "(a)", "(a UP)", "(a ASC", "()", "(__name__ ASC, a ASC, __name__ ASC)", "(a.. ASC)"])
    func malformed(text: String) {
        #expect(throws: IndexHintError.malformed(text)) { try IndexHint(text) }
    }

    @Test func readAsExplanationsPrintThem() throws {
        for text in ["(a ASC, __name__ ASC)", "(`b,c` DESC, tags ARRAY_CONTAINS, __name__ ASC)", "(__name__ DESC)"] {
            #expect(try IndexHint(text).text == text)
        }
        #expect(try IndexHint("(a ASC, b DESC)").text == "(a ASC, b DESC, __name__ DESC)")
    }

    /// The hinted index is read, in both forms of a query, and production's plan stays the same.
    @Test func theNamedIndexIsRead() throws {
        let query = #"c.where("a","==",1).where("b",">",2)"#
        let own = try plan(query + #".usingIndex("(a ASC, b ASC)")"#).get()
        guard case .planned = own.strategies[0] else {
            Issue.record("production's own index needs no sorting")
            return
        }
        for index in ["(b DESC, a ASC, __name__ ASC)", "(b ASC)", "(a DESC)", "(__name__ ASC)"] {
            let execution = try plan(query + #".usingIndex("\#(index)")"#).get()
            #expect(execution.plan.indexesUsed.map(\.properties) == ["(a ASC, b ASC, __name__ ASC)"])
            guard case .sorted(let scans) = execution.strategies[0], scans.count == 1 else {
                Issue.record("\(index): \(execution.strategies)")
                continue
            }
        }
        let database = DatabaseID(project: "hearth")
        let text = try QueryText.parse(query + #".usingIndex("(b ASC)")"#, database: database)
        #expect(text.query.hint == (try IndexHint("(b ASC)")))
    }

    /// A hint does not make a query served.
    @Test func aHintAdmitsNothing() throws {
        let database = DatabaseID(project: "hearth")
        let query = try QueryText.parse(
            #"c.where("x","==",1).where("y",">",2).usingIndex("(x ASC)")"#, database: database)
        do {
            _ = try Planner.plan(query, catalog: IndexCatalog(Self.configuration), database: database)
            Issue.record("served")
        } catch {
            guard case .missingIndex = error else { throw error }
        }
    }
}
