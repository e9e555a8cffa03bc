// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Runs `body` over one unchanging state of the database: the last one committed when it begins.
    ///
    /// Reads run concurrently with each other and with the writer, and wait only while the map grows. A read inside a read may see
    /// a later state. `body` must not wait for a thread that begins a transaction: if the map had to grow meanwhile, it would
    /// deadlock.
    ///
    /// - Throws: `readersFull` if more than ``Options/maximumReaders`` are open; `sharedProcessID`; what `body` throws. In `body`,
    ///   every operation throws `corrupted` where it meets a damaged page.
    package func read<R: ~Copyable, E: LMDBErrorConvertible>(
        _ body: (borrowing ReadTransaction) throws(E) -> R
    ) throws(E) -> R {
        let reader: Unmanaged<Reader>
        do throws(LMDBError) { unsafe reader = try beginRead() } catch { throw E(error) }
        defer { unsafe endRead(reader) }
        return try body(unsafe ReadTransaction(reader))
    }

    /// As ``read(_:)``, if that can begin without waiting for the disk or for another thread's work; otherwise nil.
    ///
    /// ``CursorSet/isInMemory(_:of:)`` tells whether a lookup in it can be made without waiting, too.
    package func readAtOnce<R, E: LMDBErrorConvertible>(
        _ body: (borrowing ReadTransaction) throws(E) -> R?
    ) throws(E) -> R? {
        requireSameProcess()
        guard let reader = unsafe gate.enterReadAtOnce() else { return nil }
        guard unsafe reader._withUnsafeGuaranteedRef({ $0.beginsAtOnce }) else {
            unsafe gate.leaveRead(reader)
            return nil
        }
        guard unsafe begin(reader) == 0 else {
            unsafe reader.release()
            unsafe gate.leaveRead(nil)
            return nil
        }
        defer { unsafe endRead(reader) }
        return try body(unsafe ReadTransaction(reader))
    }

    // Readers pass from the gate to a read and back as owned pointers: each reference counted on the way would cost as much as a
    // step of a lookup.

    @unsafe
    private func beginRead() throws(LMDBError) -> Unmanaged<Reader> {
        requireSameProcess()
        let nesting = AccessFrame.nesting(in: identifier)
        let isNested = nesting.read || nesting.write
        var mayClearReaders = true
        while true {
            let idle: Unmanaged<Reader>?
            do {
                unsafe idle = try gate.enterRead(isNested: isNested)
            } catch {
                throw failure(error.rawValue, .beginRead)
            }
            let code: Int32
            if let reader = unsafe idle {
                code = unsafe begin(reader)
                if code == 0 { return unsafe reader }
                unsafe reader.release()
            } else {
                let made = unsafe makeReader()
                if let reader = unsafe made.reader { return unsafe reader }
                code = unsafe made.code
            }
            unsafe gate.leaveRead(nil)
            switch code {
            case MDB_MAP_RESIZED where !isNested: try adoptMapSize()
            case MDB_READERS_FULL where mayClearReaders:
                mayClearReaders = false
                _ = clearStaleReaders()
            // LMDB locks the byte of the process's ID in the lock file.
            case EAGAIN: throw failure(LMDBErrorCode.sharedProcessID.rawValue, .beginRead)
            default: throw failure(code, .beginRead)
            }
        }
    }

    /// Begins the transaction of an idle reader.
    @unsafe @inline(__always)
    private func begin(_ reader: Unmanaged<Reader>) -> Int32 {
        unsafe reader._withUnsafeGuaranteedRef { reader in
            var code = unsafe mdb_txn_renew(reader.transaction)
            if code == 0 { code = reader.begin() }
            if code == 0 { reader.enter() }
            return code
        }
    }

    /// A reader whose transaction has begun, or LMDB's code. Without a free slot it is another thread's idle one.
    @unsafe @inline(never)
    private func makeReader() -> (reader: Unmanaged<Reader>?, code: Int32) {
        var transaction: OpaquePointer?
        var code = unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
        if code == MDB_READERS_FULL, let idle = unsafe gate.takeIdleReader() {
            code = unsafe begin(idle)
            if code == 0 { return unsafe (idle, code) }
            unsafe idle.release()
        }
        guard code == 0, let transaction = unsafe transaction else { return (nil, code) }
        let reader = unsafe Reader(transaction, of: identifier, pageAccess)
        code = reader.begin()
        guard code == 0 else { return (nil, code) }
        reader.enter()
        return unsafe (Unmanaged.passRetained(reader), code)
    }

    @unsafe
    private func endRead(_ reader: Unmanaged<Reader>) {
        unsafe reader._withUnsafeGuaranteedRef { reader in
            reader.leave()
            unsafe mdb_txn_reset(reader.transaction)
        }
        unsafe gate.leaveRead(reader)
    }
}
