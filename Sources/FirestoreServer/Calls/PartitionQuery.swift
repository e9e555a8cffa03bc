// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import QueryPlanner

    extension FirestoreService {
        /// PartitionQuery: names that cut a collection group into parts of about the same size, at most one fewer than the parts
        /// asked for. Reads every name of the group.
        func partitionQuery(
            _ query: Query, count: Int, pageSize: Int, pageToken: String, at snapshot: Snapshot
        ) throws(RequestError) -> (cursors: [QueryPlanner.Cursor], nextPageToken: String) {
            guard count > 0 else { throw .invalid("Partition count must be greater than zero.") }
            guard pageSize >= 0 else { throw .invalid("Page size must be nonnegative.") }
            try FirestoreService.checkPartitions(query)
            let names = try self.names(query, at: snapshot)
            var cuts: [DocumentPath] = []
            let parts = min(count, names.count)
            for part in 1..<max(parts, 1) { cuts.append(names[names.count * part / parts]) }
            if let after = try PageToken.name(pageToken, in: snapshot.database.id) {
                cuts = Array(cuts.drop { $0 != after }.dropFirst())
            }
            let page = pageSize == 0 ? cuts : Array(cuts.prefix(pageSize))
            let cursors = page.map { path in
                QueryPlanner.Cursor(
                    [.reference(Reference(database: snapshot.database.id, path: path.resource))], before: true)
            }
            return (cursors, page.count < cuts.count ? PageToken.text(page[page.count - 1]) : "")
        }

        private static func checkPartitions(_ query: Query) throws(RequestError) {
            guard query.parent == nil else { throw .invalid("Ancestor queries are not supported.") }
            guard query.start == nil else { throw .invalid("Query start cursors are not supported.") }
            let orders = query.orders.map(\.path)
            guard query.from.allDescendants, query.filter == nil, orders == [] || orders == [.documentName],
                query.orders.allSatisfy({ $0.direction == .ascending }), query.end == nil,
                query.limit == nil, query.offset == 0
            else {
                throw .invalid(
                    "Partition queries must be collection group queries, ordered by __name__ ascending, without filters, "
                        + "cursors, limits and offsets.")
            }
        }

        private func names(_ query: Query, at snapshot: Snapshot) throws(RequestError) -> [DocumentPath] {
            var namesOnly = query
            namesOnly.projection = []
            var names: [DocumentPath] = []
            for record in try snapshot.run(.documents(namesOnly)).records {
                names.append(try record.name())
            }
            return names
        }
    }

    extension RequestError {
        static let partitionsWithoutQuery = RequestError.invalid("Query is required.")
    }
#endif
