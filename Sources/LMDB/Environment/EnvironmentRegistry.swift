// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Synchronization

/// The environments that this process has open, by file. Opening a file twice would break LMDB's locks, because closing any
/// descriptor of the lock file releases every lock of the process on it.
enum EnvironmentRegistry {
    private struct Entry: Sendable {
        weak let environment: Environment?
        let lockFile: FileIdentity?
        let forks: Int
    }

    private enum Lookup {
        case found(Environment)
        /// Its last reference is gone and its file is about to be closed.
        case closing
    }

    private static let entries = Mutex<[FileIdentity: Entry]>([:])
    /// How often a file is opened that is just being replaced, or whose places for readers are all taken: for some two seconds.
    private static let mostAttempts: UInt32 = 64

    static func open(_ file: LocatedFile, _ options: Environment.Options) throws(LMDBError) -> Environment {
        var attempts: UInt32 = 0
        while true {
            // The environment must not be released inside the lock, which its deinit takes.
            let result = entries.withLock { entries -> Result<Lookup, LMDBError> in
                // Since it was located, the path may lead to another file.
                let identity = FileIdentity(of: file.path) ?? file.identity
                if let entry = entries[identity], entry.forks == ForkCount.current {
                    return .success(entry.environment.map { .found($0) } ?? .closing)
                }
                return Result { () throws(LMDBError) in
                    // Reading another database's lock file would release this process's locks on it.
                    let isLockFile = entries.values.contains { $0.lockFile == identity }
                    guard !isLockFile else { throw LMDBError(code: .invalid, operation: .open, path: file.path) }
                    let environment = try Environment.openNew(file, options)
                    entries[environment.file] = Entry(
                        environment: environment, lockFile: environment.lockFile, forks: ForkCount.current)
                    return .found(environment)
                }
            }
            do throws(LMDBError) {
                if case .found(let environment) = try result.get() { return environment }
                System.pause(microseconds: 100)
            } catch {
                attempts += 1
                let mayPass = [.displaced, .foreignLockFile, .readersFull].contains(error.code)
                guard mayPass, attempts < mostAttempts else { throw error }
                // Of several that find a foreign lock file, one must be alone with it to make it anew. The more there are, the longer
                // they must leave it alone.
                System.pause(microseconds: .random(in: 1_000...(10_000 + 1_500 * attempts)))
            }
        }
    }

    /// Removes a file, if this process does not have it open, before anybody opens it.
    ///
    /// - Returns: see ``Environment/remove(_:ifLastCommitIs:)``.
    static func remove(_ path: String, ifLastCommitIs commit: Environment.LastCommit) throws(LMDBError) -> Bool {
        let result = entries.withLock { entries -> Result<Bool, LMDBError> in
            guard FileIdentity(of: path) == commit.file, entries[commit.file] == nil else { return .success(false) }
            return Result { () throws(LMDBError) in try Environment.removeClosed(path, ifLastCommitIs: commit) }
        }
        return try result.get()
    }

    /// Closes the file and removes it from the registry in one step, so that nobody opens it in between.
    @unsafe
    static func close(_ file: FileIdentity, _ handle: OpaquePointer) {
        // The closure is checked for sending. Nobody else uses the handle any more.
        nonisolated(unsafe) let handle = unsafe handle
        entries.withLock { entries in
            unsafe mdb_env_close(handle)
            entries[file] = nil
        }
    }
}

extension Environment {
    /// Opens the file with LMDB. This process must not have it open.
    ///
    /// - Throws: `displaced` or `foreignLockFile`, too, if another process is just replacing the file; `readersFull`.
    fileprivate static func openNew(_ file: LocatedFile, _ options: Options) throws(LMDBError) -> Environment {
        try FileHeader.check(file.path)
        if !options.isImmutable { try LockFile.allocate(for: file.path, readers: options.maximumReaders) }
        let lockFile = FileIdentity(of: LockFile.path(file.path))
        var flags = options.durability.flags
        if options.readOnly { flags |= UInt32(MDB_RDONLY) }
        if options.isImmutable { flags |= UInt32(MDB_RDONLY | MDB_NOLOCK) }
        let handle = unsafe try openHandle(file.path, options, flags: flags)
        var dead: Int32 = 0
        unsafe mdb_reader_check(handle, &dead)
        // Opening for writing may change a file's identity, as in overlay file systems, which copy it.
        let identity = unsafe FileIdentity(of: Descriptors.data(of: handle)) ?? file.identity
        do {
            try requireInPlace(identity, lockFile, path: file.path)
            if let lockFile, !options.isImmutable {
                unsafe try LockFile.mark(
                    Descriptors.data(of: handle), withLockFile: (lockFile.device, lockFile.inode), of: file.path)
            }
            unsafe try FileLength.check(handle, path: file.path)
            unsafe try LockFile.check(handle, path: file.path)
            unsafe try Descriptors.requireSpare(handle, path: file.path)
        } catch {
            unsafe mdb_env_close(handle)
            throw error
        }
        return unsafe Environment(handle, path: file.path, options: options, file: identity, lockFile: lockFile)
    }

    /// LMDB opens the two files one after the other. Here both are those at the path, so that they were opened as a pair.
    ///
    /// - Parameter lockFile: the lock file before LMDB opened it.
    private static func requireInPlace(
        _ file: FileIdentity, _ lockFile: FileIdentity?, path: String
    ) throws(LMDBError) {
        guard FileIdentity(of: LockFile.path(path)) == lockFile, !file.isDisplaced(from: path) else {
            throw LMDBError(code: .displaced, operation: .open, path: path)
        }
    }

    @unsafe
    static func openHandle(_ path: String, _ options: Options, flags: UInt32) throws(LMDBError) -> OpaquePointer {
        var handle: OpaquePointer?
        var code = unsafe mdb_env_create(&handle)
        guard code == 0, let handle = unsafe handle else { throw LMDBError(code, .open, path: path) }
        // With less, LMDB cannot begin a first transaction.
        unsafe mdb_env_set_mapsize(handle, max(options.mapSize, 1 << 16))
        unsafe mdb_env_set_maxreaders(handle, UInt32(clamping: options.maximumReaders))
        unsafe mdb_env_set_maxdbs(handle, UInt32(clamping: options.maximumStores))
        // Where LMDB's C code finds a page that it cannot have written, it cannot continue. Reads do not come so far, see `Tree`;
        // writes may.
        unsafe mdb_env_set_assert(handle) { _, _ in
            System.abort("A database file is damaged, and LMDB cannot read on. Run `hearth verify` on it.\n")
        }
        code = unsafe mdb_env_open(handle, path, flags | UInt32(MDB_NOSUBDIR | MDB_NOTLS), 0o600)
        guard code == 0 else {
            unsafe mdb_env_close(handle)
            throw LMDBError(code, .open, path: path)
        }
        return unsafe handle
    }
}
