// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

/// What a listener listens to: a query, or a document as a query that finds one row at most.
struct LiveSource: Sendable {
    /// Which changes can concern it.
    enum Interest: Sendable {
        case document(DocumentPath)
        /// Documents of the collection that fulfil one of the demands.
        case collection(CollectionPath, [ListenerRequirement])
        case group(Text, [ListenerRequirement])
    }

    let firestore: Database
    let interest: Interest
    let limit: Int?
    /// Whether the order of execution is the reverse of the query's.
    let isReversed: Bool
    /// A document's place among the rows, in the order of execution; nil if it is none of them. Only for documents within the
    /// interest's path.
    let sortKey: @Sendable (Document) -> [UInt8]?
    /// Finds the rows, in the query's order, and the number of the last commit that was seen.
    let run: @Sendable (Engine) throws(QueryError) -> (documents: [Document], transactionID: Int)
}

extension Query {
    func liveSource(_ engine: Engine) throws(FirestoreError) -> LiveSource {
        let planned = try planned()
        guard planned.nearest == nil else {
            throw .invalidArgument("A vector search cannot be listened to. Run it with getDocuments().")
        }
        let normalized: NormalizedQuery
        do throws(InvalidQueryError) {
            normalized = try Normalizer.normalize(planned, database: engine.database)
        } catch {
            throw FirestoreError(.invalidArgument, error.message)
        }
        return LiveSource(normalized, in: firestore) { (engine) throws(QueryError) in try engine.run(planned) }
    }
}

extension LiveSource {
    init(
        _ query: NormalizedQuery, in firestore: Database,
        run: @escaping @Sendable (Engine) throws(QueryError) -> QueryResult
    ) {
        let matcher = DocumentMatcher(query)
        self.init(
            firestore: firestore, interest: Interest(query), limit: query.limit, isReversed: query.reversesRows,
            sortKey: { matcher.sortKey(of: $0) },
            run: { (engine) throws(QueryError) in
                let result = try run(engine)
                return (try result.documents, result.transactionID)
            })
    }
}

extension LiveSource.Interest {
    fileprivate init(_ query: NormalizedQuery) {
        switch query.scope {
        case .collection(let path): self = .collection(path, query.listenerRequirements)
        case .collectionGroup(let id, _): self = .group(id, query.listenerRequirements)
        case .children, .descendants: preconditionFailure("queries of the library name a collection")
        }
    }
}

extension DocumentReference {
    func liveSource() throws(FirestoreError) -> LiveSource {
        let path = try own()
        return LiveSource(
            firestore: firestore, interest: .document(path), limit: nil, isReversed: false, sortKey: { _ in [] },
            run: { (engine) throws(QueryError) in
                do throws(EngineError) {
                    let (document, transactionID) = try engine.documentAndState(path)
                    return (document.map { [$0] } ?? [], transactionID)
                } catch {
                    throw .engine(error)
                }
            })
    }
}
