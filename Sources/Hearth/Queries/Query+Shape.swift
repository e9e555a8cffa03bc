// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Query {
    // MARK: Orders

    /// Ascending order by a field, after the orders given before. Documents without the field are left out.
    public func order(by field: String) -> Query { order(by: field, descending: false) }

    /// The same with a field path.
    public func order(by path: FieldPath) -> Query { order(by: path, descending: false) }

    /// Order by a field in either direction.
    public func order(by field: String, descending: Bool) -> Query {
        order(by: FieldPath(dotted: field), descending: descending)
    }

    /// The same with a field path.
    public func order(by path: FieldPath, descending: Bool) -> Query {
        changed { $0.order(by: path, descending: descending) }
    }

    // MARK: Limits

    /// At most this many documents, from the beginning of the order. The last limit given counts.
    public func limit(to limit: Int) -> Query {
        changed { $0.limit(to: limit, last: false) }
    }

    /// At most this many documents, from the end of the order, which must be given; they still come in that order.
    public func limit(toLast limit: Int) -> Query {
        changed { $0.limit(to: limit, last: true) }
    }

    // MARK: Cursors at values

    /// Begins with the rows that have these values, or at the place where they would be.
    ///
    /// The values are those of the orders given, from the first; fewer are allowed. Orders come before cursors, and of
    /// several starting points the last counts.
    public func start(at fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed { $0.start(at: values, before: true) }
    }

    /// Begins after the rows that have these values; see ``start(at:)``.
    public func start(after fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed { $0.start(at: values, before: false) }
    }

    /// Ends before the rows that have these values; see ``start(at:)``.
    public func end(before fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed { $0.end(at: values, before: true) }
    }

    /// Ends with the rows that have these values; see ``start(at:)``.
    public func end(at fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed { $0.end(at: values, before: false) }
    }

    private static func arguments(_ inputs: [Any]) -> [Result<Value, FirestoreError>] {
        inputs.map { input in Result(deferring: { () throws(FirestoreError) in try DataReader.argument(input) }) }
    }

    // MARK: Cursors at documents

    /// Begins with a document, or at the place where it was when the snapshot was taken.
    ///
    /// - Parameter document: one that exists and has every field of the order.
    public func start(atDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed { $0.start(at: document, before: true) }
    }

    /// Begins after a document: the next page.
    ///
    /// ```swift
    /// let first = try await query.limit(to: 25).getDocuments()
    /// let second = try await query.start(afterDocument: first.documents.last!).limit(to: 25).getDocuments()
    /// ```
    public func start(afterDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed { $0.start(at: document, before: false) }
    }

    /// Ends before a document; see ``start(atDocument:)``.
    public func end(beforeDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed { $0.end(at: document, before: true) }
    }

    /// Ends with a document; see ``start(atDocument:)``.
    public func end(atDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed { $0.end(at: document, before: false) }
    }
}
