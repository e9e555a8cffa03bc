// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Remembers prepared queries, so that a query that differs from an earlier one in values only is not matched against the indexes again.
///
/// A cache belongs to one state of one catalog: after a change of indexes, begin a new one. It may be used from any thread.
package final class PlanCache: Sendable {
    /// More queries than most applications have. When more come, all are forgotten.
    static let capacity = 1_024
    private static let recentCapacity = 8

    private struct Memory {
        /// The ones that were found or added last, in a ring: comparing a few keys costs less than hashing one.
        var recent: [PreparedQuery] = []
        var oldest = 0
        var all: [PlanKey: PreparedQuery] = [:]

        mutating func noteRecent(_ prepared: PreparedQuery) {
            guard recent.count == PlanCache.recentCapacity else { return recent.append(prepared) }
            recent[oldest] = prepared
            oldest = (oldest + 1) % PlanCache.recentCapacity
        }
    }

    private let memory = Mutex(Memory())

    package init() {}

    /// How many queries are remembered.
    package var count: Int { memory.withLock { $0.all.count } }

    func prepared(for query: Query, _ aggregations: [Aggregation]?) -> PreparedQuery? {
        memory.withLock { memory in
            for prepared in memory.recent where prepared.key.isKey(of: query, aggregations) { return prepared }
            guard !memory.all.isEmpty, let found = memory.all[PlanKey(query, aggregations)] else { return nil }
            memory.noteRecent(found)
            return found
        }
    }

    func insert(_ prepared: PreparedQuery) {
        memory.withLock { memory in
            if memory.all.count >= PlanCache.capacity { memory = Memory() }
            memory.all[prepared.key] = prepared
            memory.noteRecent(prepared)
        }
    }
}
