// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import Hearth
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

/// Copies, exports, verification and repair through the public API.
struct FilesTests {
    let folder: TemporaryDirectory
    let database: Database

    init() throws {
        folder = try TemporaryDirectory()
        database = try Database.open(path: folder.path("files.db"))
        for number in 0..<300 {
            try database.document("c/d\(number)").sync.setData(["n": number, "text": "a \u{202E} \"line\"\n"])
        }
        try database.document("c/d7/below/e").sync.setData(["tags": ["x"]])
    }

    private func file(_ name: String) -> URL { URL(filePath: folder.path(name)) }

    /// The fractions that a call reported, which only rise.
    private final class Told: Sendable {
        private let fractions = Mutex<[Double]>([])
        var all: [Double] { fractions.withLock { $0 } }
        func add(_ fraction: Double) { fractions.withLock { $0.append(fraction) } }

        func check(ends: Bool = true) {
            #expect(!all.isEmpty && all.count <= 101 && all == all.sorted() && all.allSatisfy { (0...1).contains($0) })
            if ends { #expect(all.last == 1) }
        }
    }

    @Test(arguments: [true, false]) func aCopyIsTheDatabase(compacting: Bool) async throws {
        let (copy, told) = (file("copy.db"), Told())
        if compacting {
            try await database.compact(to: copy, progress: told.add)
        } else {
            try await database.backup(to: copy, progress: told.add)
        }
        told.check()
        let attributes = try FileManager.default.attributesOfItem(atPath: copy.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let opened = try await Database.open(path: copy.path)
        #expect(try await opened.collection("c").whereField("n", isLessThan: 5).getDocuments().count == 5)
        #expect(try await opened.verify().problemCount == 0)
        #expect(try await opened.document("c/d7/below/e").getDocument().exists)
    }

    /// A callback may write, and wait for that.
    @Test(arguments: [true, false]) func progressIsToldOutsideOfTheCopysRead(compacting: Bool) throws {
        let (copy, told) = (file("copy.db"), Told())
        for number in 0..<3 {
            let text = String(repeating: "x", count: 500_000)
            try database.document("large/\(number)").sync.setData(["text": text])
        }
        let report: @Sendable (Double) -> Void = { [database] fraction in
            #expect(throws: Never.self) {
                try database.document("told/\(told.all.count)").sync.setData(["f": fraction])
            }
            told.add(fraction)
        }
        if compacting {
            try database.sync.compact(to: copy, progress: report)
        } else {
            try database.sync.backup(to: copy, progress: report)
        }
        told.check()
        #expect(told.all.count > 1)
        #expect(try database.collection("told").sync.getDocuments().count == told.all.count)
        #expect(try Database.open(path: copy.path).sync.verify().problemCount == 0)
    }

    @Test func nothingIsOverwritten() async throws {
        let existing = file("existing")
        try Data("mine".utf8).write(to: existing)
        let calls: [() async throws -> Void] = [
            { try await database.backup(to: existing) }, { try await database.compact(to: existing) },
            { try await database.exportDocuments(to: existing) },
        ]
        for call in calls {
            let error = await #expect(throws: FirestoreError.self) { try await call() }
            #expect(error?.status == .alreadyExists)
            #expect(try Data(contentsOf: existing) == Data("mine".utf8))
        }
        let error = #expect(throws: FirestoreError.self) {
            try database.sync.exportDocuments(to: file("no folder").appending(path: "x"))
        }
        #expect(error?.status == .notFound)
    }

    @Test func anExportIsImported() async throws {
        let (lines, told) = (file("all.ndjson"), Told())
        #expect(try await database.exportDocuments(to: lines, progress: told.add) == 301)
        told.check()
        let other = try await Database.open(path: folder.path("other.db"))
        #expect(try await other.importDocuments(from: lines).imported == 301)
        let (left, right) = (file("left"), file("right"))
        #expect(try await database.collection("c").exportDocuments(to: left) == 300)
        #expect(try await other.collection("c").exportDocuments(to: right) == 300)
        #expect(try Data(contentsOf: left) == Data(contentsOf: right))
        #expect(throws: FirestoreError.self) { try database.collection("a/b").sync.exportDocuments(to: file("x")) }
    }

    @Test func verificationCounts() throws {
        let told = Told()
        let result = try database.sync.verify(progress: told.add)
        told.check()
        // A number and a string have one entry each; an array has one for itself and one for its element.
        #expect(result.documents == 301)
        #expect(result.indexEntries == 602)
        #expect(result.problems == [] && result.problemCount == 0)
    }

    @Test func repairSetsAside() async throws {
        try damage("c/d5")
        let found = try await database.verify()
        #expect(found.problemCount > 0 && found.problems.contains { $0.contains("c/d5") })
        let (aside, told) = (file("aside.ndjson"), Told())
        let result = try await database.repair(settingAsideIn: aside, progress: told.add)
        told.check(ends: false)
        #expect(result.documents == 300 && result.setAside.count == 1)
        let line = try String(contentsOf: aside, encoding: .utf8)
        #expect(line.hasPrefix(#"{"name":"c/d5","reason":"#) && line.hasSuffix("}\n"))
        #expect(try await database.verify().problemCount == 0)
    }

    /// Not even root makes files there.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/sys")))
    func repairNamesAFileThatCannotBeWritten() throws {
        try damage("c/d5")
        let error = #expect(throws: FirestoreError.self) {
            try database.sync.repair(settingAsideIn: URL(filePath: "/sys/aside.ndjson"))
        }
        #expect(error?.status == .permissionDenied)
        #expect(error?.localizedDescription.hasPrefix("/sys/aside.ndjson cannot be written: ") == true)
        #expect(try database.sync.verify().problemCount > 0)
    }

    /// Asynchronous and blocking.
    @Test func repairUpgradesAnOlderFormat() async throws {
        let path = folder.path("old.db")
        let old = Locations.packageRoot.appending(path: "Tests/DocumentEngineTests/Formats/format-3.db")
        for isBlocking in [false, true] {
            try Data(contentsOf: old).write(to: URL(filePath: path))
            let error = await #expect(throws: FirestoreError.self) { try await Database.open(path: path) }
            #expect(error?.status == .failedPrecondition)
            let blocking = { try Database.repair(path: path, settingAsideIn: file("aside.ndjson")) }
            let result =
                isBlocking
                ? try blocking() : try await Database.repair(path: path, settingAsideIn: file("aside.ndjson"))
            #expect(result.documents == 12 && result.setAside == [])
            let upgraded = try await Database.open(path: path)
            #expect(try await upgraded.verify().problemCount == 0)
            #expect(try await upgraded.collection("cities").getDocuments().count == 7)
            try await upgraded.terminate()
        }
        #expect(!FileManager.default.fileExists(atPath: file("aside.ndjson").path))
    }

    /// Changes a byte in the middle of a stored document.
    private func damage(_ path: DocumentPath) throws {
        let engine = try Engine.open(folder.path("files.db"))
        let documents = engine.stores.documents
        let (key, record) = try engine.read { (transaction) throws(EngineError) -> ([UInt8], [UInt8]) in
            let collectionID = try engine.ids.collectionID(of: path.collection, transaction)
            let key = DocumentKey.bytes(of: path.id, in: collectionID ?? 0)
            guard let stored = try transaction.get(key.span.bytes, from: .documents) else { return (key, []) }
            return (key, [UInt8](copying: stored))
        }
        var damaged = record
        damaged[record.count / 2] ^= 1
        try engine.environment.write { (transaction) throws(LMDBError) in
            var transaction = transaction.makeCursors()
            let cursor = try transaction.open(documents)
            try transaction.put(cursor, key: key.span.bytes, value: damaged.span.bytes)
        }
    }
}
