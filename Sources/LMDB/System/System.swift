// SPDX-License-Identifier: Apache-2.0

// The target's calls to the system are in this file, which declares them under names of its own. Linux with glibc is supported. On
// Darwin, import Darwin here; file events then come from kqueue, and drafts and allocations need another way, too (CLMDB/shim.h).
internal import CLMDB
internal import Glibc

/// The system calls of this target. As in C, a negative result is a failure whose reason is ``lastError``.
enum System {
    static var lastError: Int32 { errno }
    static var processID: Int32 { getpid() }
    static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }
    static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    /// The seconds of a clock that only goes forward, which are cheaper than the exact time.
    static var coarseSeconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec
    }

    static func pause(microseconds: UInt32) { usleep(microseconds) }

    /// Whether the process can map this many bytes more.
    static func isAddressSpaceLeft(_ size: Int) -> Bool {
        let map = unsafe mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard unsafe map != MAP_FAILED else { return false }
        unsafe munmap(map, size)
        return true
    }

    /// Ends the process as a failed assertion does, with a message unless the program handles the signal and prints its own.
    static func abort(_ message: StaticString) -> Never {
        var action = sigaction()
        unsafe sigaction(SIGABRT, nil, &action)
        if unsafe action.__sigaction_handler.sa_handler == nil {
            unsafe Glibc.write(2, message.utf8Start, message.utf8CodeUnitCount)
        }
        Glibc.abort()
    }
}

// MARK: - Threads

extension System {
    /// A mutex and a condition, at an address of their own.
    @safe
    struct Condition: Sendable {
        private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private nonisolated(unsafe) let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

        init() {
            unsafe pthread_mutex_init(mutex, nil)
            unsafe pthread_cond_init(condition, nil)
        }

        func destroy() {
            unsafe pthread_cond_destroy(condition)
            unsafe pthread_mutex_destroy(mutex)
            unsafe condition.deallocate()
            unsafe mutex.deallocate()
        }

        func lock() { unsafe pthread_mutex_lock(mutex) }
        func unlock() { unsafe pthread_mutex_unlock(mutex) }
        func wait() { unsafe pthread_cond_wait(condition, mutex) }
        func wakeAll() { unsafe pthread_cond_broadcast(condition) }
    }

    /// A pointer that each thread has for itself.
    @unsafe
    struct ThreadPointer {
        private let key: pthread_key_t

        init() {
            var key = pthread_key_t()
            unsafe pthread_key_create(&key, nil)
            unsafe self.key = key
        }

        @inline(__always)
        var value: UnsafeMutableRawPointer? {
            get { unsafe pthread_getspecific(key) }
            nonmutating set { unsafe pthread_setspecific(key, newValue) }
        }
    }

    static func runAfterForks(_ body: @escaping @convention(c) () -> Void) { pthread_atfork(nil, nil, body) }
}

// MARK: - Memory

extension System {
    @unsafe @inline(__always)
    static func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Int32 {
        unsafe memcmp(a, b, count)
    }

    /// The number at the start of a C string.
    @unsafe
    static func number(_ text: UnsafePointer<CChar>) -> Int { unsafe atol(text) }
}

// MARK: - Descriptors

extension System {
    enum Opening {
        case reading, folder
        /// For reading and writing a file that is there.
        case changing
        /// For reading and writing a file that there must not be yet.
        case new
    }

    static func open(_ path: String, _ opening: Opening) -> Int32 {
        let flags =
            switch opening {
            case .reading: O_RDONLY
            case .folder: O_RDONLY | O_DIRECTORY
            case .changing: O_RDWR
            case .new: O_RDWR | O_CREAT | O_EXCL
            }
        return unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
    }

    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    static func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    static func synchronize(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    @unsafe
    static func read(_ descriptor: Int32, _ place: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int {
        unsafe pread(descriptor, place, count, offset)
    }

    @unsafe
    static func write(_ descriptor: Int32, _ place: UnsafeRawPointer, _ count: Int, at offset: Int) -> Int {
        unsafe pwrite(descriptor, place, count, offset)
    }

    static func isInMemory(_ descriptor: Int32, at offset: Int) -> Bool { hearth_is_in_memory(descriptor, offset) != 0 }

    /// The file's length by its descriptor's offset, which moves to the end.
    static func seekEnd(_ descriptor: Int32) -> Int { lseek(descriptor, 0, SEEK_END) }

    /// Takes the file's lock. It belongs to the descriptor, and is released with it.
    static func lock(_ descriptor: Int32, waits: Bool) -> Int32 {
        flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB)
    }
    static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
}

// MARK: - Files

extension System {
    struct FileStatus {
        enum Kind { case file, folder, other }

        let kind: Kind
        let size: Int
        let device: UInt
        let inode: UInt
        /// How many names the file has.
        let names: UInt
        let owner: UInt32
        fileprivate let group: UInt32
        fileprivate let permissions: UInt32
        /// Whether this is a folder from which only owners may remove a file.
        fileprivate let isSticky: Bool

        fileprivate init(_ status: stat) {
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .folder
                default: .other
                }
            size = Int(status.st_size)
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
            names = UInt(status.st_nlink)
            owner = status.st_uid
            group = status.st_gid
            permissions = status.st_mode & 0o777
            isSticky = status.st_mode & S_ISVTX != 0
        }

        /// The mode of a file that is for those whom this one is for.
        ///
        /// - Parameters:
        ///   - hasGroup: whether it has the same group. To the members of another one it is what it is to everybody else.
        ///   - isForOwner: whether this one's owner may use it in any case. If not, and it would be for nobody but its own owner, whoever
        ///     may read this one may write it: a mode cannot name this one's owner alone.
        fileprivate func modeOfMatch(hasGroup: Bool, isForOwner: Bool) -> UInt32 {
            var mode = permissions & 0o666 | 0o600
            if !hasGroup { mode = mode & 0o606 | (mode & 0o006) << 3 }
            if !isForOwner, mode & 0o022 == 0 { mode |= (mode & 0o044) >> 1 }
            return mode
        }
    }

    /// Nil on failure, such as for a missing file.
    static func status(of path: String) -> FileStatus? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Of an open file.
    static func status(of descriptor: Int32) -> FileStatus? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
    }

    /// Whether a folder that this user may change lets him remove a file of it, or replace it.
    static func mayRemove(_ file: FileStatus, from folder: FileStatus) -> Bool {
        !folder.isSticky || [0, file.owner, folder.owner].contains(geteuid())
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Gives a new file the owner, the group and the mode of another one, as far as this user may: only root gives files away, and
    /// others give them to groups of their own. Where it stays this user's, its mode lets the other's owner use it, if one can.
    static func match(_ descriptor: Int32, to other: FileStatus) {
        let isGiven = fchown(descriptor, other.owner, other.group) == 0
        let hasGroup = isGiven || fchown(descriptor, uid_t.max, other.group) == 0
        // Root may use every file.
        let isForOwner = isGiven || [0, geteuid()].contains(other.owner)
        fchmod(descriptor, other.modeOfMatch(hasGroup: hasGroup, isForOwner: isForOwner))
    }

    /// The path without symbolic links; nil on failure.
    static func resolve(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Takes room on the device for a part of a file, whose length stays.
    ///
    /// - Returns: whether there is too little, on the file system or in the share of it that the file's owner has. False where the file
    ///   system cannot do it.
    static func lacksRoom(_ descriptor: Int32, _ start: Int, _ count: Int) -> Bool {
        while true {
            switch hearth_allocate(descriptor, start, count) {
            case EINTR: continue
            case ENOSPC, EDQUOT: return true
            default: return false
            }
        }
    }

    /// Bytes that may still be written to the file system; nil on failure.
    static func freeSpace(at path: String) -> UInt? {
        var status = statvfs()
        return unsafe statvfs(path, &status) == 0 ? UInt(status.f_bavail) * UInt(status.f_frsize) : nil
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }

    static func rename(_ path: String, to name: String) -> Int32 { unsafe Glibc.rename(path, name) }

    /// Fails with EEXIST instead of replacing a file, and with EINVAL or ENOSYS where the system cannot tell.
    static func rename(_ path: String, toNew name: String) -> Int32 { unsafe hearth_rename_as_new(path, name) }

    /// Gives a file, also one behind a symbolic link, a further name.
    static func link(_ path: String, as name: String) -> Int32 {
        unsafe linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
    }

    /// A path that leads to an open file, whatever its names; only where `/proc` is mounted.
    static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// Opens a new file without a name in a folder, for reading and writing.
    static func openUnnamed(in folder: String) -> Int32 {
        unsafe Glibc.open(folder, hearth_unnamed_file | O_RDWR | O_CLOEXEC, 0o600)
    }

    /// Opens a new file for reading and writing, whose name is `prefix` and six letters or digits.
    static func openTemporary(_ prefix: String) -> (descriptor: Int32, path: String) {
        var name = Array("\(prefix)XXXXXX".utf8CString)
        let descriptor = unsafe mkostemp(&name, O_CLOEXEC)
        return (descriptor, String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Opens a new file without a name in the folder of temporary files.
    static func openTemporary() -> Int32 {
        guard let file = unsafe tmpfile() else { return -1 }
        defer { unsafe fclose(file) }
        return duplicate(unsafe fileno(file))
    }

    /// Removes the files of a folder with names that ``openTemporary(_:)`` makes of a prefix, except those that are locked.
    static func removeUnlockedTemporaries(_ prefix: String, in folder: String) {
        guard let entries = unsafe opendir(folder) else { return }
        defer { unsafe closedir(entries) }
        let start = Array(prefix.utf8CString.dropLast())
        while let entry = unsafe readdir(entries) {
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let found = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                guard unsafe strncmp(found, start, start.count) == 0, unsafe strlen(found) == start.count + 6 else {
                    return
                }
                let descriptor = unsafe openat(dirfd(entries), found, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                guard descriptor >= 0 else { return }
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlinkat(dirfd(entries), found, 0) }
                close(descriptor)
            }
        }
    }
}

// MARK: - Events of files

extension System {
    /// A descriptor that can be read once an open file has been written; nil where the system has no more of them.
    static func writeEvents(of file: Int32) -> Int32? {
        let events = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard events >= 0 else { return nil }
        if unsafe inotify_add_watch(events, path(of: file), UInt32(IN_MODIFY)) >= 0 { return events }
        close(events)
        return nil
    }

    static func drain(_ events: Int32) {
        _ = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            unsafe Glibc.read(events, buffer.baseAddress, buffer.count)
        }
    }
}
