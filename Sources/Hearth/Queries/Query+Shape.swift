// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Query {
    // MARK: Orders

    /// Orders by a field, ascending, after the orders given before. Documents without the field are left out.
    public func order(by field: String) -> Query { order(by: field, descending: false) }

    /// Orders by a field path, ascending, after the orders given before. Documents without the field are left out.
    public func order(by path: FieldPath) -> Query { order(by: path, descending: false) }

    /// Orders by a field, after the orders given before. Documents without the field are left out.
    public func order(by field: String, descending: Bool) -> Query {
        order(by: FieldPath(dotted: field), descending: descending)
    }

    /// Orders by a field path, after the orders given before. Documents without the field are left out.
    public func order(by path: FieldPath, descending: Bool) -> Query {
        changed(.order(path, descending: descending))
    }

    // MARK: Limits

    /// Limits the result to this many documents, from the start of the order. The last limit wins.
    public func limit(to limit: Int) -> Query {
        changed(.limit(limit, last: false))
    }

    /// Limits the result to this many documents, from the end of the order, which must be given. They keep that order.
    public func limit(toLast limit: Int) -> Query {
        changed(.limit(limit, last: true))
    }

    // MARK: Cursors at values

    /// Starts with the rows that have these values, or where they would be.
    ///
    /// The values belong to the orders given, from the first; fewer are allowed. Orders must precede cursors. The last
    /// starting point wins.
    public func start(at fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed(.other { $0.start(at: values, before: true) })
    }

    /// Starts after the rows that have these values; see ``start(at:)``.
    public func start(after fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed(.other { $0.start(at: values, before: false) })
    }

    /// Ends before the rows that have these values; see ``start(at:)``.
    public func end(before fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed(.other { $0.end(at: values, before: true) })
    }

    /// Ends with the rows that have these values; see ``start(at:)``.
    public func end(at fieldValues: [Any]) -> Query {
        let values = Query.arguments(fieldValues)
        return changed(.other { $0.end(at: values, before: false) })
    }

    private static func arguments(_ inputs: [Any]) -> [Result<Value, FirestoreError>] {
        inputs.map { input in Result(deferring: { () throws(FirestoreError) in try DataReader.argument(input) }) }
    }

    // MARK: Cursors at documents

    /// Starts with a document, or where it was when the snapshot was taken.
    ///
    /// - Parameter document: a document that exists and has every field of the order.
    public func start(atDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed(.other { $0.start(at: document, before: true) })
    }

    /// Starts after a document, for example to read the next page.
    ///
    /// ```swift
    /// let first = try await query.limit(to: 25).getDocuments()
    /// let second = try await query.start(afterDocument: first.documents.last!).limit(to: 25).getDocuments()
    /// ```
    public func start(afterDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed(.other { $0.start(at: document, before: false) })
    }

    /// Ends before a document; see ``start(atDocument:)``.
    public func end(beforeDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed(.other { $0.end(at: document, before: true) })
    }

    /// Ends with a document; see ``start(atDocument:)``.
    public func end(atDocument document: DocumentSnapshot) -> Query {
        let document = document.document
        return changed(.other { $0.end(at: document, before: false) })
    }
}
