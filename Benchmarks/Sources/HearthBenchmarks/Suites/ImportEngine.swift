// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// What is measured, each in the form that suits it. A workload is written once, with a `switch` over this where they differ.
enum ImportEngine: CaseIterable {
    case hearth
    case sqliteInBatches
    case sqliteAtOnce

    var name: String {
        switch self {
        case .hearth: "Hearth"
        case .sqliteInBatches: "SQLite, 500 a transaction"
        case .sqliteAtOnce: "SQLite, one transaction"
        }
    }

    /// Loads the documents into a new database file; returns once all of them are durable and the file is closed.
    ///
    /// Hearth reads and parses the file itself; SQLite is handed JSON text that was parsed and written anew beforehand.
    func load(_ sample: Sample, into path: String) throws {
        switch self {
        case .hearth:
            let database = try Database.open(path: path)
            try database.sync.setIndexConfiguration(sample.indexes)
            let summary = try database.sync.importDocuments(from: sample.file)
            guard summary.imported == sample.documents.count else {
                throw BenchmarkError("Hearth imported \(summary.imported) documents: \(summary.rejections)")
            }
        case .sqliteInBatches: try SQLiteImport.run(sample.documents, batch: 500, into: path)
        case .sqliteAtOnce: try SQLiteImport.run(sample.documents, batch: sample.documents.count, into: path)
        }
    }
}

/// The documents of a workload in the forms that engines take.
struct Sample {
    /// NDJSON in Firestore's REST form.
    let file: URL
    let documents: [PlainDocument]
    /// A `firestore.indexes.json`.
    let indexes: String
}
