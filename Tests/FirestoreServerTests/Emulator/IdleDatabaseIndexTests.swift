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

    // Databases that are opened again have the indexes that they had, or those of a file that has changed.
    extension IdleDatabaseTests {
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

        /// Whoever applies the file does not find a database that is about to be open.
        @Test func aFileThatChangesAtTheEndOfAnOpening() async throws {
            indexes.replace(configuration("a"))
            let made = Result { () throws(RequestError) in try registry.make(id("a")) }
            indexes.replace(configuration("b"))
            registry.applyIndexes()
            registry.finish(id("a"), made)
            #expect(try await composites(of: id("a")) == configuration("b").indexes)
        }

        /// What was only named leaves no file after a change of the index file, and what was written stays.
        @Test func aChangedFileIsNoWrite() async throws {
            indexes.replace(configuration("a"))
            for name in ["a", "b"] { #expect(try await !read(id(name))) }
            for field in ["b", "d"] {
                indexes.replace(configuration(field))
                registry.applyIndexes()
                #expect(try await composites(of: id("a")) == configuration(field).indexes)
            }
            try await write(id("b"))
            indexes.replace(configuration("a"))
            registry.applyIndexes()
            for name in ["a", "b"] { try await close(id(name)) }
            #expect(!names("data/p").contains("a.hearth"))
            #expect(try await read(id("b")))
        }

        @Test func aFileThatChangesAtTheEndOfAnOpeningIsNoWrite() async throws {
            do {
                let made = Result { () throws(RequestError) in try registry.make(id("a")) }
                indexes.replace(configuration("b"))
                registry.finish(id("a"), made)
            }
            #expect(try await composites(of: id("a")) == configuration("b").indexes)
            try await close(id("a"))
            #expect(!names("data/p").contains("a.hearth"))
        }

        /// Also what is deleted or cleared again while indexes are applied.
        @Test(arguments: [false, true]) func whatIsWrittenMeanwhileIsSeen(_ isCleared: Bool) async throws {
            let database = try await registry.database(id("a"))
            let start = try ResumeToken(presentOf: database.engine)
            try database.engine.apply(configuration("a"), prune: true)
            #expect(database.lastCommit(ifUnchangedSince: start) != nil)
            try await write(id("a"))
            #expect(database.lastCommit(ifUnchangedSince: start) == nil)
            if isCleared {
                try database.engine.clear()
            } else {
                _ = try database.engine.commit([Write(DocumentPath(parsing: "c/d"), .delete)])
            }
            #expect(database.lastCommit(ifUnchangedSince: start) == nil)
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
