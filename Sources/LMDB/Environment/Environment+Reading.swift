// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Runs `body` over one unchanging state of the database: the last one committed when it begins.
    ///
    /// Reads run concurrently with each other and with the writer, and wait only while the map grows. A read inside a read may see
    /// a later state. `body` must not wait for a thread that begins a transaction: if the map had to grow meanwhile, it would
    /// deadlock.
    ///
    /// - Throws: `readersFull` if more than ``Options/maximumReaders`` are open; what `body` throws. In `body`, every operation
    ///   throws `corrupted` where it meets a damaged page.
    package func read<R: ~Copyable, E: LMDBErrorConvertible>(
        _ body: (borrowing ReadTransaction) throws(E) -> R
    ) throws(E) -> R {
        let reader = try converting(E.self, beginRead)
        defer { endRead(reader) }
        return try body(ReadTransaction(reader))
    }

    /// As ``read(_:)``, if that can begin without waiting for the disk or for another thread's work; otherwise nil.
    ///
    /// ``CursorSet/isInMemory(_:of:)`` tells whether a lookup in it can be made without waiting, too.
    package func readAtOnce<R, E: LMDBErrorConvertible>(
        _ body: (borrowing ReadTransaction) throws(E) -> R?
    ) throws(E) -> R? {
        requireSameProcess()
        guard let idle = gate.enterReadAtOnce() else { return nil }
        guard idle.beginsAtOnce else {
            gate.leaveRead(idle)
            return nil
        }
        guard let reader = start(idle).1 else {
            gate.leaveRead(nil)
            return nil
        }
        reader.enter()
        defer { endRead(reader) }
        return try body(ReadTransaction(reader))
    }

    private func beginRead() throws(LMDBError) -> Reader {
        requireSameProcess()
        let nesting = AccessFrame.nesting(in: identifier)
        let isNested = nesting.read || nesting.write
        var mayClearReaders = true
        while true {
            let idle: Reader?
            do {
                idle = try gate.enterRead(isNested: isNested)
            } catch {
                throw failure(error.rawValue, .beginRead)
            }
            let (code, reader) = start(idle)
            if let reader {
                reader.enter()
                return reader
            }
            gate.leaveRead(nil)
            switch code {
            case MDB_MAP_RESIZED where !isNested: try adoptMapSize()
            case MDB_READERS_FULL where mayClearReaders:
                mayClearReaders = false
                _ = clearStaleReaders()
            default: throw failure(code, .beginRead)
            }
        }
    }

    private func start(_ idle: Reader?) -> (Int32, Reader?) {
        if let idle {
            let code = unsafe mdb_txn_renew(idle.transaction)
            return begin(code, idle)
        }
        var transaction: OpaquePointer?
        let code = unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
        guard code == 0, let transaction = unsafe transaction else { return (code, nil) }
        return unsafe begin(code, Reader(transaction, of: identifier, pageAccess))
    }

    private func begin(_ code: Int32, _ reader: Reader) -> (Int32, Reader?) {
        let code = code == 0 ? reader.begin() : code
        return (code, code == 0 ? reader : nil)
    }

    private func endRead(_ reader: Reader) {
        reader.leave()
        unsafe mdb_txn_reset(reader.transaction)
        gate.leaveRead(reader)
    }
}
