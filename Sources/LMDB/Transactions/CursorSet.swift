// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The handle of a cursor in a ``CursorSet``. The handle of a closed cursor may be reused.
package struct CursorID: Hashable, Sendable {
    let slot: Int
}

/// The cursors of one transaction, over any of its stores, addressed by handles.
///
/// Entries are in ascending order of their keys' bytes. A cursor is at an entry, before the first or past the last. A move that
/// finds no entry returns `false` and leaves the cursor before the first or past the last, from where the opposite move finds
/// the first or last entry. The last entry before a key is `seek` and then `previous`.
///
/// A span from ``key(_:)`` or ``value(_:)`` points into the database and is valid until the next mutating call on the set. Spans
/// of several cursors can be held at once. Using a closed cursor, or reading the entry of a cursor that is at none, is a
/// programmer error.
@safe
package struct CursorSet: ~Copyable, ~Escapable {
    // Not retained: whoever entered the frame keeps it alive until it is left, and the transaction ends before that.
    private let owner: Unmanaged<AccessFrame>
    let kind: AccessFrame.Kind
    let transaction: OpaquePointer
    var storage: CursorStorage
    /// Whether this module reads the pages; else LMDB does.
    let readsPages: Bool
    /// The number of changes made through this set. An entry read before the last change is read again before it is returned.
    var changes = 0

    @unsafe @_lifetime(immortal)
    init(_ transaction: OpaquePointer, owner: Unmanaged<AccessFrame>, storage: CursorStorage?) {
        unsafe self.owner = unsafe owner
        kind = unsafe owner._withUnsafeGuaranteedRef { $0.kind }
        unsafe self.transaction = transaction
        unsafe self.storage = storage ?? CursorStorage(capacity: 8)
        readsPages =
            unsafe kind == .read
            && owner._withUnsafeGuaranteedRef { owner in
                unsafe unsafeDowncast(owner, to: Reader.self).readsPages
            }
    }

    deinit {
        // A write transaction frees its cursors at its end, so they must be closed before. A reader keeps them for reuse.
        guard kind == .read, unsafe storage.count <= 256 else {
            unsafe storage.free()
            if kind == .write { writer.changes += changes }
            return
        }
        for index in unsafe 0..<storage.count { unsafe storage.slots[index].position = .closed }
        let storage = unsafe storage
        unsafe withReader { unsafe $0.giveBack(storage) }
    }

    /// The number of the last transaction in the state that is read; in a write transaction, its own number.
    package var transactionID: Int { unsafe mdb_txn_id(transaction) }

    /// Whether the transaction is a read.
    package var isReading: Bool { kind == .read }

    /// The number of cursors that are open, or closed and kept for reuse.
    package var cursorCount: Int { unsafe storage.count }

    /// Opens an unplaced cursor: `next` finds the first entry, `previous` the last.
    package mutating func open(_ store: Store) throws(LMDBError) -> CursorID {
        if let index = unsafe storage.closedSlot(on: store.dbi) {
            if kind == .read, let cursor = unsafe storage.slots[index].cursor {
                let code = unsafe mdb_cursor_renew(transaction, cursor)
                guard code == 0 else { throw LMDBError(code, .openCursor) }
            }
            unsafe storage.slots[index].isWorn = kind == .write
            unsafe storage.slots[index].position = .unplaced
            return CursorID(slot: index)
        }
        // A write opens LMDB's cursor at the first move: most of its cursors only change entries, for which LMDB needs none.
        let isWriting = kind == .write
        let cursor = unsafe readsPages || isWriting ? nil : try openCursor(store)
        unsafe storage.append(
            .init(cursor: cursor, dbi: store.dbi, position: .unplaced, readAt: 0, isWorn: isWriting))
        return unsafe CursorID(slot: storage.count - 1)
    }

    /// Closes the cursor. Its handle must not be used any more.
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

    /// Moves to the next entry; `false` past the end.
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

    /// Moves to the previous entry; `false` before the start.
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

    /// Whether the cursor is at an entry, so that ``key(_:)`` and ``value(_:)`` may be called.
    package func isAtEntry(_ id: CursorID) -> Bool {
        checkOpen(id)
        let position = unsafe storage.slots[id.slot].position
        return position == .atEntry || position == .remembered
    }

    /// The key of the cursor's entry.
    @_lifetime(borrow self)
    package borrowing func key(_ id: CursorID) -> RawSpan {
        checkAtEntry(id)
        return unsafe _overrideLifetime(RawSpan(storage.values[2 * id.slot]), borrowing: self)
    }

    /// The value of the cursor's entry.
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

    /// Whether ``get(_:_:)`` does not wait for the disk, as far as that can be told. Only for a read transaction.
    package borrowing func isInMemory(_ key: RawSpan, of store: Store) throws(LMDBError) -> Bool {
        require(kind == .read, "Whether a key is in memory is asked in read transactions only.")
        return unsafe try reader.isInMemory(key, of: store)
    }
}

extension CursorSet {
    /// A store's tree, where this module reads the pages; else nil.
    @unsafe @inline(__always)
    borrowing func tree(of store: Store) throws(LMDBError) -> Tree? {
        guard kind == .read else { return nil }
        let tree = unsafe withReader { reader in
            unsafe Result { () throws(LMDBError) in unsafe try reader.tree(of: store) }
        }
        return unsafe try tree.get()
    }

    /// Runs `body` with the frame of a read transaction, without counting a reference.
    @unsafe @inline(__always)
    borrowing func withReader<R>(_ body: (Reader) -> R) -> R {
        unsafe owner._withUnsafeGuaranteedRef { unsafe body(unsafeDowncast($0, to: Reader.self)) }
    }

    /// The frame of a read transaction.
    @unsafe
    var reader: Reader { unsafe unsafeDowncast(owner.takeUnretainedValue(), to: Reader.self) }

    /// The frame of a write transaction.
    var writer: Writer { unsafe unsafeDowncast(owner.takeUnretainedValue(), to: Writer.self) }

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
}
