// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Synchronization

/// A database file with its stores. Transactions begin here.
///
/// LMDB's rules, which this class keeps:
/// - A process has one environment for a file. Opening the file again returns the same one (``open(_:_:)``).
/// - One write transaction is open at a time, over all processes. It begins and ends on one thread.
/// - The map changes its size only while no transaction of this process is open (see `TransactionGate.swift`), except the hold of
///   `PagePlacement`, through which nothing is read.
/// - An environment is not used in a process forked from the one that opened it.
///
/// The file is closed when the last reference is released.
@safe
package final class Environment: Sendable {
    nonisolated(unsafe) let handle: OpaquePointer
    /// The file's path without symbolic links, so that all processes agree on the lock file beside it.
    package let path: String
    package let options: Options
    let file: FileIdentity
    /// Nil where the file system is read-only and LMDB does without.
    let lockFile: FileIdentity?
    let gate = TransactionGate()
    /// Nil where it is turned off, and where commits do not wait for the device.
    let placement: PagePlacement?
    /// Nil where LMDB reads the pages.
    let pageAccess: PageAccess?
    /// Whether a thread of this process has the maintenance lock.
    let maintenance = Monitor(false)
    /// The file's pages when the slots of dead readers were last freed.
    let clearedPages = Atomic(0)
    private let forks = ForkCount.current

    @unsafe
    init(_ handle: OpaquePointer, path: String, options: Options, file: FileIdentity, lockFile: FileIdentity?) {
        unsafe self.handle = handle
        self.path = path
        self.options = options
        let isSynced = options.durability != .mayLoseDatabase && !options.readOnly
        placement = isSynced && options.placesPages ? PagePlacement(afterPause: options.afterPause) : nil
        pageAccess = unsafe options.readsPages ? PageAccess(handle) : nil
        self.file = file
        self.lockFile = lockFile
    }

    deinit {
        // A forked child shares the parent's locks and reader slots and must not touch them, so it leaks the gate.
        guard forks == ForkCount.current else {
            _ = unsafe Unmanaged.passRetained(gate)
            return
        }
        placement?.release()
        gate.closeIdleReaders()
        unsafe EnvironmentRegistry.close(file, handle)
    }

    /// Opens the database file, creating it with mode 0600 if it does not exist and may be written.
    ///
    /// A process that has the file open already, under any name, gets the same environment, with the sizes of the first open. The
    /// lock file (the path with `-lock`) is beside it.
    ///
    /// - Throws: `noSuchFile`, `permissionDenied`, `isDirectory`, `notAFile`, `emptyFile`, `invalid` and `versionMismatch` for a file
    ///   that is not a database, `corrupted` for one that was cut short or lacks a meta page, `openedDifferently` if this process
    ///   has it open with another durability or for reading only, `otherLockFile` if another process has it open by another name,
    ///   which has a lock file of its own, `foreignLockFile` or `displaced` if another process keeps a lock file in use that does not
    ///   belong to the file, or goes on replacing the two, `readersFull` if all slots for readers stay taken for some two seconds.
    package static func open(_ path: String, _ options: Options = Options()) throws(LMDBError) -> Environment {
        let located = try DatabaseFile.locate(path, create: !options.readOnly)
        let environment = try EnvironmentRegistry.open(located, options)
        let isSame =
            environment.options.readOnly == options.readOnly && environment.options.isImmutable == options.isImmutable
            && (options.readOnly || environment.options.durability == options.durability)
        guard isSame else { throw LMDBError(code: .openedDifferently, operation: .open, path: path) }
        if environment.gate.isPoisoned { throw LMDBError(code: .poisoned, operation: .open, path: path) }
        return environment
    }

    func requireSameProcess() {
        require(
            forks == ForkCount.current,
            "A database was used in a forked process. Open it in the child after exec, not before fork.")
    }

    func failure(_ code: Int32, _ operation: LMDBError.Operation) -> LMDBError {
        LMDBError(code, operation, path: path)
    }

    var identifier: ObjectIdentifier { ObjectIdentifier(self) }

    var dataDescriptor: Int32 { unsafe Descriptors.data(of: handle) }
}
