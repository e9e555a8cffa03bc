// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import TestSupport
import Testing

@testable import DocumentEngine

/// Files of every released format open, verify, and hold what they held.
///
/// `Formats/format-N.db` is a file of format N with every type of value, long names, composite indexes and an override.
/// `format-N.ndjson` is the export of the version that wrote it. A new format adds a pair and changes no other.
@Suite struct FormatTests {
    private static let folder = Locations.packageRoot.appending(path: "Tests/DocumentEngineTests/Formats")

    private func copy(of format: Int64, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path("old.db")
        try FileManager.default.copyItem(
            at: Self.folder.appending(path: "format-\(format).db"), to: URL(filePath: path))
        return path
    }

    @Test(arguments: 1...DatabaseHeader.currentFormat) func aFileOfEveryFormatIsReadAndWritten(_ format: Int64) throws {
        let directory = try TemporaryDirectory()
        let engine = try Engine.open(try copy(of: format, in: directory))
        #expect(try engine.statistics().format == Int(DatabaseHeader.currentFormat))
        #expect(engine.database == DatabaseID(project: "museum"))
        #expect(try engine.verify().problems == [])
        let listing = try String(contentsOf: Self.folder.appending(path: "format-\(format).ndjson"), encoding: .utf8)
        var exported = ""
        try engine.forEachDocument { document in
            var writer = JSONWriter()
            DocumentJSON.write(document.path, document.fields, to: &writer, database: engine.database)
            exported += writer.string + "\n"
        }
        #expect(exported == listing)
        #expect(try engine.catalog().composites.count == 2)
        #expect(try engine.catalog().indexes.fieldOverrides.count == 1)
        _ = try engine.commit([
            .set("cities/new", Fields([Field("state", "CA"), Field("population", 1)])!),
            Write("values/all", .delete),
        ])
        #expect(try engine.verify().problems == [])
    }

    @Test(arguments: 1...DatabaseHeader.currentFormat) func aFileThatIsOnlyReadKeepsItsFormat(_ format: Int64) throws {
        let directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.readOnly = true
        let engine = try Engine.open(try copy(of: format, in: directory), options)
        #expect(try engine.statistics().format == Int(format))
    }
}
