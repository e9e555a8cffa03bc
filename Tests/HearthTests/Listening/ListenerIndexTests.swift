// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import QueryPlanner
import TestSupport
import Testing

@testable import Hearth

/// Which listeners a change is delivered to.
@Suite struct ListenerIndexTests {
    private let audience: Audience
    private let engine: Engine

    init() throws {
        audience = try Audience()
        engine = try audience.database.engine()
    }

    private func listener(_ query: Hearth.Query) throws -> QueryListener {
        QueryListener(try query.listenerTarget(engine)) { _ in true }
    }

    private func change(
        _ path: String, from old: Fields?, to new: Fields?
    ) -> DocumentEngine.DocumentChange {
        let path = DocumentPath(ResourcePath(segments: path.split(separator: "/").map { Text(String($0)) }))
        let time = DocumentModel.Timestamp(microseconds: 1)!
        let documents = [old, new].map { fields in
            fields.map { Document(path: path, fields: $0, createTime: time, updateTime: time) }
        }
        return DocumentEngine.DocumentChange(path: path, old: documents[0], new: documents[1])
    }

    private func listen(_ queries: some Sequence<Hearth.Query>) throws -> (
        index: ListenerIndex, listeners: [QueryListener]
    ) {
        var index = ListenerIndex()
        let listeners = try queries.map(listener)
        for listener in listeners { index.insert(listener, listener.target.interest) }
        return (index, listeners)
    }

    /// Kinds of listeners of one collection, each with a change that affects some of them and one that affects none.
    private func kinds() -> [Kind] {
        let cities = audience.cities
        func changed(_ fields: Fields) -> DocumentEngine.DocumentChange { change("cities/x", from: fields, to: fields) }
        return [
            Kind(
                name: "closed ranges",
                query: { cities.whereField("n", isGreaterThan: $0).whereField("n", isLessThan: $0 + 3) },
                concerned: changed(["n": 500]), count: 2, idle: changed(["n": -1])),
            Kind(
                name: "open ranges", query: { cities.whereField("n", isGreaterThanOrEqualTo: 1_000 * $0) },
                concerned: changed(["n": 2_999]), count: 3, idle: changed(["n": -1, "m": 7])),
            Kind(
                name: "pages", query: { cities.order(by: "n", descending: true).start(at: [$0]).end(before: [$0 - 2]) },
                concerned: changed(["n": 500]), count: 2, idle: changed(["n": "text"])),
            Kind(
                name: "ranges of a later order",
                query: { cities.order(by: "m").whereField("n", isGreaterThan: $0).whereField("n", isLessThan: $0 + 2) },
                concerned: changed(["m": 1, "n": 500]), count: 1, idle: changed(["m": 1, "n": -1])),
            Kind(
                name: "a value and a range",
                query: {
                    cities.whereField("user", isEqualTo: "u").whereField("n", isGreaterThan: -$0).whereField(
                        "n", isLessThan: 2 - $0)
                },
                concerned: changed(["user": "u", "n": -7]), count: 1, idle: changed(["user": "v", "n": -7])),
            Kind(
                name: "a field for each user", query: { cities.whereField("members.u\($0)", isEqualTo: true) },
                concerned: changed(["members": .map(["u77": true, "v": true])]), count: 1,
                idle: changed(["members": .map(["u77": false])])),
            Kind(
                name: "a field for each user, and a value",
                query: { cities.whereField("done", isEqualTo: false).whereField("u\($0)", isEqualTo: true) },
                concerned: changed(["done": false, "u77": true]), count: 1, idle: changed(["done": false, "v": true])),
            Kind(
                name: "an order for each user", query: { cities.order(by: "scores.u\($0)") },
                concerned: changed(["scores": .map(["u5": 1])]), count: 1, idle: changed(["scores": 1])),
            Kind(
                name: "names",
                query: { cities.order(by: Hearth.FieldPath.documentID()).start(at: ["y\($0)"]).limit(to: 5) },
                concerned: change("cities/y0", from: ["a": 1], to: nil), count: 1, idle: changed(["a": 1])),
            Kind(
                name: "names in a group",
                query: {
                    audience.database.collectionGroup("cities")
                        .whereField(Hearth.FieldPath.documentID(), isEqualTo: "cities/y\($0)")
                },
                concerned: change("cities/y7", from: ["a": 1], to: nil), count: 1, idle: changed(["a": 1])),
            Kind(
                name: "equal queries",
                query: { _ in cities.whereField("n", isGreaterThan: 5).order(by: "n") },
                concerned: changed(["n": 6]), count: nil, idle: changed(["n": 5])),
        ]
    }

    private struct Kind {
        let name: String
        let query: (Int) -> Hearth.Query
        let concerned: DocumentEngine.DocumentChange
        /// The number of affected listeners; nil for all.
        let count: Int?
        let idle: DocumentEngine.DocumentChange
    }

    /// The work of a commit does not grow with listeners that it does not affect.
    @Test func fewOfTenThousandListenersAreExamined() throws {
        for kind in kinds() {
            let (index, listeners) = try listen((0..<Rounds.of(10_000)).lazy.map(kind.query))
            #expect(index.concerns([kind.concerned]), "\(kind.name)")
            #expect(index.route([kind.concerned]).count == kind.count ?? listeners.count, "\(kind.name)")
            #expect(!index.concerns([kind.idle]) && index.route([kind.idle]).isEmpty, "\(kind.name)")
            for change in [kind.concerned, kind.idle] {
                var search = ListenerSearch(stopsAtFirst: false)
                index.visit(change, &search)
                // The deepest path of a treap of 10,000 is about 40, and a change has two documents.
                #expect(search.examined < 300, "\(kind.name)")
            }
        }
    }

    /// Removes listeners in any order, until none is left.
    @Test func removedListenersAreNotFound() throws {
        var random = SeededGenerator.printingSeed()
        for kind in kinds() {
            var (index, listeners) = try listen((0..<300).lazy.map(kind.query))
            let found = Set(index.route([kind.concerned]).keys)
            for listener in listeners.shuffled(using: &random).dropLast(150) {
                index.remove(listener, listener.target.interest)
                listeners.removeAll { $0 == listener }
            }
            #expect(
                Set(index.route([kind.concerned]).keys) == found.intersection(listeners), "\(kind.name), \(random.seed)"
            )
            for listener in listeners { index.remove(listener, listener.target.interest) }
            #expect(index.isEmpty && !index.concerns([kind.concerned]), "\(kind.name), \(random.seed)")
        }
    }

    /// No listener is missed, and none is found that shares only the collection with the document.
    @Test func randomQueriesAreFoundByWhatTheyMatch() throws {
        var random = SeededGenerator.printingSeed()
        let documents = DocumentGenerator().documents(200, &random)
        let queries = QueryGenerator(documents)
        var index = ListenerIndex()
        var targets: [QueryListener: (ListenerTarget, scope: DocumentScope)] = [:]
        while targets.count < 300 {
            let query = queries.query(&random)
            guard query.from.collectionID != nil, query.parent == nil || !query.from.allDescendants,
                let normalized = try? Normalizer.normalize(query, database: engine.database)
            else { continue }
            let target = ListenerTarget(normalized, in: audience.database, engine.database, DecisionBasis()) {
                (engine) throws(QueryError) in
                try engine.run(query, allowScan: true)
            }
            let listener = QueryListener(target) { _ in true }
            index.insert(listener, target.interest)
            targets[listener] = (target, normalized.scope)
        }
        var matched = 0
        for (path, fields) in documents {
            let time = DocumentModel.Timestamp(microseconds: 1)!
            let document = Document(path: path, fields: fields, createTime: time, updateTime: time)
            let found = index.route([.init(path: path, old: nil, new: document)])
            for (listener, (target, scope)) in targets {
                let isInScope =
                    switch scope {
                    case .collection(let collection): path.collection == collection
                    case .collectionGroup(let id, _): path.collection.group == id
                    case .children, .descendants: false
                    }
                guard isInScope, target.sortKey(document) != nil else { continue }
                matched += 1
                #expect(found[listener] != nil, "seed \(random.seed): \(path)")
            }
        }
        #expect(matched > 500)
    }

    /// Among ten thousand listeners of one collection, only those are found whose values a document has or had.
    @Test func equalValuesAreLookedUp() throws {
        var index = ListenerIndex()
        let cities = audience.cities
        var listeners: [QueryListener] = []
        for number in 0..<Rounds.of(10_000) {
            let query = cities.whereField("user", isEqualTo: "u\(number)").whereField("done", isEqualTo: false)
            listeners.append(try listener(query))
            index.insert(listeners[number], listeners[number].target.interest)
        }
        let entered = change("cities/x", from: nil, to: ["user": "u77", "done": false, "n": 1])
        #expect(index.concerns([entered]))
        #expect(Set(index.route([entered]).keys) == [listeners[77]])
        let moved = change("cities/x", from: ["user": "u1", "done": false], to: ["user": "u2", "done": false])
        #expect(Set(index.route([moved]).keys) == [listeners[1], listeners[2]])
        for idle in [
            change("cities/x", from: nil, to: ["user": "u77", "done": true]),
            change("cities/x", from: nil, to: ["user": "nobody", "done": false]),
            change("cities/x", from: nil, to: ["done": false]),
            change("towns/x", from: nil, to: ["user": "u77", "done": false]),
        ] {
            #expect(!index.concerns([idle]) && index.route([idle]).isEmpty)
        }
        for listener in listeners { index.remove(listener, listener.target.interest) }
        #expect(!index.concerns([entered]))
    }

    @Test func allFormsOfEquality() throws {
        let reference = audience.cities.document("x")
        let forms: [(Hearth.Query, Fields)] = [
            (audience.cities.whereField("a", isEqualTo: 3), ["a": .double(3)]),
            (audience.cities.whereField("a", isEqualTo: Double.nan), ["a": .double(.nan)]),
            (audience.cities.whereField("a", isEqualTo: Any?.none as Any), ["a": .null]),
            (audience.cities.whereField("a.b", isEqualTo: 1), ["a": .map(["b": 1])]),
            (audience.cities.whereField("a", in: [1, 2]), ["a": 2]),
            (audience.cities.whereField("a", arrayContains: 1), ["a": .array([0, 1])]),
            (audience.cities.whereField("a", arrayContainsAny: [5, 1]), ["a": .array([0, 1])]),
            (
                audience.cities.whereFilter(
                    .orFilter([.whereField("a", isEqualTo: 1), .whereField("b", isGreaterThan: 1)])),
                ["b": 2]
            ),
            (audience.cities.whereField(Hearth.FieldPath.documentID(), isEqualTo: reference), ["z": 1]),
            (audience.cities.whereField(Hearth.FieldPath.documentID(), in: ["x", "y"]), ["z": 1]),
            (audience.database.collectionGroup("cities").whereField("a", isEqualTo: 1), ["a": 1]),
            (audience.cities, [:]),
        ]
        for (number, (query, fields)) in forms.enumerated() {
            var index = ListenerIndex()
            let listener = try listener(query)
            index.insert(listener, listener.target.interest)
            #expect(index.concerns([change("cities/x", from: nil, to: fields)]), "\(number)")
            #expect(index.concerns([change("cities/x", from: fields, to: nil)]), "\(number)")
            #expect(!index.concerns([change("towns/x", from: nil, to: fields)]), "\(number)")
        }
    }
}
