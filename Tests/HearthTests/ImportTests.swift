// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

/// Plain JSON lines as documents of one collection.
struct ImportTests {
    let folder: TemporaryDirectory
    let database: Database

    init() throws {
        folder = try TemporaryDirectory()
        database = try Database.open(path: folder.path("import.db"))
    }

    private func file(_ lines: String...) throws -> URL {
        let file = URL(filePath: folder.path("lines.ndjson"))
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        return file
    }

    @Test func idsFromAField() async throws {
        let cities = database.collection("cities")
        let summary = try await cities.importDocuments(
            from: file(
                #"{"code":"TYO","population":37400000,"area":2194.1,"names":["Tokyo","Edo"]}"#, "",
                #"{"code":7,"capital":true}"#, #"{"population":1}"#, #"{"code":"a/b"}"#, #"{"code":1.5}"#, "[1]", "{"),
            idField: "code")
        #expect(summary.imported == 2)
        #expect(summary.rejections.map(\.line) == [4, 5, 6, 7, 8])
        let tokyo = try await cities.document("TYO").getDocument()
        #expect(tokyo["population"] as? Int == 37_400_000 && tokyo["area"] as? Double == 2194.1)
        #expect(tokyo["names"] as? [String] == ["Tokyo", "Edo"] && tokyo["code"] as? String == "TYO")
        #expect(try await cities.document("7").getDocument()["capital"] as? Bool == true)
    }

    @Test func generatedIDs() throws {
        let summary = try database.collection("a/b/c").sync.importDocuments(from: file(#"{"x":1}"#, #"{"x":1}"#))
        #expect(summary.imported == 2)
        let ids = try database.collection("a/b/c").sync.getDocuments().documents.map(\.documentID)
        #expect(Set(ids).count == 2 && ids.allSatisfy { $0.count == 20 })
    }

    /// Not even root reads the first of these files.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/sys/bus/cpu/uevent")))
    func whyAFileCannotBeRead() throws {
        let cases: [(String, FirestoreErrorCode.Code)] = [
            ("/sys/bus/cpu/uevent", .permissionDenied), (folder.path("nowhere"), .notFound),
        ]
        for (path, status) in cases {
            let error = #expect(throws: FirestoreError.self) {
                try database.sync.importDocuments(from: URL(filePath: path))
            }
            #expect(error?.status == status)
            #expect(error?.localizedDescription.hasPrefix("\(path) cannot be read: ") == true)
        }
    }

    @Test func impossiblePathsAndFiles() throws {
        let some = try file(#"{"x":1}"#)
        #expect(throws: FirestoreError.self) { try database.collection("a/b").sync.importDocuments(from: some) }
        #expect(throws: FirestoreError.self) {
            try database.collection("a").sync.importDocuments(from: URL(filePath: folder.path("nowhere")))
        }
        #expect(try database.collection("__x__").sync.importDocuments(from: some).rejected == 1)
    }
}
