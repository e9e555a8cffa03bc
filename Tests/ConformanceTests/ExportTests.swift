// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreServer
    import Foundation
    import QueryPlanner
    import TestSupport
    import Testing

    /// Exports of the official emulator and of Hearth, each read by both.
    @Suite(.serialized) struct ExportTests {
        private let database = DatabaseID(project: "hearth")
        /// Into which what was exported is loaded.
        private let copy = DatabaseID(project: "copy")

        /// `HEARTH_EXPORT_DOCUMENTS` sets another number.
        private static let count = Rounds.of(3_000, or: "HEARTH_EXPORT_DOCUMENTS")

        @Test func exportsAreReadByBoth() throws {
            guard let emulator = try EmulatorTests.client() else { return }
            var random = EmulatorTests.generator()
            let served = try ServedHearth(.strict)
            let hearth = served.client
            let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-exports-\(random.seed)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try fill(emulator, &random)
            let expected = try documents(of: emulator, database)
            try #require(expected.count > ExportTests.count / 2)
            // Only the emulator has the documents: from there to Hearth, and back.
            try export(emulator, database, folder, "first")
            try load(hearth, database, folder, "first")
            expectEqual(try documents(of: hearth, database), expected)
            try export(hearth, database, folder, "second")
            try load(emulator, copy, folder, "second")
            expectEqual(try documents(of: emulator, copy), expected)
            for client in [emulator, hearth] {
                for database in [database, copy] {
                    _ = try client.send("DELETE", "emulator/v1/\(database.resourceName)/documents", nil)
                }
            }
            print("\(expected.count) documents are equal after an export of the emulator and one of Hearth")
        }

        /// In commits of a thousand, each below a document of its own.
        private func fill(_ client: EmulatorClient, _ random: inout SeededGenerator) throws {
            _ = try client.send("DELETE", "emulator/v1/\(database.resourceName)/documents", nil)
            for start in stride(from: 0, to: ExportTests.count, by: 500) {
                let offered = DocumentGenerator().documents(min(500, ExportTests.count - start), &random)
                let placed = offered.map { path, fields in
                    (DocumentPath(ResourcePath(segments: ["part", Text("\(start)")] + path.resource.segments)), fields)
                }
                _ = try client.addDocuments(Dictionary(uniqueKeysWithValues: placed), to: database)
            }
        }

        private func export(_ client: EmulatorClient, _ database: DatabaseID, _ folder: URL, _ name: String) throws {
            try post(
                client, "export", database,
                ["database": database.resourceName, "export_directory": folder.path, "export_name": name])
        }

        private func load(_ client: EmulatorClient, _ database: DatabaseID, _ folder: URL, _ name: String) throws {
            let file = folder.appending(path: "\(name)/\(name).overall_export_metadata").path
            try post(client, "import", database, ["database": database.resourceName, "export_directory": file])
        }

        private func post(
            _ client: EmulatorClient, _ verb: String, _ database: DatabaseID, _ body: [String: String]
        ) throws {
            let (status, answer) = try client.send(
                "POST", "emulator/v1/projects/\(database.project):\(verb)", try JSONEncoder().encode(body))
            try #require(status == 200, "\(verb): \(String(decoding: answer, as: UTF8.self))")
        }

        private func expectEqual(_ found: [DocumentPath: Fields], _ expected: [DocumentPath: Fields]) {
            #expect(found.count == expected.count)
            let difference = expected.first { path, fields in
                found[path].map { !Scenario.agree(.map($0), .map(fields)) } ?? true
            }
            guard let (path, fields) = difference else { return }
            let other = found[path].map { QueryText.text(of: .map($0)) } ?? "absent"
            Issue.record("\(path) is \(other), not \(QueryText.text(of: .map(fields)))")
        }

        private func documents(of client: EmulatorClient, _ database: DatabaseID) throws -> [DocumentPath: Fields] {
            let query = Query(from: CollectionSelector(collectionID: nil, allDescendants: true))
            guard case .documents(let rows) = try client.run(.documents(query), in: database) else { return [:] }
            return Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0.fields) })
        }
    }
#endif
