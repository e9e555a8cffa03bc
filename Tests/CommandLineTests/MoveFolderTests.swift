// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The folders that `push --to-export` writes and `pull --from-export` reads.
extension MoveCommandTests {
    /// A folder is no export because it holds exports below.
    @Test func foldersAroundExports() throws {
        try makeDatabase()
        func push(_ folder: String) throws -> Run {
            try bench.hearth("push", "a.db", "--project", "p", "--to-export", folder)
        }
        for folder in ["proj/src", "proj/backups", "proj/firestore_export"] {
            try FileManager.default.createDirectory(
                at: bench.folder.url.appending(path: folder), withIntermediateDirectories: true)
        }
        for day in ["monday", "tuesday"] { #expect(try push("proj/backups/\(day)").code == 0) }
        try bench.write("proj/src/code.txt", "mine")
        try bench.write("proj/firestore_export/code.txt", "mine")
        for (folder, name) in [("proj", "backups"), ("proj/backups", "monday"), ("proj/backups/..", "backups")] {
            let run = try push(folder)
            #expect(run.code == 2 && run.errors.contains("move \"\(name)\" away"), "\(run.errors)")
        }
        #expect(try bench.contents("proj/src/code.txt") == Data("mine".utf8))
        #expect(try bench.hearth("pull", "b.db", "--from-export", "proj/backups/monday").code == 0)
        let several = try bench.hearth("pull", "c.db", "--from-export", "proj/backups")
        #expect(several.code == 2, "\(several.errors)")
        #expect(several.errors.contains("such as \"proj/backups/monday\" and \"proj/backups/tuesday\";"))
        try FileManager.default.removeItem(at: bench.folder.url.appending(path: "proj/backups"))
        let own = try push("proj")
        #expect(own.code == 2 && own.errors.contains("move \"firestore_export\" away"), "\(own.errors)")
    }

    @Test(arguments: [
        ["push", "a.db", "--to-export", "x", "--emulator", "localhost:1"],
        ["push", "a.db", "--to-export", "x", "--credentials", "key.json"],
        ["push", "a.db", "--to-export", "x", "--rate", "5"], ["push", "a.db", "--to-export", "x", "--no-compare"],
        ["pull", "a.db", "--from-export", "x", "--emulator", "localhost:1"],
        ["pull", "a.db", "--from-export", "x", "--credentials", "key.json"],
    ])
    func filesNeedNoServer(_ arguments: [String]) throws {
        let run = try bench.hearth(arguments: arguments + ["--project", "p"])
        #expect(run.code == 64 && run.errors.contains(arguments[2]), "\(run)")
    }

    /// What `firebase emulators:export` wrote for other emulators remains, and its list.
    @Test func partsOfOtherEmulators() throws {
        try makeDatabase()
        #expect(try bench.hearth("push", "a.db", "--project", "p", "--to-export", "all").code == 0)
        try FileManager.default.createDirectory(
            at: bench.folder.url.appending(path: "all/auth_export"), withIntermediateDirectories: true)
        try bench.write("all/auth_export/accounts.json", "{}")
        let auth = #"{"version":"13.0.0","path":"auth_export"}"#
        let firestore =
            #"{"version":"1.19.8","path":"firestore_export","metadata_file":"firestore_export/firestore_export.overall_export_metadata"}"#
        try bench.write(
            "all/firebase-export-metadata.json", #"{"version":"13.0.0","firestore":\#(firestore),"auth":\#(auth)}"#)
        #expect(try bench.hearth("set", "a.db", "c/more", "{}").code == 0)
        let run = try bench.hearth("push", "a.db", "--project", "p", "--to-export", "all")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try bench.contents("all/auth_export/accounts.json") == Data("{}".utf8))
        let list = try JSONSerialization.jsonObject(with: bench.contents("all/firebase-export-metadata.json"))
        let parts = try #require(list as? [String: Any])
        #expect(Set(parts.keys) == ["version", "firestore", "auth"])
        #expect((parts["auth"] as? [String: String])?["path"] == "auth_export")
        #expect(try bench.hearth("pull", "b.db", "--from-export", "all").output.hasPrefix("5 documents"))
    }

    /// It looked like a folder without an export. Root may read it.
    @Test(.enabled(if: geteuid() != 0)) func folderThatMayNotBeRead() throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: bench.path("closed"), withIntermediateDirectories: true)
        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: bench.path("closed"))
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: bench.path("closed")) }
        let run = try bench.hearth("pull", "b.db", "--from-export", "closed")
        #expect(run.code == 2 && run.errors.hasPrefix("hearth: \"closed\" cannot be read: Permission denied"), "\(run)")
    }

    /// Damage that is found while documents are loaded is no refusal of a document.
    @Test func damagedExport() throws {
        let long = String(repeating: "x", count: 100_000)
        let lines = [#"{"name":"c/a"}"#, #"{"name":"c/b","fields":{"s":{"stringValue":"\#(long)"}}}"#]
        #expect(try bench.hearth(arguments: ["import", "a.db", "-"], input: lines.joined(separator: "\n")).code == 0)
        #expect(try bench.hearth("push", "a.db", "--project", "p", "--to-export", "x").code == 0)
        let file = "x/firestore_export/all_namespaces/all_kinds/output-0"
        var bytes = try bench.contents(file)
        bytes[60_000] ^= 1
        try bytes.write(to: bench.folder.url.appending(path: file))
        let run = try bench.hearth("pull", "b.db", "--from-export", "x")
        #expect(run.code == 2 && run.errors.contains("cannot be imported: a checksum is wrong"), "\(run)")
    }
}
