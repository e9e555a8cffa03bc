// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine

    /// What aborted transactions read and wrote, by their first attempts, until they succeed.
    ///
    /// Nobody says that a transaction will not be repeated, so they are forgotten some time later, and the oldest beyond a limit of memory
    /// at once. One that is repeated after that has no turn of its own.
    struct AbortedFootprints: Sendable {
        private struct Entry {
            let footprint: Footprint
            let byteCount: Int
            /// When the last attempt was aborted.
            let time: ContinuousClock.Instant
        }

        private var entries: [UInt64: Entry] = [:]
        private(set) var byteCount = 0
        private let limit: Int

        /// For one database.
        static let limit = 32_000_000

        /// - Parameter limit: how many bytes the footprints take, about.
        init(limit: Int) { self.limit = limit }

        subscript(first: UInt64) -> Footprint? { entries[first]?.footprint }

        /// Adds what another attempt read and wrote. One that reads other documents each time has its turn with all that it has come upon.
        mutating func add(_ footprint: Footprint, to first: UInt64, at now: ContinuousClock.Instant) {
            var all = footprint
            if let former = self[first] { all.formUnion(former) }
            remove(first)
            all.widen(beyond: limit / 8)
            let entry = Entry(footprint: all, byteCount: all.byteCount + 100, time: now)
            entries[first] = entry
            byteCount += entry.byteCount
            if byteCount > limit { removeOldest() }
        }

        mutating func remove(_ first: UInt64) {
            byteCount -= entries.removeValue(forKey: first)?.byteCount ?? 0
        }

        /// Forgets those that were aborted before a time.
        mutating func removeAll(before time: ContinuousClock.Instant) {
            for (first, entry) in entries where entry.time < time { remove(first) }
        }

        mutating func removeAll() {
            entries = [:]
            byteCount = 0
        }

        /// Several at once, because they must be sorted for it.
        private mutating func removeOldest() {
            for (first, _) in entries.sorted(by: { $0.value.time < $1.value.time }) {
                guard byteCount > limit / 4 * 3 else { return }
                remove(first)
            }
        }
    }
#endif
