// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import LMDB
import Synchronization
import TestSupport
import Testing

extension TemporaryDirectory {
    var database: String { path("database") }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
}

extension Environment {
    /// A database for tests, without syncs, because nothing here outlives the machine.
    static func openForTest(
        _ path: String, mapSize: Int = 1 << 30, readOnly: Bool = false, readsPages: Bool = true
    ) throws -> Environment {
        var options = Options(mapSize: mapSize, durability: .mayLoseDatabase, readOnly: readOnly)
        options.readsPages = readsPages
        return try open(path, options)
    }

    func put(_ store: Store, _ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        try write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try transaction.put(store, key.span.bytes, value.span.bytes)
        }
    }

    func get(_ store: Store, _ key: [UInt8]) throws(LMDBError) -> [UInt8]? {
        try read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> [UInt8]? in
            guard let value = try transaction.get(store, key.span.bytes) else { return nil }
            return Array(copying: value)
        }
    }
}

/// Single entries, through a cursor each.
extension WriteTransaction {
    mutating func get(_ store: Store, _ key: borrowing RawSpan) throws(LMDBError) -> [UInt8]? {
        let cursors = makeCursors()
        guard let value = try cursors.get(store, key) else { return nil }
        return Array(copying: value)
    }

    mutating func put(_ store: Store, _ key: borrowing RawSpan, _ value: borrowing RawSpan) throws(LMDBError) {
        var cursors = makeCursors()
        let cursor = try cursors.open(store)
        try cursors.put(cursor, key: key, value: value)
    }

    /// - Returns: `false`, without a change, if the key is not above the last one.
    @discardableResult
    mutating func append(
        _ store: Store, _ key: borrowing RawSpan, _ value: borrowing RawSpan
    ) throws(LMDBError) -> Bool {
        var cursors = makeCursors()
        let cursor = try cursors.open(store)
        return try cursors.append(cursor, key: key, value: value)
    }

    /// - Returns: `false` if there is no such entry.
    mutating func delete(_ store: Store, _ key: borrowing RawSpan) throws(LMDBError) -> Bool {
        var cursors = makeCursors()
        let cursor = try cursors.open(store)
        guard key.byteCount > 0, try cursors.seek(cursor, key), compareBytes(cursors.key(cursor), key) == 0 else {
            return false
        }
        try cursors.delete(cursor)
        return true
    }
}

/// A file's bytes.
func contents(of path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    try #require(pread(file, &bytes, bytes.count, 0) == bytes.count)
    return bytes
}

/// Makes a file.
func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    defer { close(file) }
    try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
}

/// Bytes to take a span of; an array literal alone would be one of `Int`.
func bytes(_ bytes: UInt8...) -> [UInt8] { bytes }

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A number as eight bytes in key order.
func bigEndian(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
}

/// The pages of a file of whole pages.
func pages(of path: String) throws -> [[UInt8]] {
    let bytes = try contents(of: path)
    return stride(from: 0, to: bytes.count, by: 4_096).map { Array(bytes[$0..<$0 + 4_096]) }
}

func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

extension Array where Element == UInt8 {
    static func before(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }
}

/// Threads that repeat some work during a test. Tasks would not do, because tests occupy the few threads of the pool.
final class Background: Sendable {
    private let isDone = Atomic<Bool>(false)
    private let rounds = Atomic<Int>(0)
    private let group = DispatchGroup()

    init(threads: Int, _ body: @escaping @Sendable (_ round: Int) throws -> Void) {
        for thread in 0..<threads {
            DispatchQueue(label: "background \(thread)").async(group: group) { [self] in
                while !isDone.load(ordering: .relaxed) {
                    do {
                        try body(rounds.wrappingAdd(1, ordering: .relaxed).newValue)
                    } catch {
                        Issue.record("\(error)")
                        return
                    }
                }
            }
        }
    }

    /// Waits until some work is done.
    func waitForRounds(_ count: Int) {
        while rounds.load(ordering: .relaxed) < count { usleep(100) }
    }

    func stop() {
        isDone.store(true, ordering: .relaxed)
        group.wait()
    }
}
