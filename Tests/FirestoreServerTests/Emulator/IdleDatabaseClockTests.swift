// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import IndexCatalog
    import QueryPlanner
    import TestSupport
    import Testing

    @testable import FirestoreServer

    // No commit has a time at which a database was read before it was closed.
    extension IdleDatabaseTests {
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

        @Test func noCommitIsBeforeAReadThatIsForgotten() async throws {
            let before = registry.clock.now
            let later = try #require(Timestamp(microseconds: before.microseconds + 3_600_000_000))
            registry.clock.set(later)
            #expect(try await registry.database(id("a")).engine.readTime() >= later)
            try await closeAll()
            #expect(registry.notes.isEmpty)
            await #expect(throws: RequestError.self) { try await registry.setClock(to: before) }
            registry.clock.set(before)
            let commit = try await service.commit([.set("c/d", [:])], transaction: nil, in: id("a"), by: .administrator)
            #expect(commit.commitTime > later)
        }

        private static let timeToLive: IndexConfiguration = {
            let file = #"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"at","ttl":true,"indexes":[]}]}"#
            return ConfigurationReader.read(Array(file.utf8)).configuration
        }()

        private func advance() async throws {
            let now = registry.clock.now
            try await registry.setClock(to: #require(Timestamp(microseconds: now.microseconds + 60_000_000)))
        }

        /// Neither those that nobody uses are kept open, nor those opened that were closed.
        @Test func theClockIsNoUse() async throws {
            try await write(id("a"))
            _ = try await registry.database(id("latest"))
            try await wait(for: "the end of the last use") {
                registry.closeIdle(after: 2)
                try await advance()
                return !isOpen(id("a"))
            }
            try await advance()
            #expect(!isOpen(id("a")))
        }

        /// Those are opened whose documents expire: by indexes that a request has set, or by a file that has changed since.
        @Test(arguments: [false, true]) func documentsOfClosedDatabasesExpire(_ isOfFile: Bool) async throws {
            let now = registry.clock.now
            for name in ["a", "b"] {
                _ = try await service.commit(
                    [.set("c/d", ["at": .timestamp(now)])], transaction: nil, in: id(name), by: .administrator)
            }
            if !isOfFile { try await registry.database(id("a")).engine.apply(Self.timeToLive, prune: true) }
            try await closeAll()
            if isOfFile { indexes.replace(nil, byDatabase: ["a": Self.timeToLive]) }
            try await advance()
            #expect(registry.all.map(\.id) == [id("a")])
            #expect(try await !read(id("a")))
            #expect(try await read(id("b")))
        }

        /// Another program may have given a closed file a time to live.
        @Test func documentsExpireByWhatAnotherProgramSays() async throws {
            let now = registry.clock.now
            for name in ["a", "b"] {
                _ = try await service.commit(
                    [.set("c/d", ["at": .timestamp(now)])], transaction: nil, in: id(name), by: .administrator)
            }
            try await closeAll()
            try await advance()
            #expect(registry.all.isEmpty)
            do {
                var options = Engine.Options()
                options.creates = false
                let other = try Engine.open(folder.path("data/p/a.hearth"), options)
                try other.apply(Self.timeToLive, prune: true)
            }
            try await advance()
            #expect(registry.all.map(\.id) == [id("a")])
            #expect(try await !read(id("a")))
            #expect(try await read(id("b")))
        }

        /// Once their past cannot be read any more, a query of their group visits none of them.
        @Test func collectionsThatWentAreForgotten() async throws {
            for number in 0..<20 {
                let path = try DocumentPath(parsing: "rooms/\(number)/messages/a")
                for write in [Write.set(path, [:]), Write(path, .delete)] {
                    _ = try await service.commit([write], transaction: nil, in: id("a"), by: .administrator)
                }
            }
            let query = Query(from: CollectionSelector(collectionID: "messages", allDescendants: true))
            func visited() async throws -> Int {
                try await registry.database(id("a")).engine.run(query).counters.seeks
            }
            await registry.forgetEmptyCollections()
            #expect(try await visited() >= 20)
            let now = registry.clock.now
            try await registry.setClock(to: #require(Timestamp(microseconds: now.microseconds + 3_700_000_000)))
            await registry.forgetEmptyCollections()
            #expect(try await visited() == 0)
        }
    }
#endif
