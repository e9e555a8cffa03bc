// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

/// Databases that are opened for reading only.
struct FileAccessTests {
    let folder: TemporaryDirectory
    let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path("shipped.db")
        let database = try Database.open(path: path)
        for number in 0..<10 { try database.document("c/d\(number)").sync.setData(["n": number]) }
        try database.sync.setIndexConfiguration(
            #"{"indexes":[],"fieldOverrides":[{"collectionGroup":"c","fieldPath":"at","indexes":[],"ttl":true}]}"#)
    }

    private func settings(_ access: FileAccess) -> FirestoreSettings {
        let settings = FirestoreSettings()
        settings.fileAccess = access
        settings.timeToLiveSweepInterval = 1
        return settings
    }

    @Test(arguments: [FileAccess.readOnly, .immutable]) func itReadsAndDoesNotWrite(access: FileAccess) async throws {
        let before = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path + "-lock")
        let database = try await Database.open(path: path, settings: settings(access))
        #expect(FileManager.default.fileExists(atPath: path + "-lock") == (access == .readOnly))
        let query = database.collection("c").whereField("n", isGreaterThan: 5)
        #expect(try await query.getDocuments().count == 4)
        #expect(try await query.count.getAggregation(source: .server).count == 4)
        for try await snapshot in query.snapshots {
            #expect(snapshot.count == 4)
            break
        }
        #expect(try await database.verify().problemCount == 0)
        try await database.backup(to: URL(filePath: folder.path("copy.db")))
        let calls: [() async throws -> Void] = [
            { try await database.document("c/x").setData(["n": 1]) },
            { try await database.runTransaction { $0.deleteDocument(database.document("c/d1")) } },
            { try await database.setIndexConfiguration(#"{"indexes":[]}"#) },
            { _ = try await database.repair(settingAsideIn: URL(filePath: folder.path("aside"))) },
        ]
        for call in calls {
            let error = await #expect(throws: FirestoreError.self) { try await call() }
            #expect(error?.status == .failedPrecondition, "\(String(describing: error))")
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    /// As on a read-only volume: neither the file nor its directory is writable.
    @Test func anImmutableFileNeedsNoPermissionToWrite() async throws {
        try FileManager.default.removeItem(atPath: path + "-lock")
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        let database = try await Database.open(path: path, settings: settings(.immutable))
        #expect(try await database.collection("c").getDocuments().count == 10)
    }

    @Test(arguments: [FileAccess.readOnly, .immutable]) func aMissingFileIsNotMade(access: FileAccess) throws {
        let missing = folder.path("missing.db")
        #expect(throws: FirestoreError.self) { try Database.open(path: missing, settings: settings(access)) }
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test func twoWaysAtOnceAreRefused() throws {
        let writing = try Database.open(path: path)
        let error = #expect(throws: FirestoreError.self) {
            try Database.open(path: path, settings: settings(.immutable))
        }
        #expect(error?.status == .failedPrecondition)
        #expect(try writing.document("c/d1").sync.getDocument().exists)
    }
}
