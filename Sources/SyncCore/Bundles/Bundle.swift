// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Documents and queries that a server has packed for many clients.
struct Bundle {
    struct Document {
        let document: SyncDocument
        /// The names of the queries that have it as a row.
        let queries: [String]
    }

    let record: BundleRecord
    let documents: [Document]
    let queries: [NamedQuery]
    /// The bytes that were read when each document was complete.
    let offsets: [Int]

    /// The rows of a query.
    func rows(of query: String) -> Set<DocumentPath> {
        Set(documents.filter { $0.queries.contains(query) }.map(\.document.path))
    }
}
