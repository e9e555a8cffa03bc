// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import QueryPlanner
import TestSupport
import Testing

@testable import Hearth

/// Which listeners a change is taken to.
@Suite struct WatchIndexTests {
    private let audience: Audience
    private let engine: Engine

    init() throws {
        audience = try Audience()
        engine = try audience.database.engine()
    }

    private func watch(_ query: Hearth.Query) throws -> Watch { Watch(try query.liveSource(engine)) { _ in } }

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

    /// Ten thousand listeners of one collection, and only those whose values a document has or had are found.
    @Test func equalValuesAreLookedUp() throws {
        var index = WatchIndex()
        let cities = audience.cities
        var watches: [Watch] = []
        for number in 0..<10_000 {
            let query = cities.whereField("user", isEqualTo: "u\(number)").whereField("done", isEqualTo: false)
            watches.append(try watch(query))
            index.insert(watches[number], watches[number].source.interest)
        }
        let entered = change("cities/x", from: nil, to: ["user": "u77", "done": false, "n": 1])
        #expect(index.concerns([entered]))
        #expect(Set(index.route([entered]).keys) == [watches[77]])
        let moved = change("cities/x", from: ["user": "u1", "done": false], to: ["user": "u2", "done": false])
        #expect(Set(index.route([moved]).keys) == [watches[1], watches[2]])
        for idle in [
            change("cities/x", from: nil, to: ["user": "u77", "done": true]),
            change("cities/x", from: nil, to: ["user": "nobody", "done": false]),
            change("cities/x", from: nil, to: ["done": false]),
            change("towns/x", from: nil, to: ["user": "u77", "done": false]),
        ] {
            #expect(!index.concerns([idle]) && index.route([idle]).isEmpty)
        }
        for watch in watches { index.remove(watch, watch.source.interest) }
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
            var index = WatchIndex()
            let watch = try watch(query)
            index.insert(watch, watch.source.interest)
            #expect(index.concerns([change("cities/x", from: nil, to: fields)]), "\(number)")
            #expect(index.concerns([change("cities/x", from: fields, to: nil)]), "\(number)")
            #expect(!index.concerns([change("towns/x", from: nil, to: fields)]), "\(number)")
        }
    }
}
