// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Writes one state of the database to a new file of mode 0600, while others read and write.
    ///
    /// Every page is checked first, as by ``auditPages()``: LMDB trusts the pages that it copies. The copy is on the device
    /// when this returns; on failure no file is left.
    ///
    /// - Parameter compacting: leaves out free pages, which takes more time. A file whose free pages do not add up is refused with
    ///   `incompatible`; then copy without compacting.
    /// - Throws: `fileExists`: nothing is overwritten; `corrupted` where a page is damaged; `diskFull`.
    package func copy(to destination: String, compacting: Bool) throws(LMDBError) {
        requireSameProcess()
        let nesting = AccessFrame.nesting(in: identifier)
        require(!nesting.write, "A database was copied inside a write of the same database on the same thread.")
        let descriptor = System.open(destination, .newFile)
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .copy, path: destination) }
        defer { System.close(descriptor) }
        do throws(LMDBError) {
            guard try auditPages().isEmpty else { throw failure(MDB_CORRUPTED, .copy) }
            try copy(to: descriptor, compacting, isNested: nesting.read, destination)
            guard System.synchronize(descriptor) == 0 else {
                throw LMDBError(System.lastError, .copy, path: destination)
            }
            try DatabaseFile.synchronizeFolder(DatabaseFile.folder(of: destination))
        } catch {
            System.remove(destination)
            throw error
        }
    }

    private func copy(
        to descriptor: Int32, _ compacting: Bool, isNested: Bool, _ destination: String
    ) throws(LMDBError) {
        // LMDB begins its own read transaction for the copy, so the map must not be exchanged.
        do {
            _ = try gate.enterRead(isNested: isNested)
        } catch {
            throw failure(error.rawValue, .copy)
        }
        defer { gate.leaveRead(nil) }
        let code = unsafe mdb_env_copyfd2(handle, descriptor, compacting ? UInt32(MDB_CP_COMPACT) : 0)
        guard code != 0 else { return }
        let isFull = code == EIO && DatabaseFile.isDiskFull(at: destination)
        throw LMDBError(isFull ? ENOSPC : code, .copy, path: destination)
    }
}
