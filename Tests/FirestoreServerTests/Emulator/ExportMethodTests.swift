// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    /// The emulator's route `:export`.
    @Suite struct ExportMethodTests {
        let server: TestServer
        let connection: GRPCConnection
        let directory: TemporaryDirectory

        init() async throws {
            server = try TestServer()
            connection = try await GRPCConnection.open(server.port)
            directory = try TemporaryDirectory()
        }

        private func send(_ verb: String, _ folder: String, _ name: String? = nil) async throws -> HTTPReply {
            let member = name.map { #","export_name":"\#($0)""# } ?? ""
            return try await server.http(
                "POST", "/emulator/v1/projects/p:\(verb)",
                #"{"database":"\#(Names.database)","export_directory":"\#(folder)"\#(member)}"#)
        }

        private func names(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }

        @Test func replacesAFormerExport() async throws {
            let folder = directory.path("exports")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            for count in [3, 1] {
                try await connection.fill("c", count)
                #expect(try await send("export", folder, "backup").status == 200)
                #expect(try names(folder) == ["backup"])
                #expect(try await server.http("DELETE", "/emulator/v1/\(Names.database)/documents").status == 200)
                #expect(try await send("import", "\(folder)/backup").status == 200)
                #expect(try await connection.ids(.all("c")).count == count)
                #expect(try await server.http("DELETE", "/emulator/v1/\(Names.database)/documents").status == 200)
            }
        }

        /// The emulator adds an export to a folder's other files, too.
        @Test(arguments: ["other", "file", "..", "."]) func keepsOtherFiles(_ name: String) async throws {
            let folder = directory.path("exports")
            try FileManager.default.createDirectory(
                atPath: "\(folder)/other", withIntermediateDirectories: true)
            for path in ["other/notes", "file"] { try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(path)")) }
            let reply = try await send("export", folder, name)
            let isAdded = name == "other"
            #expect(reply.error?.status == (isAdded ? nil : "INVALID_ARGUMENT"))
            #expect(try names(folder) == ["file", "other"])
            let added = isAdded ? ["all_namespaces", "other.overall_export_metadata"] : []
            #expect(try names("\(folder)/other") == (added + ["notes"]).sorted())
        }

        /// Mounting a disk requires root; otherwise the test says that it was skipped.
        @Test func leavesNothingOnAFullDisk() async throws {
            let disk = directory.path("disk")
            mkdir(disk, 0o700)
            defer { rmdir(disk) }
            guard mount("tmpfs", disk, "tmpfs", 0, "size=1m") == 0 else {
                return print("leavesNothingOnAFullDisk: skipped: a tmpfs cannot be mounted here")
            }
            defer { umount2(disk, 2) }
            try await connection.fill("c", 1)
            #expect(try await send("export", disk, "backup").status == 200)
            let former = try FileManager.default.subpathsOfDirectory(atPath: disk).sorted()
            try await connection.fill("c", 30, size: 100_000)
            for name in ["backup", "next"] {
                let reply = try await send("export", disk, name)
                #expect(reply.status == 429)
                #expect(reply.error?.status == "RESOURCE_EXHAUSTED")
                let message = reply.error?.message ?? ""
                #expect(message.hasSuffix(" cannot be written: No space left on device"), "\(message)")
                #expect(try FileManager.default.subpathsOfDirectory(atPath: disk).sorted() == former)
            }
            #expect(try await send("import", "\(disk)/backup").status == 200)
        }
    }
#endif
