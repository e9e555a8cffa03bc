// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import IndexCatalog
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Folders that keep the databases.
    @Suite struct DataFolderTests {
        @Test func documentsOutliveTheServer() async throws {
            let folder = try TemporaryDirectory()
            let path = folder.path("data")
            for round in 0..<2 {
                // The task of an answered request may hold the former server for a moment longer.
                var opened: TestServer?
                try await wait(for: "the end of the former server") {
                    opened = try? TestServer { $0.folder = path }
                    return opened != nil
                }
                let server = try #require(opened)
                let connection = try await GRPCConnection.open(server.port)
                #expect(try await connection.ids(.all("c")).count == round)
                try await connection.commit([.set("c/d\(round)", [:])])
                server.server.stop()
                let files = try FileManager.default.contentsOfDirectory(atPath: "\(path)/p")
                #expect(files.contains { $0.hasSuffix(".hearth") }, "\(files)")
            }
            for name in ["", "/p"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
                #expect(attributes[.posixPermissions] as? Int == 0o700)
            }
        }

        /// Only what was written to, and what a snapshot was taken of, which is restored in its file.
        @Test func readsLeaveNoFiles() async throws {
            let folder = try TemporaryDirectory()
            let path = folder.path("data")
            let server = try TestServer { $0.folder = path }
            func send(_ method: String, _ place: String, _ body: String = "") async throws -> Int {
                try await server.http(method, place, body).status
            }
            for name in ["p/databases/a", "p/databases/b", "q/databases/(default)"] {
                #expect(try await send("GET", "/v1/projects/\(name)/documents/c/d") == 404)
                #expect(try await send("POST", "/v1/projects/\(name)/documents:listCollectionIds", "{}") == 200)
            }
            #expect(try await send("PATCH", "/v1/projects/p/databases/a/documents/c/d", "{}") == 200)
            #expect(try await send("POST", "/emulator/v1/projects/p/databases/s:snapshot") == 200)
            server.server.stop()
            try await wait(for: "the end of the last use") {
                server.server.closeDatabases()
                return try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
                    == ["p", "p/a.hearth", "p/a.hearth-lock", "p/s.hearth", "p/s.hearth-lock", "serve.lock"]
            }
        }

        /// A file that cannot be opened fails its own requests, each of them, and no others.
        @Test func aDamagedFile() async throws {
            let folder = try TemporaryDirectory()
            let path = folder.path("data")
            try FileManager.default.createDirectory(atPath: "\(path)/p", withIntermediateDirectories: true)
            try Data(repeating: 1, count: 10_000).write(to: URL(filePath: "\(path)/p/damaged.hearth"))
            let server = try TestServer { $0.folder = path }
            for _ in 0..<2 {
                let damaged = try await server.http("GET", "/v1/projects/p/databases/damaged/documents/c")
                #expect(damaged.status >= 400)
                #expect(try await server.http("GET", "/v1/projects/p/databases/d/documents/c").status == 200)
            }
        }

        /// Requests that come together wait for one opening.
        @Test func oneDatabaseForAll() async throws {
            let registry = try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource())
            let databases = try await withThrowingTaskGroup(of: ServedDatabase.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await registry.database(DatabaseID(project: "p", database: Text("d\(number % 3)")))
                    }
                }
                return try await group.reduce(into: [ServedDatabase]()) { $0.append($1) }
            }
            #expect(Set(databases.map { ObjectIdentifier($0) }).count == 3)
        }

        @Test func usedFolder() throws {
            let folder = try TemporaryDirectory()
            let first = try TestServer { $0.folder = folder.url.path }
            do {
                _ = try TestServer { $0.folder = folder.url.path }
                Issue.record("the folder has a server")
            } catch let error as DataFolderError {
                #expect(
                    error.message.contains("process \(ProcessInfo.processInfo.processIdentifier);"), "\(error.message)")
            }
            withExtendedLifetime(first) {}
        }

        @Test func temporaryFolderIsRemoved() async throws {
            // Other processes may begin and end servers meanwhile.
            func folders() throws -> Set<String> {
                let parent = FileManager.default.temporaryDirectory
                let own = "\(ProcessInfo.processInfo.processIdentifier)\n"
                let all = try FileManager.default.contentsOfDirectory(atPath: parent.path)
                return Set(
                    all.filter { name in
                        let lock = parent.appending(path: "\(name)/serve.lock").path
                        return name.hasPrefix("hearth-serve-")
                            && (try? String(contentsOfFile: lock, encoding: .utf8))?.hasPrefix(own) == true
                    })
            }
            let before = try folders()
            var made: Set<String> = []
            do {
                let server = try TestServer()
                let connection = try await GRPCConnection.open(server.port)
                try await connection.fill("c", 10)
                made = try folders().subtracting(before)
                #expect(!made.isEmpty)
            }
            try await wait(for: "the end of the folder") { try made.isDisjoint(with: folders()) }
        }

        /// The next server removes it, but none that was chosen, whose server lives, or has not said its process yet.
        @Test func folderOfAKilledServerIsRemoved() throws {
            let parent = FileManager.default.temporaryDirectory
            let lines: [String?] = ["1\ntemporary\n", "1\n", "", nil]
            let names = lines.map { (parent.appending(path: "hearth-serve-\(UUID().uuidString)"), $0) }
            defer { for (folder, _) in names { try? FileManager.default.removeItem(at: folder) } }
            for (folder, line) in names {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                try line.map { try Data($0.utf8).write(to: folder.appending(path: "serve.lock")) }
            }
            let living = try DataFolder(nil)
            try withExtendedLifetime(DataFolder(nil)) {}
            #expect(names.map { FileManager.default.fileExists(atPath: $0.0.path) } == [false, true, true, true])
            let folder = try URL(filePath: living.file(of: DatabaseID(project: "p"))).deletingLastPathComponent()
            #expect(FileManager.default.fileExists(atPath: folder.path + "/../serve.lock"))
        }
    }
#endif
