// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// An error of the store: its code, the operation that failed, and the file where known.
///
/// "Not found" is not an error: reads return `nil` or `false`.
package struct LMDBError: Error, Hashable, Sendable {
    /// LMDB's return code, an `errno` value or one of this library's own codes. See ``LMDBErrorCode``.
    package let code: LMDBErrorCode
    /// The operation that failed.
    package let operation: Operation
    /// The database file, where the operation knew it.
    package let path: String?

    package enum Operation: String, Hashable, Sendable, CaseIterable {
        case open = "open the database"
        case create = "create the database"
        case openStore = "open a store"
        case beginRead = "begin a read"
        case beginWrite = "begin a write"
        case commit = "commit"
        case get = "get an entry"
        case put = "put an entry"
        case delete = "delete an entry"
        case empty = "empty a store"
        case openCursor = "open a cursor"
        case moveCursor = "move a cursor"
        case growMap = "grow the memory map"
        case statistics = "read statistics"
        case copy = "copy the database"
        case clearStaleReaders = "clear stale readers"
        case synchronize = "sync the database"
        case lock = "lock the database"
        case useScratchFile = "use a temporary file beside the database"
    }

    package init(code: LMDBErrorCode, operation: Operation, path: String? = nil) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    init(_ code: Int32, _ operation: Operation, path: String? = nil) {
        // A user's share of the disk is as full as a disk.
        self.init(code: LMDBErrorCode(rawValue: code == EDQUOT ? ENOSPC : code), operation: operation, path: path)
    }
}

extension LMDBError: CustomStringConvertible {
    /// One line: what failed, where, why, and what to do.
    package var description: String {
        let place = path.map { " \"\($0)\"" } ?? ""
        return "Could not \(operation.rawValue)\(place): \(code.explanation) \(code.remedy)"
    }
}

/// An error type that a store's error converts to, so that a closure can throw its own type alone.
package protocol LMDBErrorConvertible: Error {
    init(_ error: LMDBError)
}

extension LMDBError: LMDBErrorConvertible {
    package init(_ error: LMDBError) { self = error }
}

/// Runs `body` and converts the store's error to the caller's type.
func converting<R: ~Copyable, E: LMDBErrorConvertible>(
    _ type: E.Type = E.self, _ body: () throws(LMDBError) -> R
) throws(E) -> R {
    do {
        return try body()
    } catch {
        throw E(error)
    }
}
