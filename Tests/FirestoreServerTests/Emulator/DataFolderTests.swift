// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import TestSupport
    import Testing

    /// Folders that keep the databases.
    @Suite struct DataFolderTests {
        @Test func documentsOutliveTheServer() async throws {
            let folder = try TemporaryDirectory()
            let path = folder.path("data")
            for round in 0..<2 {
                let server = try TestServer { $0.folder = path }
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
            func folders() throws -> Set<String> {
                let all = try FileManager.default.contentsOfDirectory(
                    atPath: FileManager.default.temporaryDirectory.path)
                return Set(all.filter { $0.hasPrefix("hearth-serve-") })
            }
            let before = try folders()
            do {
                let server = try TestServer()
                let connection = try await GRPCConnection.open(server.port)
                try await connection.fill("c", 10)
                #expect(try folders().subtracting(before).count == 1)
            }
            try await wait(for: "the end of the folder") { try folders().subtracting(before).isEmpty }
        }
    }
#endif
