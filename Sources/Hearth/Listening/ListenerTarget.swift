// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

/// What a listener listens to: a query, or a document, which is treated as a query with at most one row.
struct ListenerTarget: Sendable {
    let firestore: Database
    let database: DatabaseID
    let interest: ListenerInterest
    let limit: Int?
    /// Whether the order of execution is the reverse of the query's.
    let isReversed: Bool
    /// What decides whether the user may listen to a query; nil for a document, on whose state that depends.
    var basis: DecisionBasis?
    /// A document's position among the rows, in the order of execution; nil if it is not a row. Only for documents
    /// within the interest's path.
    let sortKey: @Sendable (Document) -> [UInt8]?
    /// Returns the rows, in the query's order, and the number of the last commit that the read saw. Asks the security rules.
    let run: @Sendable (Engine) throws(QueryError) -> (records: [DocumentRecord], transactionID: Int)
}

extension ListenerTarget {
    /// Whether security rules decide who listens.
    var isGuarded: Bool { firestore.user != nil }

    /// Whether they decide again on each state, which may hide it. Then each state is read anew.
    var isJudgedByState: Bool { isGuarded && (basis?.mayChange ?? true) }
}

extension Query {
    func listenerTarget(_ engine: Engine) throws(FirestoreError) -> ListenerTarget {
        let planned = try planned()
        guard planned.nearest == nil else { throw .vectorSearchHasNoListener }
        let normalized: NormalizedQuery
        do throws(InvalidQueryError) {
            normalized = try Normalizer.normalize(planned, database: engine.database)
        } catch {
            throw FirestoreError(.invalidArgument, error.message)
        }
        let basis = DecisionBasis()
        let check = try firestore.check(list: planned, noting: basis)
        return ListenerTarget(normalized, in: firestore, engine.database, basis) { (engine) throws(QueryError) in
            try engine.run(planned, if: check)
        }
    }
}

extension ListenerTarget {
    init(
        _ query: NormalizedQuery, in firestore: Database, _ database: DatabaseID, _ basis: DecisionBasis? = nil,
        run: @escaping @Sendable (Engine) throws(QueryError) -> QueryResult
    ) {
        let matcher = DocumentMatcher(query)
        self.init(
            firestore: firestore, database: database, interest: ListenerInterest(query), limit: query.limit,
            isReversed: query.reversesRows, basis: basis,
            sortKey: { matcher.sortKey(of: $0) },
            run: { (engine) throws(QueryError) in
                let result = try run(engine)
                return (result.records, result.transactionID)
            })
    }
}

extension DocumentReference {
    func listenerTarget() throws(FirestoreError) -> ListenerTarget {
        let path = try own()
        let check = firestore.check(get: path)
        return ListenerTarget(
            firestore: firestore, database: try firestore.identity(), interest: .documents([path]), limit: nil,
            isReversed: false, sortKey: { _ in [] },
            run: { (engine) throws(QueryError) in
                do throws(EngineError) {
                    let (record, transactionID) = try engine.recordAndState(path, if: check)
                    return (record.map { [$0] } ?? [], transactionID)
                } catch {
                    throw .engine(error)
                }
            })
    }
}
