// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

/// A collection of any size with 20 documents that the queries find.
struct CostFixture {
    let size: Int
    let database: TemporaryDatabase

    static let indexes = IndexConfiguration(
        indexes: [
            index(IndexField("kind", .order(.ascending)), IndexField("n", .order(.ascending))),
            index(IndexField("tags", .contains), IndexField("n", .order(.ascending))),
            index(IndexField("group", .order(.ascending)), IndexField("n", .order(.descending))),
            index(IndexField("left", .order(.ascending)), IndexField("kind", .order(.ascending))),
        ],
        fieldOverrides: [
            FieldOverride(
                collectionGroup: "g", path: "kind", indexes: [SingleFieldIndex(.ascending, .collectionGroup)])
        ])

    private static func index(_ fields: IndexField...) -> IndexDefinition {
        IndexDefinition(
            collectionGroup: "c", scope: .collection, fields: fields,
            nameDirection: fields.last?.mode.direction ?? .ascending)
    }

    init(size: Int) throws {
        self.size = size
        database = try TemporaryDatabase(indexes: CostFixture.indexes)
        var number = 0
        _ = try database.engine.load(
            next: { () throws(EngineError) in
                defer { number += 1 }
                if number < size { return CostFixture.document(number) }
                return number < size + size / 10 ? CostFixture.grouped(number - size) : nil
            },
            reject: { path, error in preconditionFailure("\(path): \(error)") })
    }

    static func path(_ number: Int) -> DocumentPath {
        DocumentPath(ResourcePath(segments: ["c", Text("d\(1_000_000 + number)")]))
    }

    /// The queries find one in fifty of the first thousand.
    private static func document(_ number: Int) -> (path: DocumentPath, fields: Fields) {
        let isHit = number < 1_000 && number % 50 == 0
        let fields: Fields = [
            "n": .integer(Int64(number)),
            "kind": .string(isHit ? "hit" : Text("miss\(number % 7)")),
            "left": .boolean(isHit && number % 100 == 0), "right": .boolean(isHit && number % 100 == 50),
            "code": .integer(isHit ? Int64(number / 50 % 3) : 9),
            "tags": isHit ? ["hit", "other"] : [.string(Text("tag\(number % 5)")), "other"],
            "group": .integer(Int64(number / 50)),
        ]
        return (path(number), fields)
    }

    /// The queries find the first twenty, each in a collection of its own.
    private static func grouped(_ number: Int) -> (path: DocumentPath, fields: Fields) {
        let path = ResourcePath(segments: ["p", Text("p\(number % 20)"), "g", Text("d\(1_000_000 + number)")])
        return (DocumentPath(path), ["kind": number < 20 ? "hit" : "miss"])
    }
}
