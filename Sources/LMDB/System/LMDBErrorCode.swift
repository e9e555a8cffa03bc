// SPDX-License-Identifier: Apache-2.0
// A table of every return code of lmdb.h, which makes the file long.
internal import CLMDB

/// A return code of LMDB (-30799 to -30780), an `errno` value (positive), or one of this library's own (-30600 down).
///
/// A code without a row below has the system's text.
package struct LMDBErrorCode: RawRepresentable, Error, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let keyExists = LMDBErrorCode(rawValue: MDB_KEYEXIST)
    package static let notFound = LMDBErrorCode(rawValue: MDB_NOTFOUND)
    package static let pageNotFound = LMDBErrorCode(rawValue: MDB_PAGE_NOTFOUND)
    /// A damaged page, or a file shorter than its meta page says.
    package static let corrupted = LMDBErrorCode(rawValue: MDB_CORRUPTED)
    package static let panic = LMDBErrorCode(rawValue: MDB_PANIC)
    package static let versionMismatch = LMDBErrorCode(rawValue: MDB_VERSION_MISMATCH)
    package static let invalid = LMDBErrorCode(rawValue: MDB_INVALID)
    package static let mapFull = LMDBErrorCode(rawValue: MDB_MAP_FULL)
    package static let storesFull = LMDBErrorCode(rawValue: MDB_DBS_FULL)
    package static let readersFull = LMDBErrorCode(rawValue: MDB_READERS_FULL)
    package static let threadSlotsFull = LMDBErrorCode(rawValue: MDB_TLS_FULL)
    package static let transactionFull = LMDBErrorCode(rawValue: MDB_TXN_FULL)
    package static let cursorFull = LMDBErrorCode(rawValue: MDB_CURSOR_FULL)
    package static let pageFull = LMDBErrorCode(rawValue: MDB_PAGE_FULL)
    package static let mapResized = LMDBErrorCode(rawValue: MDB_MAP_RESIZED)
    package static let incompatible = LMDBErrorCode(rawValue: MDB_INCOMPATIBLE)
    package static let badReaderSlot = LMDBErrorCode(rawValue: MDB_BAD_RSLOT)
    package static let badTransaction = LMDBErrorCode(rawValue: MDB_BAD_TXN)
    package static let badValueSize = LMDBErrorCode(rawValue: MDB_BAD_VALSIZE)
    package static let badStore = LMDBErrorCode(rawValue: MDB_BAD_DBI)

    package static let noSuchFile = LMDBErrorCode(rawValue: ENOENT)
    package static let inputOutput = LMDBErrorCode(rawValue: EIO)
    package static let outOfMemory = LMDBErrorCode(rawValue: ENOMEM)
    package static let permissionDenied = LMDBErrorCode(rawValue: EACCES)
    package static let fileExists = LMDBErrorCode(rawValue: EEXIST)
    package static let notADirectory = LMDBErrorCode(rawValue: ENOTDIR)
    package static let isDirectory = LMDBErrorCode(rawValue: EISDIR)
    package static let invalidArgument = LMDBErrorCode(rawValue: EINVAL)
    /// No space left, also where LMDB returned EIO for a short write on a full file system.
    package static let diskFull = LMDBErrorCode(rawValue: ENOSPC)
    /// A write beyond the process's limit on file sizes.
    package static let fileTooLarge = LMDBErrorCode(rawValue: EFBIG)
    package static let tooManyFiles = LMDBErrorCode(rawValue: EMFILE)
    package static let tooManyFilesInSystem = LMDBErrorCode(rawValue: ENFILE)
    package static let readOnlyFileSystem = LMDBErrorCode(rawValue: EROFS)

    /// An earlier sync or write of a meta page failed, so that this environment writes no more.
    package static let poisoned = LMDBErrorCode(rawValue: -30600)
    /// The file is empty. A database is created whole or not at all, so its contents were lost.
    package static let emptyFile = LMDBErrorCode(rawValue: -30601)
    /// The path names a device, a socket or a pipe.
    package static let notAFile = LMDBErrorCode(rawValue: -30602)
    /// This process has the file open for reading only, or with another durability.
    package static let openedDifferently = LMDBErrorCode(rawValue: -30603)
    /// The store does not exist.
    package static let noSuchStore = LMDBErrorCode(rawValue: -30604)
    /// A write in an environment opened for reading only.
    package static let readOnlyEnvironment = LMDBErrorCode(rawValue: -30605)
    /// The file or its lock file is not at its path any more.
    package static let displaced = LMDBErrorCode(rawValue: -30606)
    /// The lock file was in use while the database was replaced, and knows only the one before.
    package static let foreignLockFile = LMDBErrorCode(rawValue: -30607)
    /// The file is open with another lock file: under another name, or with one that has been removed.
    package static let otherLockFile = LMDBErrorCode(rawValue: -30608)
    /// Another process with this one's ID, of another container, reads the file.
    package static let sharedProcessID = LMDBErrorCode(rawValue: -30609)
}

extension LMDBErrorCode: CustomStringConvertible {
    /// Every code with its own text.
    package static var documented: [LMDBErrorCode] { table.keys.sorted { $0.rawValue < $1.rawValue } }

    /// What the code means, as a sentence.
    package var explanation: String {
        if let row = Self.table[self] { return row.explanation }
        let text = unsafe mdb_strerror(rawValue).map { unsafe String(cString: $0) } ?? "unknown error"
        return "\(text) (code \(rawValue))."
    }

    /// What the caller should do about it, as a sentence.
    package var remedy: String {
        Self.table[self]?.remedy ?? "Check the file system and the permissions of the database, then try again."
    }

    package var description: String { explanation }

    private typealias Row = (explanation: String, remedy: String)

    private static let damaged = "Restore the database from a backup; do not write to it."
    private static let defect = "This is a defect of the program or of the library; please report it."

    private static let table: [LMDBErrorCode: Row] = storeRows.merging(systemRows) { row, _ in row }
        .merging(ownRows) { row, _ in row }

    private static let storeRows: [LMDBErrorCode: Row] = [
        .keyExists: ("The key already exists or does not come after the last key.", "Append keys in ascending order."),
        .notFound: ("The entry was not found.", defect),
        .pageNotFound: ("A page of the database is missing.", damaged),
        .corrupted: ("The file is damaged or was cut short.", damaged),
        .panic: ("An earlier write of the database's header failed.", "Close every use of the file and open it again."),
        .versionMismatch: (
            "The file was written by another version of LMDB's format.", "Open it with the program that wrote it."
        ),
        .invalid: ("The file is not a database.", "Check the path."),
        .mapFull: (
            "The memory map is full, and the address space has no room for a larger one.",
            "Raise the process's limit on address space (`ulimit -v`)."
        ),
        .storesFull: ("Too many stores.", defect),
        .readersFull: (
            "All places for readers of the file are taken: by open reads, and by processes that keep a few for their next ones.",
            "Close the database in some processes, or read in fewer threads at once; then try again."
        ),
        .threadSlotsFull: ("No thread-local slot is left.", defect),
        .transactionFull: ("The transaction changes too much at once.", "Split it into smaller transactions."),
        .cursorFull: ("The tree is deeper than LMDB allows.", damaged),
        .pageFull: ("A page has no room for what it must hold.", damaged),
        .mapResized: (
            "Another process grew the database while this thread was inside a read.",
            "End the outer read and try again."
        ),
        .incompatible: ("The store was made with other flags.", damaged),
        .badReaderSlot: (
            "A read's slot in the lock file is in use twice.", "Close every use of the file and open it again."
        ),
        .badTransaction: (
            "An earlier step of the transaction failed, so all of it was undone.", "Try it again."
        ),
        .badValueSize: ("The key is empty or longer than 511 bytes, or the value is too long.", "Shorten it."),
        .badStore: ("The store was changed by someone else.", "Close every use of the file and open it again."),
    ]

    private static let systemRows: [LMDBErrorCode: Row] = [
        .noSuchFile: (
            "The file or its folder does not exist.", "Check the path; a new file needs a folder that exists."
        ),
        .inputOutput: (
            "The device reported an input or output error.", "Check the device, then open the database again."
        ),
        .outOfMemory: (
            "Memory or address space ran out.",
            "Raise the process's limits (`ulimit -v`), or give a program that uses the library a smaller `mapSize`."
        ),
        .permissionDenied: (
            "Permission denied.", "Give this user read and write permission on the file, its lock file and the folder."
        ),
        .fileExists: ("A file of that name exists.", "Choose another name, or remove the file first."),
        .notADirectory: ("A part of the path is not a folder.", "Check the path."),
        .isDirectory: ("The path names a folder, not a file.", "Add a file name to the path."),
        .invalidArgument: ("The system refused an argument.", defect),
        .diskFull: ("The disk is full.", "Free some space and try again; what was committed before is safe."),
        .fileTooLarge: (
            "The file would be larger than this process may make one.",
            "Raise the limit on file sizes (`ulimit -f`); what was committed before is safe."
        ),
        .tooManyFiles: (
            "This process has too many files open.", "Close some, or raise the limit on open files (`ulimit -n`)."
        ),
        .tooManyFilesInSystem: ("The system has too many files open.", "Close some, or raise the system's limit."),
        .readOnlyFileSystem: ("The file system is read-only.", "Open the database for reading only, or move it."),
    ]

    private static let ownRows: [LMDBErrorCode: Row] = [
        .poisoned: (
            "An earlier commit could not be made durable, so nothing more is written.",
            "Close every use of the file and open it again; the last commits may be missing."
        ),
        .emptyFile: (
            "The file is empty.", "Remove it to start a new database, or restore the database from a backup."
        ),
        .notAFile: ("The path names something that is not a regular file.", "Check the path."),
        .openedDifferently: (
            "This process has the file open with other options.",
            "Close it first, or open it with the same durability and the same choice of reading only."
        ),
        .noSuchStore: ("The file has no store of that name.", "Check that the file is a database of this library."),
        .readOnlyEnvironment: ("The database was opened for reading only.", "Open it for writing."),
        .displaced: (
            "The file or its lock file was removed, renamed or replaced while this process had it open; nothing was written.",
            "Close the database in every process and open it again; leave both files in place while it is open."
        ),
        .foreignLockFile: (
            "The lock file beside the database does not belong to it: some program has had it open since before the database "
                + "was replaced.",
            "Close the database in every program at once, then open it again; it is not damaged."
        ),
        .otherLockFile: (
            "A program has this file open with another lock file: by another name of the file (a hard link, or a mount of the "
                + "file alone), or since before the lock file was removed.",
            "Use one path in all programs, and mount the folder in place of the file; or close the database in every program."
        ),
        .sharedProcessID: (
            "Another process that has the file open has the same process ID as this one, as in another container.",
            "Let the containers share their process IDs (`docker run --pid=container:NAME`, or `--pid=host` for each), or open the "
                + "database in one of them only."
        ),
    ]
}
