// SPDX-License-Identifier: Apache-2.0

#if Connected
    package import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    package import QueryPlanner
    internal import SwiftProtobuf
    package import SyncCore

    extension FirestoreClient {
        /// The documents in the order of `paths`; those that do not exist are `missing`, with the time of the read as their
        /// version.
        ///
        /// - Parameter readTime: a time in the past at which they are read, or nil for now.
        package func documents(
            at paths: [DocumentPath], readTime: Timestamp? = nil
        ) async throws(SyncError) -> [SyncDocument] {
            guard !paths.isEmpty else { return [] }
            var request = ProtoBatchGetDocumentsRequest()
            request.database = database.resourceName
            // The server answers a name once, however often it is asked for.
            if let readTime { request.readTime = readTime.message }
            request.documents = Set(paths).map { $0.name(in: database) }
            let responses: GRPCResponses<ProtoBatchGetDocumentsResponse> =
                try await stream("BatchGetDocuments", request, within: .seconds(300))
            var found: [DocumentPath: SyncDocument] = [:]
            while let response = try await responses.next() {
                guard let document = try document(response) else { continue }
                found[document.path] = document
            }
            var documents: [SyncDocument] = []
            for path in paths {
                guard let document = found[path] else {
                    throw SyncError(.internal, "The server's answer lacks \(path.name(in: database)).")
                }
                documents.append(document)
            }
            return documents
        }

        private func document(_ response: ProtoBatchGetDocumentsResponse) throws(SyncError) -> SyncDocument? {
            try translated { () throws(RequestError) in
                switch response.result {
                case .found(let document): try SyncDocument(document, in: database)
                case .missing(let name):
                    SyncDocument(
                        try DocumentPath(received: name, in: database), .missing,
                        version: try Timestamp(response.readTime))
                case nil: nil
                }
            }
        }

        /// All rows of a query, in its order.
        package func documents(of query: Query) async throws(SyncError) -> [SyncDocument] {
            let rows = try await rows(of: query)
            var documents: [SyncDocument] = []
            while let document = try await rows.next() { documents.append(document) }
            return query.limitToLast ? documents.reversed() : documents
        }

        /// The rows of a query as they come; of a query for its last rows, the last one first.
        ///
        /// - Parameter time: a time in the past at which the query is run, or nil for now.
        package func rows(of query: Query, at time: Timestamp? = nil) async throws(SyncError) -> QueryRows {
            var request = ProtoRunQueryRequest()
            request.parent = query.parentName(in: database)
            request.structuredQuery = try forwards(query).message(in: database)
            if let time { request.readTime = time.message }
            return QueryRows(try await stream("RunQuery", request, within: .seconds(300)), database)
        }

        /// The protocol has no limit to the last rows: it is one to the first rows of the reverse order.
        private func forwards(_ query: Query) throws(SyncError) -> Query {
            guard query.limitToLast else { return query }
            do throws(InvalidQueryError) {
                // The server could not tell that there is no order to reverse.
                _ = try Normalizer.normalize(query, database: database)
            } catch {
                throw SyncError(.invalidArgument, error.message)
            }
            var reversed = query
            // An aggregation of another field is refused behind an order by `__name__` that is sent. What the server adds by itself
            // has the direction of the last order.
            reversed.orders = query.orders.map { Order($0.path, $0.direction.reversed) }
            reversed.limitToLast = false
            (reversed.start, reversed.end) = (query.end?.otherSide, query.start?.otherSide)
            return reversed
        }

        /// One value for each aggregation, in their order.
        package func aggregate(_ query: AggregationQuery) async throws(SyncError) -> [Value] {
            var named = query
            // A name is no part of what is asked for, and the server's own could not be told apart.
            named.aggregations = query.aggregations.enumerated().map {
                Aggregation(alias: Text("aggregate_\($0.offset)"), $0.element.kind)
            }
            var request = ProtoRunAggregationQueryRequest()
            request.parent = query.query.parentName(in: database)
            named.query = try forwards(query.query)
            request.structuredAggregationQuery = named.message(in: database)
            let responses: GRPCResponses<ProtoRunAggregationQueryResponse> =
                try await stream("RunAggregationQuery", request)
            while let response = try await responses.next() {
                guard response.hasResult else { continue }
                let fields = response.result.aggregateFields
                var values: [Value] = []
                for number in query.aggregations.indices {
                    guard let value = fields["aggregate_\(number)"] else {
                        throw SyncError(.internal, "The server's answer lacks an aggregation.")
                    }
                    values.append(try translated { () throws(RequestError) in try Value(value, in: database) })
                }
                return values
            }
            throw SyncError(.internal, "The server's answer lacks a result.")
        }
    }

    /// The rows of a query, read one after another.
    package struct QueryRows: Sendable {
        private let responses: GRPCResponses<ProtoRunQueryResponse>
        private let database: DatabaseID

        init(_ responses: GRPCResponses<ProtoRunQueryResponse>, _ database: DatabaseID) {
            self.responses = responses
            self.database = database
        }

        /// The next row, or nil after the last one. One task reads.
        package func next() async throws(SyncError) -> SyncDocument? {
            while let response = try await responses.next() {
                guard response.hasDocument else { continue }
                return try translated { () throws(RequestError) in
                    try SyncDocument(response.document, in: database)
                }
            }
            return nil
        }
    }

    extension QueryPlanner.Cursor {
        /// The same position where the order runs backwards.
        fileprivate var otherSide: QueryPlanner.Cursor { QueryPlanner.Cursor(values, before: !before) }
    }
#endif
