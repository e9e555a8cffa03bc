// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

extension Engine {
    /// Deletes every document, in commits of a thousand. Index definitions stay.
    package func deleteDocuments() throws(EngineError) {
        let everything = Query(from: CollectionSelector(collectionID: nil, allDescendants: true), limit: 1_000)
        while true {
            let records: [DocumentRecord]
            do throws(QueryError) { records = try run(everything).records } catch {
                switch error {
                case .engine(let error): throw error
                case .planning(let error): preconditionFailure("the names of all documents need no index: \(error)")
                }
            }
            guard !records.isEmpty else { return }
            var writes: [Write] = []
            for record in records { writes.append(Write(try record.decoded().path, .delete)) }
            _ = try commit(writes)
        }
    }
}
