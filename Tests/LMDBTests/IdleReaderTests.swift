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

    /// The readers of other processes, which are not taken from them.
    @Test func whoFindsAllSlotsTakenIsRefused() async throws {
        let environment = try open(readers: 2)
        try nestReads(environment, depth: 2)
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            expectFailure(.readersFull) { try Environment.openForTest(path) }
        }
        withExtendedLifetime(environment) {}
    }

    @Test func whoOpensTheFileWaitsForASlot() async throws {
        let path = folder.database
        var environment: Environment? = try open(readers: 2)
        try nestReads(environment!, depth: 2)
        async let opening: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Data().write(to: URL(filePath: path + "-is-wanted"))
                try nestReads(Environment.openForTest(path), depth: 1)
            }
        }()
        // Not a time from here on: the child may take any to begin, and waits for two seconds only.
        try await wait(for: "the child's beginning") { FileManager.default.fileExists(atPath: path + "-is-wanted") }
        try await Task.sleep(for: .milliseconds(100))
        environment = nil
        await opening
    }

    /// The process's own reader has it when the stores are opened.
    @Test func oneSlotIsEnoughToOpen() async throws {
        let environment = try open(readers: 3)
        _ = try environment.openStores(["s"], create: true)
        try nestReads(environment, depth: 2)
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            try nestReads(environment, depth: 1)
            _ = try environment.openStores(["s"], create: false)
        }
        withExtendedLifetime(environment) {}
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
