// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// The handle of one cursor in a ``CursorSet``. A closed cursor's handle may come back for another cursor.
package struct CursorID: Hashable, Sendable {
    let slot: Int
}

/// Any number of cursors over one transaction's stores, addressed by handles.
///
/// Entries come in ascending order of their keys' bytes. A cursor is either at an entry, before the first or
/// past the last; the moves that find no entry answer `false` and leave it before or past, from where the
/// opposite move finds the first or the last entry. So the last entry before a key is `seek` and then `previous`.
///
/// A span from ``key(_:)`` or ``value(_:)`` points into the database and is valid until the next call that
/// changes the set; spans of several cursors can be held at once. Using a closed cursor, or reading the entry
/// of a cursor that is at none, is a programmer error.
@safe
package struct CursorSet: ~Copyable, ~Escapable {
    let owner: AccessFrame
    let transaction: OpaquePointer
    var storage: CursorStorage
    /// Whether this module reads the pages; else LMDB does.
    let readsPages: Bool
    /// Changes made through this set; an entry read before the last change is read again before it is shown.
    var changes = 0

    @unsafe @_lifetime(immortal)
    init(_ transaction: OpaquePointer, owner: AccessFrame, storage: CursorStorage?) {
        self.owner = owner
        unsafe self.transaction = transaction
        unsafe self.storage = storage ?? CursorStorage(capacity: 8)
        readsPages = unsafe owner.kind == .read && unsafeDowncast(owner, to: Reader.self).readsPages
    }

    deinit {
        // A write transaction frees its cursors at its end, so they must be gone before; a read transaction's are kept.
        guard owner.kind == .read, unsafe storage.count <= 256 else {
            unsafe storage.free()
            if owner.kind == .write { writer.changes += changes }
            return
        }
        for index in unsafe 0..<storage.count { unsafe storage.slots[index].position = .closed }
        unsafe unsafeDowncast(owner, to: Reader.self).giveBack(storage)
    }

    /// Number of the last transaction in the state that is read; of the write transaction itself.
    package var transactionID: Int { unsafe mdb_txn_id(transaction) }

    /// Whether the transaction is a read.
    package var isReading: Bool { owner.kind == .read }

    /// How many cursors are open, or closed and kept for others to use again.
    package var cursorCount: Int { unsafe storage.count }

    /// Opens a cursor that is not yet placed: `next` finds the first entry, `previous` the last.
    package mutating func open(_ store: Store) throws(LMDBError) -> CursorID {
        if let index = unsafe storage.closedSlot(on: store.dbi) {
            if owner.kind == .read, let cursor = unsafe storage.slots[index].cursor {
                let code = unsafe mdb_cursor_renew(transaction, cursor)
                guard code == 0 else { throw LMDBError(code, .openCursor) }
            }
            unsafe storage.slots[index].isWorn = owner.kind == .write
            unsafe storage.slots[index].position = .unplaced
            return CursorID(slot: index)
        }
        let cursor = unsafe readsPages ? nil : try openCursor(store)
        unsafe storage.append(.init(cursor: cursor, dbi: store.dbi, position: .unplaced, readAt: 0))
        return unsafe CursorID(slot: storage.count - 1)
    }

    /// Closes the cursor; its handle must not be used again.
    package mutating func close(_ id: CursorID) {
        checkOpen(id)
        unsafe storage.slots[id.slot].position = .closed
    }

    /// Moves to the first entry whose key is not below `key`, which may be of any length; `false` past the end.
    package mutating func seek(_ id: CursorID, _ key: borrowing RawSpan) throws(LMDBError) -> Bool {
        guard key.byteCount > 0 else { return try first(id) }
        checkOpen(id)
        if readsPages {
            if unsafe seekWithinLeaf(id, key) { return true }
            return unsafe try seekInTree(id, key)
        }
        unsafe storage.values[2 * id.slot] = lmdbValue(key)
        return try move(id, MDB_SET_RANGE, otherwise: .pastEnd)
    }

    package mutating func first(_ id: CursorID) throws(LMDBError) -> Bool {
        checkOpen(id)
        if readsPages { return try moveToEnd(id, isFirst: true) }
        return try move(id, MDB_FIRST, otherwise: .pastEnd)
    }

    package mutating func last(_ id: CursorID) throws(LMDBError) -> Bool {
        checkOpen(id)
        if readsPages { return try moveToEnd(id, isFirst: false) }
        return try move(id, MDB_LAST, otherwise: .beforeStart)
    }

    /// Moves to the following entry; `false` past the end.
    package mutating func next(_ id: CursorID) throws(LMDBError) -> Bool {
        checkOpen(id)
        if readsPages {
            if unsafe stepWithinLeaf(id, by: 1) { return true }
            return try stepInTree(id, isNext: true)
        }
        let isKnown = unsafe storage.slots[id.slot].readAt == changes
        switch unsafe storage.slots[id.slot].position {
        case .deleted where !isKnown: return try move(id, MDB_SET_RANGE, otherwise: .pastEnd)
        case .remembered:
            try findAgain(id)
            return try move(id, MDB_NEXT, otherwise: .pastEnd)
        case .atEntry, .deleted: return try move(id, MDB_NEXT, otherwise: .pastEnd)
        case .unplaced, .beforeStart: return try move(id, MDB_FIRST, otherwise: .pastEnd)
        case .pastEnd, .closed: return false
        }
    }

    /// Moves to the preceding entry; `false` before the start.
    package mutating func previous(_ id: CursorID) throws(LMDBError) -> Bool {
        checkOpen(id)
        if readsPages {
            if unsafe stepWithinLeaf(id, by: -1) { return true }
            return try stepInTree(id, isNext: false)
        }
        switch unsafe storage.slots[id.slot].position {
        case .deleted:
            let isBehind = try move(id, MDB_SET_RANGE, otherwise: .pastEnd)
            return try move(id, isBehind ? MDB_PREV : MDB_LAST, otherwise: .beforeStart)
        case .remembered:
            try findAgain(id)
            return try move(id, MDB_PREV, otherwise: .beforeStart)
        case .atEntry: return try move(id, MDB_PREV, otherwise: .beforeStart)
        case .unplaced, .pastEnd: return try move(id, MDB_LAST, otherwise: .beforeStart)
        case .beforeStart, .closed: return false
        }
    }

    /// Whether the cursor is at an entry, so that ``key(_:)`` and ``value(_:)`` may be asked for.
    package func isAtEntry(_ id: CursorID) -> Bool {
        checkOpen(id)
        let position = unsafe storage.slots[id.slot].position
        return position == .atEntry || position == .remembered
    }

    /// The key of the entry that the cursor is at.
    @_lifetime(borrow self)
    package borrowing func key(_ id: CursorID) -> RawSpan {
        checkAtEntry(id)
        return unsafe _overrideLifetime(RawSpan(storage.values[2 * id.slot]), borrowing: self)
    }

    /// The value of the entry that the cursor is at.
    @_lifetime(borrow self)
    package borrowing func value(_ id: CursorID) -> RawSpan {
        checkAtEntry(id)
        return unsafe _overrideLifetime(RawSpan(storage.values[2 * id.slot + 1]), borrowing: self)
    }

    /// The value stored under `key`, without a cursor; `nil` if there is none.
    @_lifetime(borrow self)
    package borrowing func get(_ store: Store, _ key: borrowing RawSpan) throws(LMDBError) -> RawSpan? {
        guard let value = unsafe try lookUp(transaction, tree(of: store), store, key) else { return nil }
        return unsafe _overrideLifetime(RawSpan(value), borrowing: self)
    }
}

extension CursorSet {
    /// A store's tree, where this module reads the pages; else nil.
    @unsafe @inline(__always)
    borrowing func tree(of store: Store) throws(LMDBError) -> Tree? {
        guard owner.kind == .read else { return nil }
        return unsafe try unsafeDowncast(owner, to: Reader.self).tree(of: store)
    }

    @inline(__always)
    borrowing func checkOpen(_ id: CursorID) {
        let isOpen = unsafe id.slot < storage.count && storage.slots[id.slot].position != .closed
        require(isOpen, "A cursor was used after it was closed, or in a set it was not opened in.")
    }

    @inline(__always)
    borrowing func checkAtEntry(_ id: CursorID) {
        checkOpen(id)
        if unsafe storage.slots[id.slot].readAt != changes { readAgain(id) }
        let position = unsafe storage.slots[id.slot].position
        require(
            position == .atEntry || position == .remembered,
            "The key or value of a cursor was read that is at no entry.")
    }

    @inline(__always) @_lifetime(self: copy self)
    private mutating func move(
        _ id: CursorID, _ operation: MDB_cursor_op, otherwise: CursorStorage.Position
    ) throws(LMDBError) -> Bool {
        let slot = unsafe storage.slots + id.slot
        let values = unsafe storage.values + 2 * id.slot
        let isStep = operation == MDB_NEXT || operation == MDB_PREV
        if unsafe !isStep && slot.pointee.isWorn { try reopen(id) }
        let code = unsafe mdb_cursor_get(slot.pointee.cursor, values, values + 1, operation)
        guard code == 0 else {
            guard code == MDB_NOTFOUND else { throw LMDBError(code, .moveCursor) }
            unsafe slot.pointee.position = otherwise
            return false
        }
        unsafe slot.pointee.position = .atEntry
        unsafe slot.pointee.readAt = changes
        return true
    }

    /// Brings the slot's values up to date after a change through the set.
    @inline(never)
    private borrowing func readAgain(_ id: CursorID) {
        switch unsafe storage.slots[id.slot].position {
        case .remembered: readByKey(id)
        case .atEntry:
            // Only other stores changed, so the entry is the same, but its page may have been moved or freed.
            find(id, MDB_GET_CURRENT)
        default: break
        }
    }

    /// Reads the entry by its key after a change of its store, without a cursor: opening one can fail, and the key and the
    /// value of an entry can always be asked for.
    private borrowing func readByKey(_ id: CursorID) {
        let values = unsafe storage.values + 2 * id.slot
        checkFound(unsafe mdb_get(transaction, storage.slots[id.slot].dbi, values, values + 1))
        unsafe storage.slots[id.slot].readAt = changes
    }

    /// Places the cursor at its entry again after a change of its store.
    borrowing func findAgain(_ id: CursorID) throws(LMDBError) {
        try reopen(id)
        find(id, MDB_SET_KEY)
        unsafe storage.slots[id.slot].position = .atEntry
    }

    private borrowing func reopen(_ id: CursorID) throws(LMDBError) {
        let slot = unsafe storage.slots + id.slot
        let cursor = unsafe try openCursor(Store(dbi: slot.pointee.dbi))
        unsafe slot.pointee.cursor.map { unsafe mdb_cursor_close($0) }
        unsafe slot.pointee.cursor = cursor
        unsafe slot.pointee.isWorn = false
    }

    private borrowing func find(_ id: CursorID, _ operation: MDB_cursor_op) {
        let values = unsafe storage.values + 2 * id.slot
        checkFound(unsafe mdb_cursor_get(storage.slots[id.slot].cursor, values, values + 1, operation))
        unsafe storage.slots[id.slot].readAt = changes
    }

    private borrowing func checkFound(_ code: Int32) {
        require(code == 0, "The entry under a cursor was lost, which is a defect of this library or of LMDB.")
    }

    @unsafe
    borrowing func openCursor(_ store: Store) throws(LMDBError) -> OpaquePointer {
        var cursor: OpaquePointer?
        let code = unsafe mdb_cursor_open(transaction, store.dbi, &cursor)
        guard code == 0, let cursor = unsafe cursor else { throw LMDBError(code, .openCursor) }
        return unsafe cursor
    }
}

extension RawSpan {
    /// A view of LMDB's memory; the caller binds its lifetime.
    @unsafe @inline(__always) @_lifetime(immortal)
    init(_ value: MDB_val) {
        let bytes = unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
        let span = unsafe RawSpan(_unsafeBytes: bytes)
        self = unsafe _overrideLifetime(span, copying: ())
    }
}

/// The value stored under the key; separate from the functions that build spans because it owns locals.
///
/// - Parameter tree: nil where LMDB reads the pages.
@unsafe @inline(never)
func lookUp(
    _ transaction: OpaquePointer, _ tree: Tree?, _ store: Store, _ key: borrowing RawSpan
) throws(LMDBError) -> MDB_val? {
    guard key.byteCount > 0, let start = unsafe address(of: key) else { return nil }
    if let tree = unsafe tree {
        switch unsafe tree.find(SoughtKey(start, count: key.byteCount)) {
        case .value(let value): return unsafe value
        case .absent: return nil
        case .damaged: throw LMDBError(MDB_CORRUPTED, .get)
        }
    }
    var key = unsafe lmdbValue(key)
    var value = unsafe MDB_val()
    let code = unsafe mdb_get(transaction, store.dbi, &key, &value)
    switch code {
    case 0: return unsafe value
    case MDB_NOTFOUND: return nil
    default: throw LMDBError(code, .get)
    }
}
