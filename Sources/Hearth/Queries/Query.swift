// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner

/// A query for the documents of a collection, or of all collections with one ID: filtered, ordered, limited.
///
/// ```swift
/// let large = database.collection("cities")
///     .whereField("state", isEqualTo: "CA")
///     .order(by: "population", descending: true)
///     .limit(to: 3)
/// for city in try await large.getDocuments().documents { print(city.documentID, city.data()) }
/// ```
///
/// Every method returns a new query and leaves this one unchanged. A query runs if and only if production Firestore
/// would run it with the same indexes. Each field has automatic indexes; other queries need an index of
/// ``Database/setIndexConfiguration(_:)``. The call that runs a query throws the errors in it.
public class Query: @unchecked Sendable, BlockingAPIProviding {  // Immutable.
    /// What the chain of calls started with.
    let origin: Origin
    /// The query before the last call of the chain, and what that call changed: a query is put together when it runs. A state for
    /// each call would be copied each time.
    private let base: Query?
    private let change: Change?
    private let depth: Int

    final class Origin: DatabaseOrigin, @unchecked Sendable {  // Immutable.
        fileprivate let state: Result<QueryState, FirestoreError>

        fileprivate init(_ database: Database, _ state: Result<QueryState, FirestoreError>) {
            self.state = state
            super.init(database)
        }
    }

    /// What one call of a chain changes. The commonest changes need no closure, which would be an object of its own.
    enum Change {
        case filter(Filter)
        case order(FieldPath, descending: Bool)
        case limit(Int, last: Bool)
        /// Must not use anything that may change before the query runs.
        case other((inout QueryState) -> Void)

        func make(in state: inout QueryState) {
            switch self {
            case .filter(let filter): state.add(filter)
            case .order(let path, let descending): state.order(by: path, descending: descending)
            case .limit(let count, let last): state.limit(to: count, last: last)
            case .other(let change): change(&state)
            }
        }
    }

    /// More changes than a chain has. A loop that keeps extending its last query must not build an endless chain.
    private static let maximumDepth = 16

    init(_ database: Database, _ state: Result<QueryState, FirestoreError>) {
        origin = Origin(database, state)
        base = nil
        change = nil
        depth = 0
    }

    private init(_ base: Query, _ change: Change) {
        origin = base.origin
        self.base = base
        self.change = change
        depth = base.depth + 1
    }

    /// The database of the query.
    public final var firestore: Database { origin.database }

    func changed(_ change: Change) -> Query {
        let query = Query(self, change)
        guard query.depth == Query.maximumDepth else { return query }
        return Query(firestore, Result(deferring: { () throws(FirestoreError) in try query.state() }))
    }

    func state() throws(FirestoreError) -> QueryState {
        var state = try origin.state.get()
        makeChanges(to: &state)
        return state
    }

    private func makeChanges(to state: inout QueryState) {
        base?.makeChanges(to: &state)
        change?.make(in: &state)
    }

    /// The state, with the query for the engine.
    func resolved() throws(FirestoreError) -> QueryState {
        var state = try state()
        try state.resolve(in: firestore)
        return state
    }

    /// The query for the engine.
    func planned() throws(FirestoreError) -> QueryPlanner.Query { try resolved().query }
}

extension Query: Hashable {
    /// Whether both are the same query of the same database object, with filters and orders in the same order.
    public static func == (lhs: Query, rhs: Query) -> Bool {
        guard lhs.firestore === rhs.firestore else { return false }
        guard let left = try? lhs.text(), let right = try? rhs.text() else { return lhs === rhs }
        return left == right
    }

    /// Hashes the query.
    public final func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(firestore))
        hasher.combine(try? text())
    }

    private func text() throws(FirestoreError) -> [UInt8] {
        var writer = JSONWriter()
        QueryJSON.write(.documents(try planned()), to: &writer, database: try firestore.identity())
        return writer.bytes
    }
}

extension Database {
    /// Returns a query over all collections with an ID, at any depth: `landmarks` for the landmarks of all cities. All
    /// but the simplest of these queries need indexes with the scope `COLLECTION_GROUP`.
    ///
    /// - Parameter collectionID: an ID, not a path. Calls that run the query refuse an empty ID, and one with a slash.
    public func collectionGroup(_ collectionID: String) -> Query {
        Query(
            self,
            Result(deferring: { () throws(FirestoreError) in
                guard !collectionID.isEmpty else { throw .invalidArgument("Collection ID cannot be empty.") }
                guard !collectionID.utf8.contains(UInt8(ascii: "/")) else {
                    throw .invalidArgument(
                        "Invalid collection ID (\(collectionID)). Collection IDs must not contain / in them.")
                }
                return QueryState(collectionGroup: Text(collectionID))
            }))
    }
}
