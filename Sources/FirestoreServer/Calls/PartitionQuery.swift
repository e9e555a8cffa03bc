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
            let names = try sample(of: query, at: snapshot)
            var cuts = names.cuts(into: count)
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

        /// The group's names in order, read page by page: neither the documents nor the names are ever together in memory.
        private func sample(of query: Query, at snapshot: Snapshot) throws(RequestError) -> NameSample {
            var all = query
            all.projection = nil
            var pages = QueryPages(all)
            var sample = NameSample()
            while let page = try pages.next(at: snapshot) {
                for record in page.records { sample.add(try record.name()) }
            }
            return sample
        }
    }

    /// Some of many names at equal distances: all of them up to a number, then every second, every fourth, and so on.
    struct NameSample {
        private(set) var names: [DocumentPath] = []
        /// How many names there are for each that is kept.
        private var distance = 1
        private var count = 0
        private let limit: Int

        /// - Parameter limit: how many are kept at most; even.
        init(limit: Int = 1 << 16) {
            self.limit = limit
        }

        mutating func add(_ name: DocumentPath) {
            defer { count += 1 }
            guard count.isMultiple(of: distance) else { return }
            if names.count == limit {
                names = stride(from: 0, to: limit, by: 2).map { names[$0] }
                distance *= 2
            }
            names.append(name)
        }

        /// The first names of all parts but the first, of at most `parts` parts of about the same size.
        func cuts(into parts: Int) -> [DocumentPath] {
            let parts = min(parts, names.count)
            return (1..<max(parts, 1)).map { names[names.count * $0 / parts] }
        }
    }

    extension RequestError {
        static let partitionsWithoutQuery = RequestError.invalid("Query is required.")
    }
#endif
