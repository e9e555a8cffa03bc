// SPDX-License-Identifier: Apache-2.0

package import LMDB

/// A store whose keys may have any length, though LMDB's have at most 511 bytes.
///
/// A key of fewer than ``cut`` bytes is an LMDB key as it is. The first ``cut`` bytes of a longer one, its *head*, are an LMDB
/// key whose value is either one remaining part with its value (a lone rest), or the number of a *run*: the remaining parts are
/// then ordinary keys of the continuations store, after the run's number, and so on. Keys keep their order, and a million keys
/// with one beginning are a million ordinary keys.
///
/// The keys of a store must not be prefixes of one another, or a key of exactly ``cut`` bytes would be mistaken for a head.
package struct KeyedStore: Sendable {
    package let store: Store
    package let continuations: Store

    static let cut = 490

    /// The value under a key; nil if there is none.
    @_lifetime(borrow cursors)
    package func get(_ cursors: borrowing CursorSet, _ key: RawSpan) throws(EngineError) -> RawSpan? {
        if key.byteCount < KeyedStore.cut { return try cursors.lookUp(store, key) }
        var level = store
        var rest = [UInt8](copying: key)
        while rest.count >= KeyedStore.cut {
            let headKey = Array(rest[..<KeyedStore.cut])
            guard let head = try cursors.lookUp(level, headKey.span.bytes) else { return nil }
            switch try LongKeyHead(head) {
            case .lone(let restRange):
                guard head.extracting(restRange).isEqual(to: rest[KeyedStore.cut...]) else { return nil }
                return head.extracting(restRange.upperBound..<head.byteCount)
            case .run(let number):
                rest = OrderedInteger.bytes(number) + rest[KeyedStore.cut...]
                level = continuations
            }
        }
        return try cursors.lookUp(level, rest.span.bytes)
    }
}

extension KeyedStore {
    /// Looks all keys of a batch up; ``value(_:of:_:)`` then has what was found.
    func find(_ batch: inout LookupBatch, _ cursors: borrowing CursorSet) {
        cursors.find(&batch, in: store)
    }

    /// The value under a key of a batch, exactly as ``get(_:_:)`` has it.
    @_lifetime(borrow cursors)
    func value(
        _ index: Int, of batch: borrowing LookupBatch, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> RawSpan? {
        let range = batch.range(index)
        guard range.count < KeyedStore.cut else { return try get(cursors, batch.keys.span.bytes.extracting(range)) }
        do { return try cursors.value(index, of: batch, in: store) } catch { throw .storage(error) }
    }
}

/// What stands under the head of long keys.
enum LongKeyHead {
    /// One long key: the place of its rest within the head's value; its value follows.
    case lone(rest: Range<Int>)
    case run(UInt64)

    private static let loneTag: UInt8 = 0
    private static let runTag: UInt8 = 1

    init(_ value: RawSpan) throws(EngineError) {
        guard value.byteCount > 1 else { throw .damaged("the head of a long key is empty") }
        var offset = 1
        let number = try OrderedInteger.read(value, &offset)
        if value.byte(at: 0) == LongKeyHead.runTag {
            self = .run(number)
        } else {
            guard number <= UInt64(value.byteCount - offset) else { throw .damaged("a long key ends too early") }
            self = .lone(rest: offset..<offset + Int(number))
        }
    }

    static func loneValue(rest: ArraySlice<UInt8>, value: [UInt8]) -> [UInt8] {
        var bytes = [loneTag]
        OrderedInteger.append(UInt64(rest.count), to: &bytes)
        return bytes + rest + value
    }

    static func runValue(_ number: UInt64) -> [UInt8] {
        [runTag] + OrderedInteger.bytes(number)
    }
}
