// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentEngine
import DocumentModel
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// No thread holds the lock of a database's state while it waits for the disk or for another thread's work.
@Suite(.timeLimit(.minutes(5))) struct StateLockTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// What the main thread asks for, while the file is opened.
    @Test func onlyUsersOfTheFileWaitForItsOpening() async throws {
        let server = try FakeServer()
        let hasBegun = Mutex(false)
        let isFree = DispatchSemaphore(value: 0)
        let remote = Remote(database: FakeServer.database) { address in
            hasBegun.withLock { $0 = true }
            isFree.wait()
            return try server.remote.connect(address)
        }
        let database = Database(path: folder.path("replica.db"), settings: Sample.settings.values.with(remote))
        let opening = Task { try await database.opened() }
        let isInUse = Mutex<Bool?>(nil)
        do {
            defer { isFree.signal() }
            try await wait(for: "the opening") { hasBegun.withLock { $0 } }
            Thread.detachNewThread {
                _ = (database.settings, database.callbackQueue)
                let answer = database.isTerminated || database.openEngine != nil || database.openClient != nil
                isInUse.withLock { $0 = answer }
            }
            try await wait(for: "the answers") { isInUse.withLock { $0 != nil } }
        }
        try await opening.value
        #expect(isInUse.withLock { $0 } == false)
        #expect(database.openEngine != nil && database.openClient != nil)
        try await database.terminate()
    }

    /// The write still asks the rules when its turn comes, and they still know of which database.
    @Test func clearingDoesNotStopAUsersWriteBeforeIt() async throws {
        let path = folder.path("test.db")
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.identity = DatabaseID(project: "p", database: "other")
        _ = try Engine.open(path, options)
        let database = try await Database.open(path: path, settings: Sample.settings)
        database.securityRules = try SecurityRules(
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /notes/{id} { allow write: if database == 'other'; }
              }
            }
            """)
        try await database.document("notes/old").setData(["n": 1])
        let isFree = DispatchSemaphore(value: 0)
        let write: Task<Void, any Error>
        let isCleared = Mutex(false)
        do {
            defer { isFree.signal() }
            try await occupyWriter(path, until: isFree)
            write = Task { try await database.asUser(.user("alice")).document("notes/new").setData(["n": 1]) }
            let engine = try database.engine()
            try await wait(for: "the write") { isCommitting(engine) }
            try await database.terminate()
            database.clearPersistence { _ in isCleared.withLock { $0 = true } }
            // Until it waits for its turn, too, which nobody sees.
            try await Task.sleep(for: .milliseconds(100))
        }
        try await wait(for: "the clearing") { isCleared.withLock { $0 } }
        try await write.value
        let again = try await Database.open(path: path, settings: Sample.settings)
        #expect(try await again.document("notes/old").getDocument().exists == false)
    }

    /// Returns once another user of the file in this process is writing.
    private func occupyWriter(_ path: String, until isFree: DispatchSemaphore) async throws {
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        let engine = try Engine.open(path, options)
        let isWriting = Mutex(false)
        Thread.detachNewThread {
            try? engine.environment.write { (_: inout WriteTransaction) throws(LMDBError) in
                isWriting.withLock { $0 = true }
                isFree.wait()
            }
        }
        try await wait(for: "the writer") { isWriting.withLock { $0 } }
    }

    private func isCommitting(_ engine: Engine) -> Bool {
        let isIdle = Mutex(false)
        engine.whenCommitted { isIdle.withLock { $0 = true } }
        return isIdle.withLock { !$0 }
    }
}
