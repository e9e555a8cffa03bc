// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import SyncCore

/// The parts of a query, before anything is implied or checked.
///
/// Filters on `__name__`, cursors, and whatever depends on the query as a whole are resolved when it runs, so that the
/// order of the calls that built it does not matter.
struct QueryState: Sendable {
    /// Where a query starts or ends.
    enum Bound: Sendable {
        case values([Value], before: Bool)
        /// The position of a document.
        case document(Document?, before: Bool)
    }

    /// Without filters and cursors, until ``resolve(in:)``.
    private(set) var query: QueryPlanner.Query
    /// All must hold.
    private(set) var filters: [Filter] = []
    private(set) var start: Bound?
    private(set) var end: Bound?
    /// The first error of a call.
    private var error: FirestoreError?

    init(collection path: CollectionPath) {
        query = QueryPlanner.Query(parent: path.parent, from: CollectionSelector(collectionID: path.group))
    }

    init(collectionGroup id: Text) {
        query = QueryPlanner.Query(from: CollectionSelector(collectionID: id, allDescendants: true))
    }

    /// A query that is already resolved, to which more can be added.
    init(_ planned: QueryPlanner.Query) {
        query = planned
    }

    /// The collection that is queried; nil for a collection group.
    var collection: CollectionPath? {
        guard !query.from.allDescendants, let id = query.from.collectionID else { return nil }
        return CollectionPath((query.parent?.resource ?? .root).appending(id))
    }

    /// The collection's path or the collection group's ID, for messages.
    var path: String { collection?.description ?? query.from.collectionID?.string ?? "" }

    mutating func add(_ filter: Filter) {
        filters.append(filter)
    }

    mutating func order(by field: FieldPath, descending: Bool) {
        attempt { (state) throws(FirestoreError) in
            guard state.start == nil else {
                throw .invalidArgument(
                    "Invalid query. You must not specify a starting point before specifying the order by.")
            }
            guard state.end == nil else {
                throw .invalidArgument(
                    "Invalid query. You must not specify an ending point before specifying the order by.")
            }
            state.query.orders.append(Order(try field.valid(), descending ? .descending : .ascending))
        }
    }

    mutating func limit(to count: Int, last: Bool) {
        attempt { (state) throws(FirestoreError) in
            guard count > 0 else {
                throw .invalidArgument(
                    "Invalid Query. Query limit (\(count)) is invalid. Limit must be positive.")
            }
            state.query.limit = count
            state.query.limitToLast = last
        }
    }

    mutating func findNearest(_ field: FieldPath, _ search: (DocumentModel.FieldPath) -> FindNearest) {
        attempt { (state) throws(FirestoreError) in state.query.nearest = search(try field.valid()) }
    }

    mutating func use(index text: String) {
        attempt { (state) throws(FirestoreError) in
            do throws(IndexHintError) {
                state.query.hint = try IndexHint(text)
            } catch {
                throw .invalidArgument(error.message)
            }
        }
    }

    /// The last call wins.
    mutating func start(at document: Document?, before: Bool) { start = .document(document, before: before) }
    mutating func end(at document: Document?, before: Bool) { end = .document(document, before: before) }

    mutating func start(at values: [Result<Value, FirestoreError>], before: Bool) {
        attempt { (state) throws(FirestoreError) in
            state.start = .values(try state.cursorValues(values), before: before)
        }
    }

    mutating func end(at values: [Result<Value, FirestoreError>], before: Bool) {
        attempt { (state) throws(FirestoreError) in
            state.end = .values(try state.cursorValues(values), before: before)
        }
    }

    private mutating func attempt(_ change: (inout QueryState) throws(FirestoreError) -> Void) {
        do throws(FirestoreError) { try change(&self) } catch { self.error = self.error ?? error }
    }

    /// Only explicit orders have values.
    private func cursorValues(_ inputs: [Result<Value, FirestoreError>]) throws(FirestoreError) -> [Value] {
        guard inputs.count <= query.orders.count else {
            throw .invalidArgument(
                "Invalid query. You are trying to start or end a query using more values than were specified in the "
                    + "order by.")
        }
        var values: [Value] = []
        for input in inputs { values.append(try input.get()) }
        return values
    }
}

// MARK: - Resolving

extension QueryState {
    /// Moves filters and cursors into the query, resolved by what depends on it as a whole.
    mutating func resolve(in database: Database) throws(FirestoreError) {
        if let error { throw error }
        if query.limitToLast, query.orders.isEmpty {
            throw .invalidArgument("limit(toLast:) queries require specifying at least one OrderBy() clause.")
        }
        try checkConflicts()
        switch filters.count {
        case 0: break
        case 1: query.filter = query.filter.and(try filters[0].resolved(in: self, database))
        default: query.filter = query.filter.and(.and(try Filter.resolved(filters, in: self, database)))
        }
        defer { (filters, start, end) = ([], nil, nil) }
        guard start != nil || end != nil else { return }
        let names = NameOperands(collection: collection, database: database)
        if [start, end].contains(where: { $0?.isDocument ?? false }) {
            query.orders = try completeOrders(of: query, in: database)
        }
        if let start { query.start = try cursor(start, query.orders, names) }
        if let end { query.end = try cursor(end, query.orders, names) }
    }

    /// Includes the implied orders, in the direction of reading.
    private func completeOrders(
        of query: QueryPlanner.Query, in database: Database
    ) throws(FirestoreError) -> [Order] {
        var forwards = query
        forwards.limitToLast = false
        let identity = try database.identity()
        do throws(InvalidQueryError) {
            return try Normalizer.normalize(forwards, database: identity).orders
        } catch {
            throw FirestoreError(.invalidArgument, error.message)
        }
    }

    private func cursor(
        _ bound: Bound, _ orders: [Order], _ names: NameOperands
    ) throws(FirestoreError) -> Cursor {
        switch bound {
        case .values(let values, let before):
            var resolved: [Value] = []
            for (order, value) in zip(orders, values) {
                resolved.append(order.path.isDocumentName ? try names.cursorReference(value) : value)
            }
            return Cursor(resolved, before: before)
        case .document(let document, let before):
            guard let document else {
                throw .invalidArgument(
                    "Invalid query. You are trying to start or end a query using a document that doesn't exist.")
            }
            var values: [Value] = []
            for order in orders { values.append(try QueryState.value(of: order, document, names)) }
            return Cursor(values, before: before)
        }
    }

    private static func value(
        of order: Order, _ document: Document, _ names: NameOperands
    ) throws(FirestoreError) -> Value {
        if order.path.isDocumentName { return try names.reference(to: document.path) }
        guard let value = document.fields[order.path] else {
            throw .invalidArgument(
                "Invalid query. You are trying to start or end a query using a document for which the field "
                    + "'\(order.path)' (used as the order by) does not exist.")
        }
        guard PendingTimestamp.writeTime(of: value) == nil else {
            throw .invalidArgument(
                "Invalid query. You are trying to start or end a query using a document for which the field "
                    + "'\(order.path)' is an uncommitted server timestamp. (Since the value of this field is unknown, you "
                    + "cannot start/end a query with it.)")
        }
        return value
    }

    /// Refuses filters that exclude each other, in the order in which they were added.
    private func checkConflicts() throws(FirestoreError) {
        guard filters.contains(where: \.mayConflict) else { return }
        var earlier: [FieldOperator] = []
        for op in filters.flatMap(\.operators) {
            if let conflict = Filter.conflicts(of: op).first(where: { earlier.contains($0) }) {
                throw .invalidArgument(
                    conflict == op
                        ? "Invalid Query. You cannot use more than one '\(op.clientName)' filter."
                        : "Invalid Query. You cannot use '\(op.clientName)' filters with '\(conflict.clientName)' filters."
                )
            }
            earlier.append(op)
        }
    }
}

extension QueryPlanner.Filter? {
    fileprivate func and(_ other: QueryPlanner.Filter) -> QueryPlanner.Filter {
        map { .and([$0, other]) } ?? other
    }
}

extension QueryState.Bound {
    fileprivate var isDocument: Bool {
        if case .document = self { true } else { false }
    }
}
