// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
package import QueryPlanner

extension Engine {
    /// Shows the documents of a scope in name order, over one unchanging state; missing parents are not documents (D-6).
    ///
    /// - Parameter progress: told the share of the documents that were shown, as far as the scope is the whole database.
    /// - Throws: where a document cannot be read; for the whole database also, at the end, where damage may have hidden some.
    package func forEachDocument(
        in scope: DocumentScope = .descendants(of: nil), progress: ((Double) -> Void)? = nil,
        _ body: (Document) throws(EngineError) -> Void
    ) throws(EngineError) {
        var progress = WorkProgress(total: progress == nil ? 0 : try entryCount(of: [stores.documents]), progress)
        try read { (cursors) throws(EngineError) in
            let context = ExecutionContext(
                self.stores, self.numbers, try self.catalogs.read(&cursors), self.database)
            guard let rows = try OperatorBuilder.documents(in: scope, context, &cursors) else { return }
            while try rows.next(&cursors) {
                try body(try context.record(of: rows, cursors).decoded())
                progress.step()
            }
            guard case .descendants(of: nil) = scope else { return }
            for store in [self.stores.catalog, self.stores.documents, self.stores.continuations] {
                try cursors.checkAllEntries(of: store)
            }
        }
    }

    /// The IDs of the collections under a document, or at the root, that hold documents at any depth, in order.
    package func collectionIDs(under parent: DocumentPath?) throws(EngineError) -> [Text] {
        try read { (cursors) throws(EngineError) in
            var list = try CollectionList(.descendants(of: parent), self.stores, backwards: false, &cursors)
            let depth = parent?.resource.count ?? 0
            var ids: [Text] = []
            while let item = try list.next(&cursors) {
                let id = try CollectionPath(encoded: item.path).resource.segments[depth]
                if ids.last != id, try !self.isEmpty(item, &cursors) { ids.append(id) }
            }
            return ids
        }
    }

    private func isEmpty(_ item: CollectionList.Item, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        var cursor = try RangeCursor(
            stores.keyed(stores.documents), prefix: OrderedInteger.bytes(item.number), ranges: [.all], backwards: false,
            &cursors)
        let isEmpty = try !cursor.next(&cursors)
        cursor.close(&cursors)
        return isEmpty
    }
}
