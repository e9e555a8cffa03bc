// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Dispatch
internal import Synchronization

extension Environment {
    /// The number of bytes that ``copy(to:compacting:progress:)`` would write.
    package func copiedByteCount(compacting: Bool) throws(LMDBError) -> Int {
        let info = info
        return (info.pages - (compacting ? try countFreePages() : 0)) * info.pageSize
    }

    /// Writes one state of the database to a new file of mode 0600, while others read and write.
    ///
    /// Every page is checked first, as by ``auditPages()``: LMDB trusts the pages that it copies. The copy is on the device
    /// when this returns; on failure no file is left.
    ///
    /// - Parameters:
    ///   - compacting: leaves out free pages, which takes more time. A file whose free pages do not add up is refused with
    ///     `incompatible`; then copy without compacting.
    ///   - progress: called with the completed share of the work, on this thread or another, until the call returns.
    /// - Throws: `fileExists`: nothing is overwritten; `corrupted` where a page is damaged; `diskFull`.
    package func copy(
        to destination: String, compacting: Bool, progress: (@Sendable (Double) -> Void)? = nil
    ) throws(LMDBError) {
        requireSameProcess()
        let nesting = AccessFrame.nesting(in: identifier)
        require(!nesting.write, "A database was copied inside a write of the same database on the same thread.")
        let descriptor = System.open(destination, .newFile)
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .copy, path: destination) }
        defer { System.close(descriptor) }
        do throws(LMDBError) {
            let info = info
            let findings = try auditPages { pages in
                progress?(CopyWriteback.auditShare * min(1, Double(pages) / Double(info.pages)))
            }
            guard findings.isEmpty else { throw failure(MDB_CORRUPTED, .copy) }
            let writeback = CopyWriteback(descriptor, try copiedByteCount(compacting: compacting), progress)
            defer { writeback.stop() }
            try copy(to: descriptor, compacting, isNested: nesting.read, destination)
            writeback.stop()
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
            // A reader that waits for its next use has a slot, which LMDB may need.
            unsafe try gate.enterRead(isNested: isNested)?.release()
        } catch {
            throw failure(error.rawValue, .copy)
        }
        defer { unsafe gate.leaveRead(nil) }
        let code = unsafe mdb_env_copyfd2(handle, descriptor, compacting ? UInt32(MDB_CP_COMPACT) : 0)
        guard code != 0 else { return }
        let isFull = code == EIO && DatabaseFile.isDiskFull(at: destination)
        throw LMDBError(isFull ? ENOSPC : code, .copy, path: destination)
    }
}

/// Has the device write a copy while LMDB still makes it, so that the sync at the end has little to do, and reports what is on the
/// device.
private final class CopyWriteback: Sendable {
    /// What checking the pages takes of the whole, between a device that is faster than the check and one that is much slower.
    static let auditShare = 0.25

    private let isStopped = Atomic<Bool>(false)
    private let isDone = DispatchSemaphore(value: 0)
    private let descriptor: Int32
    private let size: Int
    private let progress: (@Sendable (Double) -> Void)?

    private static let pause: UInt32 = 10_000

    /// - Parameter size: about how long the copy will be.
    init(_ descriptor: Int32, _ size: Int, _ progress: (@Sendable (Double) -> Void)?) {
        self.descriptor = descriptor
        self.size = max(1, size)
        self.progress = progress
        DispatchQueue.global().async { self.follow() }
    }

    /// Nothing is reported after this.
    func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        isDone.wait()
    }

    private func follow() {
        let step = max(1 << 20, size / 128)
        var written = 0
        while !isStopped.load(ordering: .relaxed) {
            let length = System.status(of: descriptor)?.size ?? 0
            guard length >= written + step else {
                System.pause(microseconds: CopyWriteback.pause)
                continue
            }
            hearth_write_back(descriptor, off_t(written), off_t(step))
            written += step
            let share = min(1, Double(written) / Double(size))
            progress?(CopyWriteback.auditShare + (1 - CopyWriteback.auditShare) * share)
        }
        isDone.signal()
    }
}
