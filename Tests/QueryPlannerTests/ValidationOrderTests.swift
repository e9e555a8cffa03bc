// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// Which refusal wins, and the ones that no recording shows.
@Suite struct ValidationOrderTests {
    private func message(_ query: Query) -> String? {
        do throws(InvalidQueryError) {
            try QueryValidator.validate(query, database: DatabaseID(project: "p"))
            return nil
        } catch {
            return error.message
        }
    }

    private func query(_ filters: [Filter] = [], orders: [Order] = []) -> Query {
        Query(
            from: CollectionSelector(collectionID: "c"), filter: filters.isEmpty ? nil : .and(filters), orders: orders)
    }

    private func list(_ count: Int) -> Value { .array((0..<count).map { .integer(Int64($0)) }) }
    private let a = FieldPath(name: "a")
    private let b = FieldPath(name: "b")

    /// Comparing each with each would take 64 times as long.
    @Test func manyOrdersAreRefusedWithoutComparingThem() {
        let growth = growth(from: 2_000, to: 16_000) { count in
            let orders = (0..<count).map { Order(FieldPath(name: Text("f\($0)"))) }
            #expect(message(query(orders: orders))?.contains("more than 100 filters + sort orders") == true)
        }
        #expect(growth < 24, "\(growth)")
    }

    /// Nor are these compared with each other, and their names fill no message.
    @Test func manyInequalityFields() {
        let growth = growth(from: 2_000, to: 16_000) { count in
            let names = (0..<count).map { Text("f\($0 % (count / 2))") }
            let filters = names.map { Filter.field(FieldPath(name: $0), .lessThan, .null) }
            let message = message(query(filters)) ?? ""
            #expect(message.hasPrefix("The query contains \(count / 2) distinct inequality fields: [f"))
            #expect(message.utf8.count < 4_000)
        }
        #expect(growth < 24, "\(growth)")
    }

    /// Each query breaks the rule of its line and every later one; the earlier wins.
    @Test func Q_47_firstFailureWins() {
        let emptyList = Filter.field(a, .in, .array([]))
        let negations: [Filter] = [.field(a, .notEqual, .integer(1)), .unary(b, .isNotNull)]
        let notIn: [Filter] = [.field(a, .notIn, list(11)), .field(b, .in, list(31))]
        let names: [Filter] = [.field(.documentName, .equal, .string("x"))]
        let long: [Filter] = [.field(a, .in, list(31))]
        let disjunctions: [Filter] = [.field(a, .in, list(30)), .field(b, .in, list(2))]
        let memberships: [Filter] = [.field(a, .arrayContains, .integer(1)), .field(b, .arrayContains, .integer(1))]
        let duplicate = [Order(a), Order(a), Order(.documentName), Order(b)]
        let afterName = [Order(.documentName), Order(b)]

        #expect(message(query([emptyList] + negations))?.contains("non-empty") == true)
        #expect(message(query(negations + notIn))?.hasPrefix("Only a single") == true)
        #expect(message(query(notIn + names))?.hasPrefix("'NOT_IN' cannot") == true)
        #expect(message(query(names, orders: duplicate)) == "__key__ filter value must be a Key")
        #expect(message(query(long, orders: duplicate)) == "order by clause cannot contain duplicate fields a")
        #expect(message(query(long, orders: afterName)) == "order by clause cannot contain more fields after the key")
        var withCursor = query(long, orders: [Order(a)])
        withCursor.start = Cursor([.null, .null], before: true)
        #expect(message(withCursor) == "Cursor has too many values.")
        #expect(message(query(long + disjunctions))?.contains("supports up to 30") == true)
        #expect(message(query(disjunctions + memberships))?.hasPrefix("Too many disjunctions") == true)
        #expect(message(query(memberships))?.hasPrefix("A maximum of 1") == true)
    }

    @Test func Q_28_sizeIsCountedWithoutExpanding() {
        var filter = Filter.field(a, .in, list(30))
        for _ in 0..<40 { filter = .and([filter, .field(b, .in, list(30))]) }
        #expect(
            message(query([filter]))
                == "Too many disjunctions after normalization. Result had \(Int.max) disjunctions which "
                + "is more than the maximum of 30")
        var deep = Filter.unary(a, .isNull)
        for _ in 0..<5_000 { deep = .and([deep]) }
        #expect(message(query([deep])) == "Filters nest at most 100 deep.")
    }

    @Test func Q_19_cursorsCountExplicitOrdersOnly() {
        var ranged = query([.field(a, .greaterThan, .integer(1))])
        ranged.start = Cursor([.integer(2)], before: true)
        #expect(message(ranged) == "Cursor has too many values.")
        ranged.orders = [Order(a)]
        #expect(message(ranged) == nil)
    }

    @Test func V_31_whatTheWireMeansByEqualityWithNull() throws {
        let plan = try Planner.plan(
            query([.field(a, .equal, .null)]), catalog: IndexCatalog(IndexConfiguration()),
            database: DatabaseID(project: "p"))
        #expect(plan.disjuncts.isEmpty)
        #expect(plan.query.disjuncts.isEmpty)
        let nulls = try Planner.plan(
            query([.unary(a, .isNull)]), catalog: IndexCatalog(IndexConfiguration()), database: DatabaseID(project: "p")
        )
        #expect(nulls.disjuncts.count == 1)
    }

    @Test func Q_5_Q_6_impliedOrders() throws {
        func orders(_ text: String) throws -> String {
            let database = DatabaseID(project: "p")
            let normalized: NormalizedQuery
            switch try QueryText.parse(text, database: database) {
            case .documents(let query): normalized = try Normalizer.normalize(query, database: database)
            case .aggregation(let query): normalized = try Normalizer.normalize(query, database: database)
            }
            return normalized.orders.map { "\($0.path) \($0.direction == .ascending ? "ASC" : "DESC")" }
                .joined(separator: ", ")
        }
        #expect(try orders(#"c.where("a",">",1)"#) == "a ASC, __name__ ASC")
        #expect(try orders(#"c.where("a",">",1).orderBy("a","desc")"#) == "a DESC, __name__ DESC")
        #expect(
            try orders(#"c.where("key",">","a").where("sort",">=",1).orderBy("v","desc")"#)
                == "v DESC, key DESC, sort DESC, __name__ DESC")
        #expect(
            try orders(#"c.where("key",">","a").where("sort",">=",1).orderBy("v","desc").orderBy("sort")"#)
                == "v DESC, sort ASC, key ASC, __name__ ASC")
        #expect(try orders(#"c.where("sort",">",1).where("key","!=","a")"#) == "key ASC, sort ASC, __name__ ASC")
        #expect(try orders("c") == "__name__ ASC")
        #expect(try orders(#"c.where(or(where("a",">",1),where("b","==",1)))"#) == "a ASC, __name__ ASC")
        #expect(try orders(#"c.orderBy("a").limitToLast(3)"#) == "a DESC, __name__ DESC")
        // Q-58
        #expect(
            try orders(#"c.where("r",">",1).orderBy("o","desc").aggregate(sum("z"), average("y"), sum("r"))"#)
                == "o DESC, r DESC, y DESC, z DESC, __name__ DESC")
    }
}
