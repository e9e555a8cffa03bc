// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Copies of a store's entries in key order, slice by slice.
///
/// A caller that reads each slice in a transaction of its own holds no old pages for long, and one that changes stores meanwhile
/// is not disturbed by its changes.
struct EntrySlices {
    private let store: StoreName
    private let upper: [UInt8]
    /// The first key of the next slice at the earliest; nil after the last slice.
    private var start: [UInt8]?

    /// A slice ends once it has this many entries or bytes.
    private static let countLimit = 500
    private static let byteLimit = 4 << 20

    /// - Parameter range: of keys; an empty upper bound is none.
    init(_ range: KeyRange, of store: StoreName) {
        self.store = store
        start = range.lower
        upper = range.upper
    }

    /// The next slice, which may be empty; nil at the end.
    mutating func next(_ transaction: inout Transaction) throws(EngineError) -> EntryBuffer? {
        guard let start else { return nil }
        self.start = nil
        var slice = EntryBuffer()
        var cursor = try LongKeyCursor(store, &transaction)
        var isFound = try cursor.seek(start.span.bytes, &transaction)
        while isFound, upper.isEmpty || cursor.key(transaction).compare(to: upper) < 0 {
            if slice.entries.count == EntrySlices.countLimit || slice.size > EntrySlices.byteLimit {
                self.start = [UInt8](copying: cursor.key(transaction))
                break
            }
            slice.append(copying: cursor.key(transaction), cursor.value(transaction))
            isFound = try cursor.next(&transaction)
        }
        cursor.close(&transaction)
        return slice
    }
}
