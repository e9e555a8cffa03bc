// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

extension Engine {
    /// Calls `body` for the documents of a scope in name order, in one read transaction. Skips missing parents, which
    /// are not documents (D-6).
    ///
    /// - Parameter progress: called with the number of visited documents as a share of the whole database.
    /// - Throws: if a document cannot be read; for the whole database also, at the end, if damage may have hidden some.
    package func forEachDocument(
        in scope: DocumentScope = .descendants(of: nil), progress: ((Double) -> Void)? = nil,
        _ body: (Document) throws(EngineError) -> Void
    ) throws(EngineError) {
        var progress = WorkProgress(
            total: progress == nil ? 0 : try scheduler.storage.entryCount(of: .documents), progress)
        try read { (transaction) throws(EngineError) in
            let context = ExecutionContext(
                self.ids, try self.catalogs.read(&transaction))
            guard let rows = try OperatorBuilder.documents(in: scope, context, &transaction) else { return }
            while try rows.next(&transaction) {
                try body(try context.record(of: rows, transaction).decoded())
                progress.step()
            }
            guard case .descendants(of: nil) = scope else { return }
            for store in [self.stores.catalog, self.stores.documents, self.stores.overflow] {
                try transaction.checkAllEntries(of: store)
            }
        }
    }

    /// The IDs of the collections under a document, or at the root, that contain documents at any depth, in order.
    package func collectionIDs(under parent: DocumentPath?) throws(EngineError) -> [Text] {
        try read { (transaction) throws(EngineError) in try self.collectionIDs(under: parent, nil, &transaction) }
    }

    /// - Parameter past: what has changed below the document since the time that is read; nil for the present.
    func collectionIDs(
        under parent: DocumentPath?, _ past: PastVersions?, _ transaction: inout Transaction
    ) throws(EngineError) -> [Text] {
        let context = ExecutionContext(ids, try catalogs.read(&transaction))
        var list = try CollectionList(.descendants(of: parent), backwards: false, &transaction)
        let depth = parent?.resource.count ?? 0
        var ids: [Text] = []
        while let item = try list.next(&transaction) {
            let id = try CollectionPath(encoded: item.path).resource.segments[depth]
            guard try !context.isEmpty(item, past, &transaction) else { continue }
            ids.append(id)
            list.place(KeyRange.successor(of: try CollectionList.prefix(item.path, depth + 1)))
        }
        return ids
    }
}
