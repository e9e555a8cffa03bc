// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog

/// Tests whether a document is a row of a query and computes its position, without an index.
package struct DocumentMatcher: Sendable {
    package let query: NormalizedQuery
    private let cursorRanges: [KeyRange]

    package init(_ query: NormalizedQuery) {
        self.query = query
        cursorRanges = Planner.cursorRanges(of: query)
    }

    /// The document's sort key among the rows; nil if it is not a row. Its collection must be in the query's scope.
    /// Offset and limit are ignored.
    package func sortKey(of document: Document) -> [UInt8]? {
        guard let key = query.sortKey(of: document), cursorRanges.contains(key) else { return nil }
        guard let filter = query.query.filter else { return key }
        return FilterEvaluator.matches(filter, fields: document.fields, path: document.path) ? key : nil
    }
}

extension NormalizedQuery {
    /// The document's sort key in the order of execution; nil if it lacks a field of the order. Different
    /// documents of the scope have different keys.
    package func sortKey(of document: Document) -> [UInt8]? {
        document.sortKey(by: orders, namesAreIDs: scope.namesAreIDs)
    }
}

extension DocumentScope {
    /// Whether a name is encoded as an ID: within one collection.
    var namesAreIDs: Bool { if case .collection = self { true } else { false } }
}

extension Document {
    /// Nil if it lacks a field of the orders.
    func sortKey(by orders: [Order], namesAreIDs: Bool) -> [UInt8]? {
        var encoder = KeyEncoder()
        for order in orders {
            let descending = order.direction == .descending
            if !order.path.isDocumentName {
                guard let value = fields[order.path] else { return nil }
                encoder.append(value, descending: descending)
            } else if namesAreIDs {
                encoder.append(segment: path.id, descending: descending)
            } else {
                encoder.append(path: path.resource, descending: descending)
            }
        }
        return encoder.bytes
    }
}
