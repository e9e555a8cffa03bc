// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner

/// A question for documents: of a collection or of all collections with one ID, filtered, ordered, limited.
///
/// ```swift
/// let large = database.collection("cities")
///     .whereField("state", isEqualTo: "CA")
///     .order(by: "population", descending: true)
///     .limit(to: 3)
/// for city in try await large.getDocuments().documents { print(city.documentID, city.data()) }
/// ```
///
/// Every method gives a new query and leaves this one as it is. A query runs if and only if production Firestore would run it
/// under the same indexes; each field has its automatic indexes, other queries need an index of
/// ``Database/setIndexConfiguration(_:)``. What is wrong with a query is thrown by the call that runs it.
public class Query: @unchecked Sendable, SynchronousForms {  // Immutable.
    /// What the chain of calls began with.
    private let origin: Origin
    /// A query is put together when it runs: a state of its own for each call of a chain would be copied each time.
    private let last: Change?
    private let depth: Int

    private final class Origin: Sendable {
        let database: Database
        let state: Result<QueryState, FirestoreError>

        init(_ database: Database, _ state: Result<QueryState, FirestoreError>) {
            self.database = database
            self.state = state
        }
    }

    /// One call of a chain, and the query on which it was made.
    private typealias Change = (base: Query, make: (inout QueryState) -> Void)

    /// More changes than a chain has: a loop that goes on and on from its last query shall not make one without end.
    private static let maximumDepth = 16

    init(_ database: Database, _ state: Result<QueryState, FirestoreError>) {
        origin = Origin(database, state)
        last = nil
        depth = 0
    }

    private init(_ base: Query, _ change: @escaping (inout QueryState) -> Void) {
        origin = base.origin
        last = (base, change)
        depth = base.depth + 1
    }

    /// The database that the query came from.
    public var firestore: Database { origin.database }

    /// - Parameter change: uses nothing that may change before the query runs.
    func changed(_ change: @escaping (inout QueryState) -> Void) -> Query {
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
        guard let last else { return }
        last.base.makeChanges(to: &state)
        last.make(&state)
    }

    /// The query for the engine.
    func planned() throws(FirestoreError) -> QueryPlanner.Query { try state().planned(in: firestore) }
}

extension Query: Equatable {
    /// Whether both ask one database object the same; filters and orders in the same order.
    public static func == (lhs: Query, rhs: Query) -> Bool {
        guard lhs.firestore === rhs.firestore else { return false }
        guard let left = try? lhs.text(), let right = try? rhs.text() else { return lhs === rhs }
        return left == right
    }

    private func text() throws(FirestoreError) -> [UInt8] {
        var writer = JSONWriter()
        QueryJSON.write(.documents(try planned()), to: &writer, database: try firestore.identity())
        return writer.bytes
    }
}

extension Database {
    /// All collections with an ID, at any depth, as one: `landmarks` for those of every city. Needs indexes with the scope
    /// `COLLECTION_GROUP` for all but the plainest queries.
    ///
    /// - Parameter collectionID: no path; an empty ID, or one with a slash, is refused by the calls that run the query.
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
