// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The heap storage of a cursor set: one slot and two of LMDB's values for each cursor.
///
/// The values are here and not in local variables, because a local whose address is passed to C is boxed on the heap in any
/// function that also builds a span: two allocations an entry.
@unsafe
struct CursorStorage {
    enum Position: UInt8 {
        /// Closed. In a read transaction the slot is kept for the next cursor on the same store.
        case closed
        /// Open and not yet placed: `next` finds the first entry and `previous` the last.
        case unplaced
        case atEntry
        /// At an entry whose store has changed since; the slot's key is a copy to find it again by.
        case remembered
        /// The entry was deleted; the slot's key is a copy of its key.
        case deleted
        case beforeStart
        case pastEnd
    }

    @unsafe
    struct Slot {
        /// LMDB's; nil where this module reads the pages, and in a write before the first move.
        var cursor: OpaquePointer?
        let dbi: UInt32
        var position: Position
        /// The set's count of changes when LMDB's cursor and the slot's values were last valid.
        var readAt: Int
        /// LMDB's cursor is not open yet, or the store has changed since, so that the cursor may only step on from a valid position.
        ///
        /// LMDB moves cursors along with a change but keeps their flag of being at the end, and then `MDB_LAST` and
        /// `MDB_NEXT` go wrong (0.9.24). A new cursor has no such flag.
        var isWorn = false
        /// Where this module reads the pages: the leaf of the entry, the entry's index there, and the path to the leaf.
        var leaf: TreePage? = nil
        var index = 0
        var path: Tree.Path? = nil
        /// Room for the copy of a key, made when first needed.
        var keyCopy: UnsafeMutablePointer<UInt8>? = nil
    }

    private(set) var slots: UnsafeMutablePointer<Slot>
    /// Key and value of slot `i` at `2 * i` and `2 * i + 1`.
    private(set) var values: UnsafeMutablePointer<MDB_val>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        unsafe self.capacity = capacity
        unsafe slots = .allocate(capacity: capacity)
        unsafe values = .allocate(capacity: 2 * capacity)
    }

    mutating func append(_ slot: Slot) {
        if unsafe count == capacity { unsafe grow() }
        unsafe (slots + count).initialize(to: slot)
        unsafe (values + 2 * count).initialize(repeating: MDB_val(), count: 2)
        unsafe count += 1
    }

    /// A closed slot that holds a cursor on the store.
    func closedSlot(on dbi: UInt32) -> Int? {
        for index in unsafe 0..<count where unsafe slots[index].position == .closed {
            if unsafe slots[index].dbi == dbi { return index }
        }
        return nil
    }

    private mutating func grow() {
        let oldSlots = unsafe slots
        let oldValues = unsafe values
        unsafe capacity *= 2
        unsafe slots = .allocate(capacity: capacity)
        unsafe values = .allocate(capacity: 2 * capacity)
        unsafe slots.moveInitialize(from: oldSlots, count: count)
        unsafe values.moveInitialize(from: oldValues, count: 2 * count)
        unsafe oldSlots.deallocate()
        unsafe oldValues.deallocate()
    }

    /// Copies the key of the slot's entry, whose values are current, so that it outlives a change of the store.
    func keepKey(_ index: Int, as position: Position) {
        let copy = unsafe slots[index].keyCopy ?? .allocate(capacity: 512)
        let key = unsafe values[2 * index]
        unsafe UnsafeMutableRawPointer(copy).copyMemory(from: key.mv_data, byteCount: key.mv_size)
        unsafe values[2 * index].mv_data = UnsafeMutableRawPointer(copy)
        unsafe slots[index].keyCopy = copy
        unsafe slots[index].position = position
    }

    /// Closes every cursor and frees the memory; in a write transaction this comes before its end.
    func free() {
        for index in unsafe 0..<count {
            unsafe slots[index].cursor.map { unsafe mdb_cursor_close($0) }
            unsafe slots[index].path?.deallocate()
            unsafe slots[index].keyCopy?.deallocate()
        }
        unsafe slots.deallocate()
        unsafe values.deallocate()
    }
}
