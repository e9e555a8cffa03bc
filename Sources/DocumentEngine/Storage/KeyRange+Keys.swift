// SPDX-License-Identifier: Apache-2.0

internal import LMDB
internal import QueryPlanner

extension KeyRange {
    /// All keys that begin with an ID.
    init(id: UInt64) {
        self.init(lower: OrderedInteger.bytes(id), upper: OrderedInteger.bytes(id + 1))
    }

    func contains(_ key: RawSpan) -> Bool {
        // Compares the bounds in place. Copying them would retain and release an array for every key.
        key.compare(to: lower) >= 0 && (upper.isEmpty || key.compare(to: upper) < 0)
    }
}
