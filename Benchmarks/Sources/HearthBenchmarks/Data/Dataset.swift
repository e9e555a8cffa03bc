// SPDX-License-Identifier: Apache-2.0

/// A document as every engine is given it.
struct BenchmarkDocument: Sendable {
    /// The document it lies under, as a path; empty at the root.
    var parent = ""
    let id: String
    let fields: [(name: String, value: Plain)]
}

/// Documents of one collection group, made one by one from their numbers, so that a million need no memory.
struct Dataset: Sendable {
    enum ColumnType: String {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
    }

    let name: String
    /// The collection ID.
    let collection: String
    /// Whether queries ask the collection group.
    var isGroup = false
    let count: Int
    /// The fields as columns; arrays and maps are JSON text.
    let columns: [(name: String, type: ColumnType)]
    /// Fields that have an automatic index in Hearth, and so an index of their own in SQLite.
    let indexed: [String]
    /// Array fields, which SQLite indexes through a table of their own.
    var arrays: [String]
    var composites: [[(field: String, descending: Bool)]]
    let document: @Sendable (Int) -> BenchmarkDocument

    /// The `firestore.indexes.json` that goes with ``composites``; single fields get group scope where queries ask the group.
    var indexConfiguration: String {
        let scope = isGroup ? "COLLECTION_GROUP" : "COLLECTION"
        let indexes = composites.map { fields in
            let fields = fields.map {
                "{\"fieldPath\":\"\($0.field)\",\"order\":\"\($0.descending ? "DE" : "A")SCENDING\"}"
            }
            return
                "{\"collectionGroup\":\"\(collection)\",\"queryScope\":\"\(scope)\",\"fields\":[\(fields.joined(separator: ","))]}"
        }
        let overrides = (isGroup ? indexed + arrays : []).map { field in
            let kind = arrays.contains(field) ? "\"arrayConfig\":\"CONTAINS\"" : "\"order\":\"ASCENDING\""
            return
                "{\"collectionGroup\":\"\(collection)\",\"fieldPath\":\"\(field)\",\"indexes\":[{\"queryScope\":\"COLLECTION_GROUP\",\(kind)}]}"
        }
        return
            "{\"indexes\":[\(indexes.joined(separator: ","))],\"fieldOverrides\":[\(overrides.joined(separator: ","))]}"
    }
}

/// A repeatable stream of numbers.
struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Twenty letters and digits, as automatic IDs are.
    mutating func id() -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var text: [UInt8] = []
        for _ in 0..<20 { text.append(alphabet[next(below: 62)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
