// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog

/// Tells of single documents, without any index, whether they are rows of a query and where they stand among them.
package struct DocumentMatcher: Sendable {
    package let query: NormalizedQuery
    private let cursorRanges: [KeyRange]

    package init(_ query: NormalizedQuery) {
        self.query = query
        cursorRanges = Planner.cursorRanges(of: query)
    }

    /// The document's place among the rows, which are in the order of these bytes; nil if it is none of them. Its collection
    /// must be one of the query's scope. Offset and limit do not count.
    package func sortKey(of document: Document) -> [UInt8]? {
        guard let key = query.sortKey(of: document), cursorRanges.contains(key) else { return nil }
        guard let filter = query.query.filter else { return key }
        return FilterEvaluator.matches(filter, fields: document.fields, path: document.path) ? key : nil
    }
}

extension NormalizedQuery {
    /// Where a document stands in the order of execution; nil if it lacks a field of the order. Different documents of
    /// the scope have different keys.
    package func sortKey(of document: Document) -> [UInt8]? {
        document.sortKey(by: orders, namesAreIDs: scope.namesAreIDs)
    }
}

extension DocumentScope {
    /// Within one collection the ID is the name.
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
