// SPDX-License-Identifier: Apache-2.0

/// What is measured. Every workload is written once, with a `switch` over this where engines differ.
enum Engine: String, CaseIterable {
    case sqlite = "SQLite"

    /// Loads the documents into a new database file; returns once all of them are durable.
    ///
    /// - Parameter batch: documents a transaction.
    func load(_ documents: [PlainDocument], batch: Int, into path: String) throws {
        switch self {
        case .sqlite: try SQLiteImport.run(documents, batch: batch, into: path)
        }
    }
}
