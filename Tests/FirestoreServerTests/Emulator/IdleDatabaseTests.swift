// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Databases that nobody uses are closed, and those that were only read leave no files.
    @Suite struct IdleDatabaseTests {
        let folder: TemporaryDirectory
        let indexes = IndexSource()
        let registry: DatabaseRegistry
        let service: FirestoreService

        init() throws {
            folder = try TemporaryDirectory()
            var options = ServerOptions()
            options.folder = folder.path("data")
            registry = try DatabaseRegistry(options, indexes, RulesSource(), limit: 3)
            service = FirestoreService(registry)
        }

        func id(_ name: String, project: Text = "p") -> DatabaseID {
            DatabaseID(project: project, database: Text(name))
        }

        /// Whether there is the document.
        func read(_ database: DatabaseID, _ consistency: Consistency = .latest) async throws -> Bool {
            let path = try DocumentPath(parsing: "c/d")
            let snapshot = try await service.snapshot(
                of: database, consistency, for: .administrator, reading: .documents([path]))
            return try snapshot.document(path) != nil
        }

        func write(_ database: DatabaseID) async throws {
            _ = try await service.commit(
                [.set("c/d", [:])], transaction: nil, in: database, by: .administrator)
        }

        func names(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: self.folder.path(folder))) ?? []).sorted()
        }

        func isOpen(_ database: DatabaseID) -> Bool { registry.all.contains { $0.id == database } }

        /// Whoever opened it may hold it for a moment longer.
        func close(_ database: DatabaseID) async throws {
            _ = try await registry.database(id("latest"))
            try await wait(for: "the end of the last use") {
                registry.closeIdle(after: 1)
                return !isOpen(database)
            }
        }

        /// Uses a database once there is room for it: whoever used the others may hold them for a moment longer.
        func whenThereIsRoom(_ use: () async throws -> Void) async throws {
            try await wait(for: "room for a database") {
                do {
                    try await use()
                    return true
                } catch let error as RequestError where error.status == .resourceExhausted {
                    return false
                }
            }
        }

        func closeAll() async throws {
            try await wait(for: "the end of the last use") {
                registry.closeAll()
                return registry.all.isEmpty
            }
        }

        @Test func whatIsOnlyReadLeavesNoFile() async throws {
            #expect(try await !read(id("a")))
            #expect(try await !read(id("a", project: "q")))
            try await close(id("a"))
            #expect(!names("data/p").contains("a.hearth"))
            try await write(id("b"))
            #expect(try await !read(id("a")))
            try await closeAll()
            #expect(names("data/p") == ["b.hearth", "b.hearth-lock"])
            #expect(names("data") == ["p", "serve.lock"])
            #expect(try await read(id("b")))
            #expect(try await !read(id("a")))
        }

        /// Also what was cleared, and what was there when it was opened.
        @Test func whatWasWrittenStays() async throws {
            for name in ["a", "b"] { try await write(id(name)) }
            try await registry.database(id("b")).engine.clear()
            for name in ["a", "b"] { try await close(id(name)) }
            for name in ["a", "b"] {
                #expect(try await read(id(name)) == (name == "a"))
                try await close(id(name))
                #expect(names("data/p").contains("\(name).hearth"))
            }
            #expect(Set(registry.names).isSuperset(of: [id("a"), id("b")]))
        }

        /// Whoever tidies up there finds no file that is not in use, as long as there is room.
        @Test func whatWasWrittenStaysOpenInATemporaryFolder() async throws {
            let registry = try DatabaseRegistry(ServerOptions(), indexes, RulesSource())
            let service = FirestoreService(registry)
            _ = try await service.commit([.set("c/d", [:])], transaction: nil, in: id("a"), by: .administrator)
            for name in ["b", "latest"] { _ = try await registry.database(id(name)) }
            try await wait(for: "the end of the last use") {
                registry.closeLongIdle()
                return registry.all.map(\.id) == [id("a"), id("latest")]
            }
            for _ in 0..<2 * DatabaseRegistry.looks { registry.closeLongIdle() }
            #expect(registry.all.map(\.id) == [id("a"), id("latest")])
            try await wait(for: "the end of the last use") {
                registry.closeIdle(after: 1)
                return registry.all.map(\.id) == [id("latest")]
            }
        }

        /// Its documents would be gone unnoticed.
        @Test func aFileThatIsGoneIsNoEmptyDatabase() async throws {
            try await write(id("a"))
            try await close(id("a"))
            let file = folder.path("data/p/a.hearth")
            try FileManager.default.moveItem(atPath: file, toPath: folder.path("kept"))
            let refusal = await #expect(throws: RequestError.self) { _ = try await read(id("a")) }
            #expect(refusal?.status == .failedPrecondition)
            #expect(refusal?.message.contains("\"\(file)\"") == true)
            #expect(registry.lost == [id("a")])
            try FileManager.default.moveItem(atPath: folder.path("kept"), toPath: file)
            #expect(registry.lost.isEmpty)
            #expect(try await read(id("a")))
        }

        /// As a cleaner of temporary folders removes it.
        @Test func whatOnlyAnOpenFileHasStaysOpen() async throws {
            try await write(id("a"))
            _ = try await registry.database(id("latest"))
            let file = folder.path("data/p/a.hearth")
            try FileManager.default.moveItem(atPath: file, toPath: folder.path("kept"))
            for _ in 0..<10 { registry.closeIdle(after: 1) }
            #expect(isOpen(id("a")))
            #expect(try await read(id("a")))
            try FileManager.default.moveItem(atPath: folder.path("kept"), toPath: file)
            _ = try await registry.database(id("latest"))
            try await close(id("a"))
        }

        @Test func oneLookIsNotEnough() async throws {
            try await write(id("a"))
            _ = try await registry.database(id("latest"))
            registry.closeIdle(after: 2)
            #expect(isOpen(id("a")))
            try await wait(for: "the end of the last use") {
                registry.closeIdle(after: 2)
                return !isOpen(id("a"))
            }
            #expect(isOpen(id("latest")))
        }

        @Test func whoUsesADatabaseKeepsItOpen() async throws {
            let listener = Conversation(service, id("a"))
            listener.add(1, collection: "c")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            let kind = TransactionMode.readWrite(retrying: nil)
            let transaction = try await service.beginTransaction(kind, in: id("b"))
            #expect(try await !read(id("b"), .transaction(transaction)))
            _ = try await registry.database(id("latest"))
            for _ in 0..<3 { registry.closeIdle(after: 1) }
            #expect(isOpen(id("a")) && isOpen(id("b")))
            try await write(id("a"))
            #expect(try await listener.state() == "doc d ∎")
            #expect(try await !read(id("b"), .transaction(transaction)))
            // The third is the one that was asked for last.
            _ = try await registry.database(id("latest"))
            let refusal = await #expect(throws: RequestError.self) { try await write(id("c")) }
            #expect(refusal?.status == .resourceExhausted)
            try await service.rollback(transaction, in: id("b"))
            try await whenThereIsRoom { try await write(id("c")) }
        }

        @Test func thereIsRoomForManyDatabases() async throws {
            for number in 0..<20 { try await whenThereIsRoom { try await write(id("d\(number)")) } }
            for number in 0..<20 {
                try await whenThereIsRoom {
                    let isThere = try await read(id("d\(number)"))
                    #expect(isThere)
                }
            }
            #expect(registry.all.count <= 3)
            #expect(registry.notes.count == 20)
        }

        /// Requests that come while a database is closed wait for it.
        @Test func closingBesideRequests() async throws {
            try await write(id("a"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<200 {
                        registry.closeIdle(after: 1)
                        await Task.yield()
                    }
                }
                for task in 0..<4 {
                    group.addTask {
                        for _ in 0..<50 {
                            #expect(try await read(id("a")))
                            _ = try await read(id("b\(task % 2)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        /// What it was asked is known at the server's end, and transactions that are over are known as such.
        @Test func whatIsKnownOutlivesTheClosing() async throws {
            try await write(id("a"))
            let transaction = try await service.beginTransaction(.readWrite(retrying: nil), in: id("a"))
            try await service.rollback(transaction, in: id("a"))
            try await close(id("a"))
            #expect(registry.notes.first { $0.id == id("a") }?.notes.traffic.counts.documentsWritten == 1)
            try await service.rollback(transaction, in: id("a"))
            #expect(try await registry.database(id("a")).traffic.counts.documentsWritten == 1)
        }

        /// Closed databases keep nothing that is large.
        @Test func abortedTransactionsAreForgottenAtTheClosing() async throws {
            try await write(id("a"))
            let transaction = try await service.beginTransaction(.readWrite(retrying: nil), in: id("a"))
            func transactions() async throws -> TransactionTable { try await registry.database(id("a")).transactions }
            let attempt = try await transactions().end(transaction).attempt
            try await transactions().note(attempt, aborted: Footprint(documents: [try DocumentPath(parsing: "c/d")]))
            #expect(try await transactions().attempt(retrying: transaction).former != nil)
            try await close(id("a"))
            #expect(try await transactions().attempt(retrying: transaction).former == nil)
        }

        /// Nothing is kept of what was named only, but when that was.
        @Test func namesLeaveNothing() async throws {
            let kept = id("b", project: "r")
            for database in [id("a", project: "q"), id("a", project: "r")] { _ = try await registry.database(database) }
            try await write(kept)
            try await wait(for: "the end of the last use") {
                registry.closeIdle(after: 1)
                return registry.all.map(\.id) == [kept]
            }
            #expect(names("data") == ["r", "serve.lock"])
            #expect(names("data/r") == ["b.hearth", "b.hearth-lock"])
            #expect(registry.notes.map { $0.id } == [kept])
            #expect(try await !read(id("a", project: "q")))
        }
    }
#endif
