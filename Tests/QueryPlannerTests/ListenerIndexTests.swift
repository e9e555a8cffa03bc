// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// Which listeners the index finds for a change.
@Suite struct ListenerIndexTests {
    /// What stands for a listener.
    private final class Listener {
        let query: NormalizedQuery
        let interest: ListenerInterest

        init(_ query: Query) throws {
            self.query = try Normalizer.normalize(query, database: ListenerKind.database)
            interest = ListenerInterest(self.query)
        }

        func reads(_ collection: CollectionPath) -> Bool {
            switch query.scope {
            case .collection(let path): collection == path
            case .collectionGroup(let id, under: nil): collection.group == id
            case .descendants(of: nil): true
            default: false
            }
        }
    }

    private func listen(_ queries: some Sequence<Query>) throws -> (index: ListenerIndex, listeners: [Listener]) {
        var index = ListenerIndex()
        let listeners = try queries.map(Listener.init)
        for listener in listeners { index.insert(ObjectIdentifier(listener), listener.interest) }
        return (index, listeners)
    }

    /// The work of a commit does not grow with listeners that it does not affect.
    @Test func fewOfTenThousandListenersAreExamined() throws {
        for kind in ListenerKind.all {
            let (index, listeners) = try listen((0..<Rounds.of(10_000)).lazy.map(kind.query))
            #expect(index.concerns(kind.concerned), "\(kind.name)")
            #expect(index.find(kind.concerned).count == kind.count ?? listeners.count, "\(kind.name)")
            #expect(!index.concerns(kind.idle) && index.find(kind.idle).isEmpty, "\(kind.name)")
            for change in [kind.concerned, kind.idle] {
                // The deepest path of a treap of 10,000 is about 40, and a change has two documents.
                #expect(index.search(change).examined < 300, "\(kind.name)")
            }
        }
    }

    /// Removes listeners in any order, until none is left.
    @Test func removedListenersAreNotFound() throws {
        var random = SeededGenerator.printingSeed()
        for kind in ListenerKind.all {
            var (index, listeners) = try listen((0..<300).lazy.map(kind.query))
            let found = index.find(kind.concerned)
            for listener in listeners.shuffled(using: &random).dropLast(150) {
                index.remove(ObjectIdentifier(listener), listener.interest)
                listeners.removeAll { $0 === listener }
            }
            #expect(
                index.find(kind.concerned) == found.intersection(listeners.map { ObjectIdentifier($0) }),
                "\(kind.name), \(random.seed)")
            for listener in listeners { index.remove(ObjectIdentifier(listener), listener.interest) }
            #expect(index.isEmpty && !index.concerns(kind.concerned), "\(kind.name), \(random.seed)")
        }
    }

    /// No listener is missed, and few are found that share only the collection with the document.
    @Test func randomQueriesAreFoundByWhatTheyMatch() throws {
        var random = SeededGenerator.printingSeed()
        let documents = DocumentGenerator().documents(200, &random)
        let queries = QueryGenerator(documents)
        var index = ListenerIndex()
        var listeners: [Listener] = []
        while listeners.count < 300 {
            // Some are refused, such as a collection group under a parent.
            guard let listener = try? Listener(queries.query(&random)) else { continue }
            index.insert(ObjectIdentifier(listener), listener.interest)
            listeners.append(listener)
        }
        var matched = 0
        var found = 0
        for (path, fields) in documents {
            let change = ListenedChange(path, from: nil, to: fields)
            let identifiers = index.find(change)
            found += identifiers.count
            for listener in listeners where listener.reads(path.collection) {
                guard let new = change.new, DocumentMatcher(listener.query).sortKey(of: new) != nil else { continue }
                matched += 1
                #expect(identifiers.contains(ObjectIdentifier(listener)), "seed \(random.seed): \(path)")
            }
        }
        #expect(matched > 500 && found < documents.count * listeners.count / 2, "seed \(random.seed)")
    }

    /// Among ten thousand listeners of one collection, only those are found whose values a document has or had.
    @Test func equalValuesAreLookedUp() throws {
        var (index, listeners) = try listen(
            (0..<Rounds.of(10_000)).lazy.map { number in
                ListenerKind.query(.field("user", .equal, .string(Text("u\(number)"))), .field("done", .equal, false))
            })
        func identifiers(_ numbers: Int...) -> Set<ObjectIdentifier> {
            Set(numbers.map { ObjectIdentifier(listeners[$0]) })
        }
        let entered = ListenedChange("cities/x", from: nil, to: ["user": "u77", "done": false, "n": 1])
        #expect(index.concerns(entered))
        #expect(index.find(entered) == identifiers(77))
        let moved = ListenedChange(
            "cities/x", from: ["user": "u1", "done": false], to: ["user": "u2", "done": false])
        #expect(index.find(moved) == identifiers(1, 2))
        for idle in [
            ListenedChange("cities/x", from: nil, to: ["user": "u77", "done": true]),
            ListenedChange("cities/x", from: nil, to: ["user": "nobody", "done": false]),
            ListenedChange("cities/x", from: nil, to: ["done": false]),
            ListenedChange("towns/x", from: nil, to: ["user": "u77", "done": false]),
        ] {
            #expect(!index.concerns(idle) && index.find(idle).isEmpty)
        }
        for listener in listeners { index.remove(ObjectIdentifier(listener), listener.interest) }
        #expect(!index.concerns(entered))
    }

    @Test func allFormsOfEquality() throws {
        let name = Filter.field(.documentName, .equal, ListenerKind.name("x"))
        let names = Filter.field(.documentName, .in, .array([ListenerKind.name("x"), ListenerKind.name("y")]))
        let inner = FieldPath(["a", "b"])
        let forms: [(Query, Fields)] = [
            (ListenerKind.query(.field("a", .equal, 3)), ["a": .double(3)]),
            (ListenerKind.query(.unary("a", .isNaN)), ["a": .double(.nan)]),
            (ListenerKind.query(.unary("a", .isNull)), ["a": .null]),
            (ListenerKind.query(.field(inner, .equal, 1)), ["a": .map(["b": 1])]),
            (ListenerKind.query(.field("a", .in, .array([1, 2]))), ["a": 2]),
            (ListenerKind.query(.field("a", .arrayContains, 1)), ["a": .array([0, 1])]),
            (ListenerKind.query(.field("a", .arrayContainsAny, .array([5, 1]))), ["a": .array([0, 1])]),
            (ListenerKind.query(.or([.field("a", .equal, 1), .field("b", .greaterThan, 1)])), ["b": 2]),
            (ListenerKind.query(name), ["z": 1]),
            (ListenerKind.query(names), ["z": 1]),
            (ListenerKind.query(.field("a", .equal, 1), ofGroup: true), ["a": 1]),
            (ListenerKind.query(), [:]),
        ]
        for (number, (query, fields)) in forms.enumerated() {
            let (index, listeners) = try listen([query])
            #expect(index.concerns(ListenedChange("cities/x", from: nil, to: fields)), "\(number)")
            #expect(index.concerns(ListenedChange("cities/x", from: fields, to: nil)), "\(number)")
            #expect(!index.concerns(ListenedChange("towns/x", from: nil, to: fields)), "\(number)")
            withExtendedLifetime(listeners) {}
        }
    }

    /// A listener of two documents is found by each, and by none once it is removed; a query of no collection by all.
    @Test func documentsAndEverything() throws {
        let listener = try Listener(Query(from: CollectionSelector(collectionID: nil, allDescendants: true)))
        let identifier = ObjectIdentifier(listener)
        var index = ListenerIndex()
        index.insert(identifier, .documents(["c/a", "c/b"]))
        for (path, isFound) in [("c/a", true), ("c/b", true), ("c/x", false)] as [(DocumentPath, Bool)] {
            #expect(index.concerns(ListenedChange(path, from: nil, to: [:])) == isFound)
        }
        index.remove(identifier, .documents(["c/a", "c/b"]))
        #expect(index.isEmpty)
        index.insert(identifier, listener.interest)
        #expect(index.find(ListenedChange("c/a/d/b", from: [:], to: nil)) == [identifier])
        index.remove(identifier, listener.interest)
        #expect(index.isEmpty)
    }
}

extension ListenerIndex {
    fileprivate func search(_ change: ListenedChange, stopsAtFirst: Bool = false) -> ListenerSearch {
        var search = ListenerSearch(stopsAtFirst: stopsAtFirst)
        visit(change.path, change.old, change.new, &search)
        return search
    }

    fileprivate func find(_ change: ListenedChange) -> Set<ObjectIdentifier> { search(change).found }

    fileprivate func concerns(_ change: ListenedChange) -> Bool { search(change, stopsAtFirst: true).isDone }
}
