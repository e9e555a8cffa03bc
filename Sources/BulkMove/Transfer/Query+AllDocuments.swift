// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

extension Query {
    /// The first documents of a whole database behind a name, up to and with another one, in the order of names.
    package init(
        ofAllDocumentsAfter start: DocumentPath?, upTo end: DocumentPath? = nil, limit: Int, in database: DatabaseID,
        projection: [FieldPath]? = nil
    ) {
        func behind(_ path: DocumentPath) -> Cursor {
            Cursor([.reference(Reference(database: database, path: path.resource))], before: false)
        }
        self.init(
            from: CollectionSelector(collectionID: nil, allDescendants: true), orders: [Order(.documentName)],
            limit: limit, projection: projection)
        self.start = start.map(behind)
        self.end = end.map(behind)
    }
}
