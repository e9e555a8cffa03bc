// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// SQLite's C API, as thin as its error codes allow.
final class SQLiteDatabase {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        guard sqlite3_open(path, &handle) == SQLITE_OK else { throw failure("open \(path)") }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    func statement(_ sql: String) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
        return SQLiteStatement(statement, self)
    }

    func failure(_ action: String) -> BenchmarkError {
        BenchmarkError("SQLite could not \(action): \(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// A prepared statement of two parameters, an ID and a text.
final class SQLiteStatement {
    private let handle: OpaquePointer?
    private let database: SQLiteDatabase

    init(_ handle: OpaquePointer?, _ database: SQLiteDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func run(_ id: String, _ text: [UInt8]) throws {
        var id = id
        let result = id.withUTF8 { idBytes in
            text.withUnsafeBufferPointer { textBytes in
                // Without a destructor SQLite reads the bytes in place: they outlive the step.
                sqlite3_bind_text(
                    handle, 1, UnsafeRawPointer(idBytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    Int32(idBytes.count), nil)
                sqlite3_bind_text(
                    handle, 2, UnsafeRawPointer(textBytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    Int32(textBytes.count), nil)
                let result = sqlite3_step(handle)
                sqlite3_reset(handle)
                return result
            }
        }
        guard result == SQLITE_DONE else { throw database.failure("insert \(id)") }
    }
}
