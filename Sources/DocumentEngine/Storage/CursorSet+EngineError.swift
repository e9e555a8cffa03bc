// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// The cursor operations that the keyspace is built from, throwing the engine's error.
extension CursorSet {
    mutating func openCursor(_ store: Store) throws(EngineError) -> CursorID {
        do { return try open(store) } catch { throw .storage(error) }
    }

    mutating func seekEntry(_ id: CursorID, _ key: RawSpan) throws(EngineError) -> Bool {
        do { return try seek(id, key) } catch { throw .storage(error) }
    }

    mutating func lastEntry(_ id: CursorID) throws(EngineError) -> Bool {
        do { return try last(id) } catch { throw .storage(error) }
    }

    mutating func nextEntry(_ id: CursorID) throws(EngineError) -> Bool {
        do { return try next(id) } catch { throw .storage(error) }
    }

    mutating func advanceEntries(
        _ id: CursorID, below bound: RawSpan, atMost limit: Int
    ) throws(EngineError) -> Int {
        do {
            return try advance(id, below: bound, shorterThan: KeyedStore.cut, atMost: limit)
        } catch {
            throw .storage(error)
        }
    }

    mutating func previousEntry(_ id: CursorID) throws(EngineError) -> Bool {
        do { return try previous(id) } catch { throw .storage(error) }
    }

    mutating func placeCommitPages() throws(EngineError) {
        do { try placePages() } catch { throw .storage(error) }
    }

    mutating func putEntry(
        _ id: CursorID, _ key: RawSpan, _ value: RawSpan
    ) throws(EngineError) {
        do { try put(id, key: key, value: value) } catch { throw .storage(error) }
    }

    mutating func putEntries(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(EngineError) {
        do { try put(id, count, in: bytes, entry: entry) } catch { throw .storage(error) }
    }

    mutating func appendEntry(_ id: CursorID, _ key: RawSpan, _ value: RawSpan) throws(EngineError) -> Bool {
        do { return try append(id, key: key, value: value) } catch { throw .storage(error) }
    }

    mutating func appendEntries(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(EngineError) -> Int {
        do { return try append(id, count, in: bytes, entry: entry) } catch { throw .storage(error) }
    }

    mutating func deleteEntry(_ id: CursorID) throws(EngineError) {
        do { try delete(id) } catch { throw .storage(error) }
    }

    /// That a scan of the whole store can have seen all entries.
    borrowing func checkAllEntries(of store: Store) throws(EngineError) {
        do { try checkEntries(of: store) } catch { throw .storage(error) }
    }

    @_lifetime(borrow self)
    borrowing func lookUp(_ store: Store, _ key: RawSpan) throws(EngineError) -> RawSpan? {
        do { return try get(store, key) } catch { throw .storage(error) }
    }
}
