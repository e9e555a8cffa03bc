// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

extension Engine {
    /// Deletes every document, in commits of a thousand. Index definitions stay.
    package func deleteDocuments() throws(EngineError) {
        let everything = Query(from: CollectionSelector(collectionID: nil, allDescendants: true), limit: 1_000)
        while true {
            let documents: [Document]
            do throws(QueryError) { documents = try run(everything).documents } catch {
                switch error {
                case .engine(let error): throw error
                case .planning(let error): preconditionFailure("the names of all documents need no index: \(error)")
                }
            }
            guard !documents.isEmpty else { return }
            _ = try commit(documents.map { Write($0.path, .delete) })
        }
    }
}
