// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

/// Readers that wait for their next use have slots in the lock file, of which all processes have a limited number.
@Suite struct IdleReaderTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func open(readers: Int) throws -> Environment {
        try Environment.open(
            folder.database, .init(mapSize: 1 << 20, maximumReaders: readers, durability: .mayLoseDatabase))
    }

    @Test func fewKeepTheirSlots() async throws {
        let environment = try open(readers: 12)
        try nestReads(environment, depth: 12)
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            try nestReads(Environment.openForTest(path), depth: 7)
        }
        try nestReads(environment, depth: 12)
    }

    /// Threads that begin one after another do not share readers.
    @Test func withoutASlotAThreadTakesAnothersReader() throws {
        let environment = try open(readers: 3)
        try nestReads(environment, depth: 3)
        for _ in 0..<4 {
            let failure = Mutex<LMDBError?>(nil)
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do throws(LMDBError) { try nestReads(environment, depth: 2) } catch { failure.withLock { $0 = error } }
                isDone.signal()
            }
            isDone.wait()
            #expect(failure.withLock { $0 } == nil)
        }
    }
}

private func nestReads(_ environment: Environment, depth: Int) throws(LMDBError) {
    guard depth > 0 else { return }
    try environment.read { (_: borrowing ReadTransaction) throws(LMDBError) in
        try nestReads(environment, depth: depth - 1)
    }
}
