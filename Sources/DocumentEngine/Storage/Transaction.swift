// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// A read or write transaction.
///
/// It is valid inside the closure of ``Storage/read(_:)`` or ``Storage/write(_:)``. The engine reads and writes only
/// through it, and it turns LMDB's errors into the engine's. Returned bytes point into the map and are valid until the
/// transaction's next change.
struct Transaction: ~Copyable, ~Escapable {
    private var cursors: CursorSet
    let stores: Stores

    @_lifetime(copy cursors)
    init(_ cursors: consuming CursorSet, _ stores: Stores) {
        self.stores = stores
        self.cursors = cursors
    }

    /// LMDB's transaction number: in a read, of the last commit that it sees; in a write, of its own commit.
    var id: Int { cursors.transactionID }

    /// Whether this is a read transaction.
    var isReading: Bool { cursors.isReading }

    /// The number of LMDB cursors, open ones and closed ones kept for reuse.
    var cursorCount: Int { cursors.cursorCount }
}

// MARK: - Keys of any length

extension Transaction {
    /// The value under a key, or nil.
    @_lifetime(borrow self)
    borrowing func get(_ key: RawSpan, from name: StoreName) throws(EngineError) -> RawSpan? {
        if key.byteCount < LongKey.prefixLength { return try get(key, from: stores[name]) }
        var level = stores[name]
        var rest = [UInt8](copying: key)
        while rest.count >= LongKey.prefixLength {
            let prefix = Array(rest[..<LongKey.prefixLength])
            guard let entry = try get(prefix.span.bytes, from: level) else { return nil }
            switch try PrefixEntry(entry) {
            case .inline(let suffix):
                guard entry.extracting(suffix).isEqual(to: rest[LongKey.prefixLength...]) else { return nil }
                return entry.extracting(suffix.upperBound..<entry.byteCount)
            case .chain(let chainID):
                rest = OrderedInteger.bytes(chainID) + rest[LongKey.prefixLength...]
                level = stores.overflow
            }
        }
        return try get(rest.span.bytes, from: level)
    }

    /// Puts one entry. To put many, use a ``LongKeyWriter``.
    mutating func put(_ key: [UInt8], _ value: [UInt8], into name: StoreName) throws(EngineError) {
        let writer = try LongKeyWriter(name, &self)
        try writer.put(key, value, &self)
        writer.close(&self)
    }

    /// Removes a key. Returns false if it does not exist.
    @discardableResult
    mutating func delete(_ key: [UInt8], from name: StoreName) throws(EngineError) -> Bool {
        let writer = try LongKeyWriter(name, &self)
        let wasThere = try writer.delete(key, &self)
        writer.close(&self)
        return wasThere
    }

    /// Copies of the first entries whose keys begin with `prefix`, in key order. They stay valid when the store
    /// changes.
    mutating func scan(
        prefix: [UInt8], of name: StoreName, limit: Int = .max
    ) throws(EngineError) -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        var cursor = try LongKeyCursor(name, &self)
        var isFound = try cursor.seek(prefix.span.bytes, &self)
        while isFound, entries.count < limit, startsWith(cursor.key(self), prefix.span.bytes) {
            entries.append(([UInt8](copying: cursor.key(self)), [UInt8](copying: cursor.value(self))))
            isFound = try cursor.next(&self)
        }
        cursor.close(&self)
        return entries
    }
}

// MARK: - Entries of one LMDB store

extension Transaction {
    /// The value under a key of at most 511 bytes, or nil.
    @_lifetime(borrow self)
    borrowing func get(_ key: RawSpan, from store: Store) throws(EngineError) -> RawSpan? {
        do { return try cursors.get(store, key) } catch { throw .storage(error) }
    }

    /// Whether looking up a key does not wait for the disk. False for long keys, which may take several lookups.
    borrowing func isInMemory(_ key: RawSpan, in name: StoreName) throws(EngineError) -> Bool {
        guard key.byteCount < LongKey.prefixLength else { return false }
        do { return try cursors.isInMemory(key, of: stores[name]) } catch { throw .storage(error) }
    }

    /// Opens a cursor. It has no position yet.
    mutating func open(_ store: Store) throws(EngineError) -> CursorID {
        do { return try cursors.open(store) } catch { throw .storage(error) }
    }

    mutating func close(_ id: CursorID) { cursors.close(id) }

    /// Moves to the first entry at or after a key. Returns false at the end.
    mutating func seek(_ id: CursorID, _ key: RawSpan) throws(EngineError) -> Bool {
        do { return try cursors.seek(id, key) } catch { throw .storage(error) }
    }

    /// Moves several cursors of one store, as ``seek(_:_:)`` moves one.
    mutating func seek(_ targets: [(cursor: CursorID, key: [UInt8])]) throws(EngineError) {
        do { try cursors.seek(targets) } catch { throw .storage(error) }
    }

    mutating func last(_ id: CursorID) throws(EngineError) -> Bool {
        do { return try cursors.last(id) } catch { throw .storage(error) }
    }

    mutating func next(_ id: CursorID) throws(EngineError) -> Bool {
        do { return try cursors.next(id) } catch { throw .storage(error) }
    }

    mutating func previous(_ id: CursorID) throws(EngineError) -> Bool {
        do { return try cursors.previous(id) } catch { throw .storage(error) }
    }

    @_lifetime(borrow self)
    borrowing func key(_ id: CursorID) -> RawSpan { cursors.key(id) }

    @_lifetime(borrow self)
    borrowing func value(_ id: CursorID) -> RawSpan { cursors.value(id) }

    /// Skips following entries whose keys are short and below `bound`, and returns their number.
    mutating func advance(_ id: CursorID, below bound: RawSpan, atMost limit: Int) throws(EngineError) -> Int {
        do {
            return try cursors.advance(id, below: bound, shorterThan: LongKey.prefixLength, atMost: limit)
        } catch {
            throw .storage(error)
        }
    }

    /// The current entry and nearby entries with short keys that follow it, up to `bound`. ``step(_:over:backwards:)``
    /// moves the cursor past them.
    @_lifetime(borrow self)
    borrowing func span(from id: CursorID, to bound: RawSpan, atMost limit: Int, backwards: Bool) -> EntrySpan {
        cursors.span(from: id, to: bound, shorterThan: LongKey.prefixLength, atMost: limit, backwards: backwards)
    }

    /// Moves past `count` entries of a ``span(from:to:atMost:backwards:)``.
    mutating func step(_ id: CursorID, over count: Int, backwards: Bool) {
        cursors.step(id, over: count, backwards: backwards)
    }

    /// Moves the cursors of a join on to entries with the same rest.
    mutating func meet(_ join: EntryJoin) throws(EngineError) -> EntryJoin.Outcome {
        do { return try cursors.meet(join) } catch { throw .storage(error) }
    }

    /// Whether a cursor is at an entry.
    func isAtEntry(_ id: CursorID) -> Bool { cursors.isAtEntry(id) }

    mutating func put(_ id: CursorID, _ key: RawSpan, _ value: RawSpan) throws(EngineError) {
        do { try cursors.put(id, key: key, value: value) } catch { throw .storage(error) }
    }

    mutating func put(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(EngineError) {
        do { try cursors.put(id, count, in: bytes, entry: entry) } catch { throw .storage(error) }
    }

    /// Appends an entry to the store. Returns false if its key is not the greatest.
    mutating func append(_ id: CursorID, _ key: RawSpan, _ value: RawSpan) throws(EngineError) -> Bool {
        do { return try cursors.append(id, key: key, value: value) } catch { throw .storage(error) }
    }

    mutating func append(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(EngineError) -> Int {
        do { return try cursors.append(id, count, in: bytes, entry: entry) } catch { throw .storage(error) }
    }

    mutating func delete(_ id: CursorID) throws(EngineError) {
        do { try cursors.delete(id) } catch { throw .storage(error) }
    }

    /// Removes the entry with exactly this key. Returns false if there is none.
    mutating func delete(_ key: RawSpan, at id: CursorID) throws(EngineError) -> Bool {
        do { return try cursors.delete(id, key: key) } catch { throw .storage(error) }
    }

    /// Throws if a scan of the whole store cannot have seen all its entries.
    borrowing func checkAllEntries(of store: Store) throws(EngineError) {
        do { try cursors.checkEntries(of: store) } catch { throw .storage(error) }
    }

    /// Deletes every entry of a store on which no cursor is open.
    mutating func empty(_ store: Store) throws(EngineError) {
        do { try cursors.empty(store) } catch { throw .storage(error) }
    }

    /// Throws if a scan of all keys of a store has met another number of keys than LMDB counts. It reads no page of
    /// entries. Nothing is compared where long keys have chains, whose keys LMDB counts elsewhere. Only for reads.
    borrowing func check(count: Int, of name: StoreName) throws(EngineError) {
        let stored: Int
        do throws(LMDBError) {
            guard try cursors.entryCount(of: stores.overflow) == 0 else { return }
            stored = try cursors.entryCount(of: stores[name])
        } catch {
            throw .storage(error)
        }
        guard count == stored else {
            throw .damaged("of \(stored) entries of the store of \(name), \(count) were found")
        }
    }

    /// Places the pages that this transaction changes beside each other in the file.
    mutating func placePages() throws(EngineError) {
        do { try cursors.placePages() } catch { throw .storage(error) }
    }
}

// MARK: - Batches

extension Transaction {
    /// Looks up all keys of a batch. ``value(_:of:in:)`` returns the values.
    borrowing func find(_ batch: inout LookupBatch, in name: StoreName) {
        cursors.find(&batch, in: stores[name])
    }

    /// The bytes of all values that a batch has found.
    borrowing func valueByteCount(of batch: borrowing LookupBatch, in name: StoreName) throws(EngineError) -> Int {
        if let known = batch.valueByteCount { return known }
        // Long keys are not looked up together.
        var bytes = 0
        for index in 0..<batch.count { bytes += try value(index, of: batch, in: name)?.byteCount ?? 0 }
        return bytes
    }

    /// The value under a key of a batch, as ``get(_:from:)`` would return it.
    @_lifetime(borrow self)
    borrowing func value(
        _ index: Int, of batch: borrowing LookupBatch, in name: StoreName
    ) throws(EngineError) -> RawSpan? {
        let key = batch.key(index)
        guard key.byteCount < LongKey.prefixLength else { return try get(key, from: name) }
        do { return try cursors.value(index, of: batch, in: stores[name]) } catch { throw .storage(error) }
    }
}
