// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
package import QueryPlanner

extension Engine {
    /// As ``collectionIDs(under:)`` at a time.
    package func collectionIDs(under parent: DocumentPath?, at time: Timestamp) throws(EngineError) -> [Text] {
        try read(at: time) { (microseconds, history, transaction) throws(EngineError) in
            let scope = DocumentScope.descendants(of: parent)
            let past = try self.past(at: microseconds, scope, history, &transaction)
            return try self.collectionIDs(under: parent, past, &transaction)
        }
    }

    /// The documents of one collection, or of all collections directly under a parent, in name order, with *missing parents*:
    /// names that only have documents below them.
    ///
    /// - Parameters:
    ///   - scope: `.collection` or `.children`.
    ///   - after: the last name of the page before.
    ///   - limit: the most documents to return.
    ///   - byteGoal: how many bytes of documents are enough: no more are returned then.
    package func documentsAndParents(
        in scope: DocumentScope, after: DocumentPath? = nil, limit: Int = .max, byteGoal: Int = .max, at time: Timestamp
    ) throws(EngineError) -> [ListedDocument] {
        guard limit > 0 else { return [] }
        return try read(at: time) { (microseconds, history, transaction) throws(EngineError) in
            let past = try self.past(at: microseconds, scope.withDescendants, history, &transaction)
            let context = ExecutionContext(self.ids, try self.catalogs.read(&transaction))
            let list = DocumentList(scope, after: after, limit: limit, byteGoal: byteGoal, past, context)
            return try list.read(&transaction)
        }
    }
}
