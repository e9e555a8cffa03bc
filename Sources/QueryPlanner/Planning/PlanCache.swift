// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Prepared queries by their keys. A query that differs from an earlier one only in values needs no new index
/// selection.
///
/// A cache belongs to the indexes of one catalog. Create a new cache when they change. It is thread-safe.
package final class PlanCache: Sendable {
    /// More queries than most applications have. A full cache is emptied.
    static let capacity = 1_024
    private static let recentCapacity = 8

    private struct Memory {
        /// The entries used last, as a ring. Comparing a few keys costs less than hashing one.
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

    /// The number of entries.
    package var count: Int { memory.withLock { $0.all.count } }

    func prepared(for query: Query, _ aggregations: [Aggregation]?) -> PreparedQuery? {
        memory.withLock { memory in
            if let recent = memory.recent.first(where: { $0.key.isKey(of: query, aggregations) }) { return recent }
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
