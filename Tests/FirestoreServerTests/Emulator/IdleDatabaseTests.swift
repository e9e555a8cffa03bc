// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import IndexCatalog
    import Synchronization
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Databases that nobody uses are closed, and those that were only read leave no files.
    @Suite struct IdleDatabaseTests {
        private let folder: TemporaryDirectory
        private let indexes = IndexSource()
        private let registry: DatabaseRegistry
        private let service: FirestoreService

        init() throws {
            folder = try TemporaryDirectory()
            var options = ServerOptions()
            options.folder = folder.path("data")
            registry = try DatabaseRegistry(options, indexes, RulesSource(), limit: 3)
            service = FirestoreService(registry)
        }

        private func id(_ name: String, project: Text = "p") -> DatabaseID {
            DatabaseID(project: project, database: Text(name))
        }

        /// Whether there is the document.
        private func read(_ database: DatabaseID, _ consistency: Consistency = .latest) async throws -> Bool {
            let path = try DocumentPath(parsing: "c/d")
            let snapshot = try await service.snapshot(
                of: database, consistency, for: .administrator, reading: .documents([path]))
            return try snapshot.document(path) != nil
        }

        private func write(_ database: DatabaseID) async throws {
            _ = try await service.commit(
                [.set("c/d", [:])], transaction: nil, in: database, by: .administrator)
        }

        private func names(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: self.folder.path(folder))) ?? []).sorted()
        }

        private func isOpen(_ database: DatabaseID) -> Bool { registry.all.contains { $0.id == database } }

        /// Whoever opened it may hold it for a moment longer.
        private func close(_ database: DatabaseID) async throws {
            _ = try await registry.database(id("latest"))
            try await wait(for: "the end of the last use") {
                registry.closeIdle(after: 1)
                return !isOpen(database)
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
            try await write(id("c"))
        }

        @Test func thereIsRoomForManyDatabases() async throws {
            for number in 0..<20 { try await write(id("d\(number)")) }
            for number in 0..<20 { #expect(try await read(id("d\(number)"))) }
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

        private func closeAll() async throws {
            try await wait(for: "the end of the last use") {
                registry.closeAll()
                return registry.all.isEmpty
            }
        }

        /// What a reader has seen stays so, also if the system's clock goes back.
        @Test(arguments: [false, true]) func noCommitIsBeforeARead(_ isWritten: Bool) async throws {
            if isWritten { try await write(id("a")) }
            let before = registry.clock.now
            let later = try #require(Timestamp(microseconds: before.microseconds + 3_600_000_000))
            try await registry.setClock(to: later)
            #expect(try await read(id("a")) == isWritten)
            try await closeAll()
            let refusal = await #expect(throws: RequestError.self) { try await registry.setClock(to: before) }
            #expect(refusal?.status == .failedPrecondition)
            registry.clock.set(before)
            let commit = try await service.commit([.set("c/e", [:])], transaction: nil, in: id("a"), by: .administrator)
            #expect(commit.commitTime > later)
        }

        private func configuration(_ field: String) -> IndexConfiguration {
            let index =
                #"{"collectionGroup":"c","queryScope":"COLLECTION","fields":["#
                + #"{"fieldPath":"\#(field)","order":"ASCENDING"},{"fieldPath":"z","order":"ASCENDING"}]}"#
            return ConfigurationReader.read(Array(#"{"indexes":[\#(index)]}"#.utf8)).configuration
        }

        private func composites(of database: DatabaseID) async throws -> [IndexDefinition] {
            try await registry.database(database).engine.catalog().composites.map(\.definition)
        }

        @Test func indexesOfARequestOutliveTheClosing() async throws {
            indexes.replace(configuration("a"))
            try await write(id("a"))
            #expect(try await composites(of: id("a")) == configuration("a").indexes)
            try await registry.database(id("a")).engine.apply(configuration("b"), prune: true)
            try await close(id("a"))
            #expect(try await composites(of: id("a")) == configuration("b").indexes)
            try await close(id("a"))
            // The file changes.
            indexes.replace(configuration("d"))
            registry.applyIndexes()
            #expect(try await composites(of: id("a")) == configuration("d").indexes)
        }

        /// In place of one that was closed, or that was removed as nobody had written to it.
        @Test(arguments: [false, true]) func filesOfOtherProgramsGetTheIndexes(_ isWritten: Bool) async throws {
            indexes.replace(configuration("a"))
            if isWritten { try await write(id("a")) }
            #expect(try await read(id("a")) == isWritten)
            try await close(id("a"))
            let path = folder.path("data/p/a.hearth")
            if isWritten {
                for file in [path, path + "-lock"] { try FileManager.default.removeItem(atPath: file) }
            }
            try #require(!FileManager.default.fileExists(atPath: path))
            var options = Engine.Options()
            options.identity = id("a")
            // More commits than the former file had.
            for number in 0..<20 {
                _ = try Engine.open(path, options).commit([.set("c/d", ["n": .integer(Int64(number))])])
            }
            #expect(try await composites(of: id("a")) == configuration("a").indexes)
        }

        /// A change of the index file keeps open only the database that is being changed.
        @Test func othersCanBeClosedWhileIndexesAreApplied() async throws {
            let seen = Mutex<[DatabaseID]?>(nil)
            let server = Mutex<DatabaseRegistry?>(nil)
            var options = ServerOptions()
            options.folder = folder.path("other")
            options.log = { _ in
                guard let registry = server.withLock({ $0 }) else { return }
                registry.closeIdle(after: 1)
                seen.withLock { $0 = registry.all.map(\.id) }
            }
            let registry = try DatabaseRegistry(options, indexes, RulesSource())
            server.withLock { $0 = registry }
            defer { server.withLock { $0 = nil } }
            for name in ["a", "b", "latest"] { _ = try await registry.database(id(name)) }
            // Its indexes cannot be changed, which is logged meanwhile.
            try FileManager.default.removeItem(atPath: folder.path("other/p/a.hearth"))
            indexes.replace(configuration("a"))
            try await wait(for: "the end of the last use") {
                registry.applyIndexes()
                return seen.withLock { $0 } == [id("a"), id("latest")]
            }
        }
    }
#endif
