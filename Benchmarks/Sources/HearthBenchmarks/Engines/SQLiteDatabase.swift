// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// SQLite's C API, as thin as its error codes allow.
final class SQLiteDatabase {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        // One thread uses a connection: without NOMUTEX each call takes a lock.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { throw failure("open \(path)") }
        // Other connections of the process may be recovering or checkpointing; what they cost is part of what is measured.
        sqlite3_busy_timeout(handle, 60_000)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    func statement(_ sql: String) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK
        else {
            throw failure(sql)
        }
        return SQLiteStatement(statement, self)
    }

    func failure(_ action: String) -> BenchmarkError {
        BenchmarkError("SQLite could not \(action): \(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// A prepared statement.
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

    func bind(_ place: Int32, _ value: Plain) {
        switch value {
        case .null: sqlite3_bind_null(handle, place)
        case .boolean(let flag): sqlite3_bind_int64(handle, place, flag ? 1 : 0)
        case .integer(let number), .time(let number): sqlite3_bind_int64(handle, place, number)
        case .double(let number): sqlite3_bind_double(handle, place, number)
        case .string(let text): bind(place, text)
        case .array, .map:
            var json: [UInt8] = []
            value.appendJSON(to: &json)
            bind(place, text: json)
        }
    }

    func bind(_ place: Int32, _ text: String) {
        var text = text
        text.withUTF8 { bind(place, $0) }
    }

    func bind(_ place: Int32, text: [UInt8]) {
        text.withUnsafeBufferPointer { bind(place, $0) }
    }

    private func bind(_ place: Int32, _ utf8: UnsafeBufferPointer<UInt8>) {
        // -1: SQLite copies the text.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(
            handle, place, UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self), Int32(utf8.count),
            copies)
    }

    /// Runs a statement that gives no rows.
    func runOnce() throws {
        let result = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard result == SQLITE_DONE else { throw database.failure("run a statement") }
    }

    /// The row that the statement is at.
    struct Row: ~Copyable {
        fileprivate let handle: OpaquePointer?

        func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }
        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
        func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
        func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
            let text = sqlite3_column_text(handle, column)
            return UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
        }
        func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    }

    func forEachRow(_ body: (borrowing Row) -> Void) throws {
        let row = Row(handle: handle)
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: body(row)
            case SQLITE_DONE:
                sqlite3_reset(handle)
                return
            default: throw database.failure("run a query")
            }
        }
    }
}
