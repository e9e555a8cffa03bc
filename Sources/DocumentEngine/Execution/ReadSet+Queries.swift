// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

extension ReadSet {
    /// A query was answered with this result, at the read set's time.
    package mutating func add(_ result: QueryResult) {
        let query = result.plan.query
        let aggregates = !query.aggregations.isEmpty
        let onlyCounts = aggregates && query.limit == nil && query.aggregations.allSatisfy { $0.kind.path == nil }
        add(
            ReadQuery(
                matcher: DocumentMatcher(query), reach: aggregates ? nil : ReadSet.reach(of: result),
                counts: onlyCounts))
    }

    /// Rows that were projected or ranked by distance do not have all the fields of their sort keys.
    private static func reach(of result: QueryResult) -> [UInt8]? {
        let query = result.plan.query
        guard result.isCut || result.records.count == query.limit,
            query.query.projection == nil, query.query.nearest == nil,
            let last = query.reversesRows ? result.records.first : result.records.last
        else { return nil }
        guard let document = try? last.document() else { return nil }
        return query.sortKey(of: document)
    }
}
