// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// What production would report and bill for a query (P-13, P-15), computed from a run as production.
package struct ProductionCounters: Sendable, Hashable {
    package let indexEntriesScanned: Int
    package let documentsScanned: Int
    package let readOperations: Int
    package let resultsReturned: Int
    /// The scanned entries that are billed by the thousand.
    package let indexEntriesBillable: Int
    /// 1 if nothing was read, because production bills at least one read.
    package let minimalCost: Int

    package init(_ result: QueryResult) { self.init(result.plan.query, result.counters) }

    init(_ query: NormalizedQuery, _ counters: ExecutionCounters) {
        indexEntriesScanned = counters.entriesScanned
        resultsReturned = counters.rows
        // Production also fetches and bills rows that an offset skips.
        documentsScanned = query.aggregations.isEmpty ? counters.rows + counters.rowsSkipped : 0
        let billed = documentsScanned + ProductionCounters.billedForEntries(indexEntriesScanned, query)
        readOperations = max(1, billed)
        minimalCost = billed == 0 ? 1 : 0
        let isBilled = query.query.nearest == nil && ProductionCounters.billsEntries(query)
        indexEntriesBillable = isBilled ? indexEntriesScanned : 0
    }

    /// Aggregations, and queries with ranges on several fields, are billed by the thousand entries; vector searches by
    /// the hundred.
    private static func billedForEntries(_ entries: Int, _ query: NormalizedQuery) -> Int {
        if query.query.nearest != nil { return (entries + 99) / 100 }
        return billsEntries(query) ? (entries + 999) / 1_000 : 0
    }

    private static func billsEntries(_ query: NormalizedQuery) -> Bool {
        let ranges = Set(query.disjuncts.flatMap(\.filters).compactMap(\.rangePath))
        return !query.aggregations.isEmpty || ranges.count > 1
    }
}

extension Filter {
    /// The field of a range or inequality, or nil.
    fileprivate var rangePath: FieldPath? {
        switch self {
        case .field(let path, .lessThan, _), .field(let path, .lessThanOrEqual, _), .field(let path, .greaterThan, _),
            .field(let path, .greaterThanOrEqual, _), .field(let path, .notEqual, _), .field(let path, .notIn, _),
            .unary(let path, .isNotNull), .unary(let path, .isNotNaN):
            path
        default: nil
        }
    }
}
