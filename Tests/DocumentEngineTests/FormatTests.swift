// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import TestSupport
import Testing

@testable import DocumentEngine

/// A file of every format that was released opens, after an upgrade where it is old, and holds what it held.
///
/// `Formats/format-N.db` is a file of format N with every type of value, long names, composite indexes and an override.
/// `format-N.ndjson` is the export of the version that wrote it. A new format adds a pair and changes no other.
@Suite struct FormatTests {
    private static let folder = Locations.packageRoot.appending(path: "Tests/DocumentEngineTests/Formats")
    private static let current = DatabaseHeader.currentFormat
    private static let old = 1..<current

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func copy(of format: Int64) throws -> String {
        let path = directory.path("copy.db")
        try FileManager.default.copyItem(
            at: Self.folder.appending(path: "format-\(format).db"), to: URL(filePath: path))
        return path
    }

    private func repair(_ path: String) throws -> RepairReport {
        try Engine.repair(fileAt: path) { (records) throws(EngineError) in
            for record in records { Issue.record("set aside: \(record.reason)") }
        }
    }

    @Test(arguments: 1...current) func aFileOfEveryFormatIsReadAndWritten(_ format: Int64) throws {
        let path = try copy(of: format)
        if format < Self.current {
            let report = try repair(path)
            #expect(report.upgradedFormat == format && report.documents == 12 && report.repaired == [])
        }
        let engine = try Engine.open(path)
        #expect(try engine.statistics().format == Int(Self.current))
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
        #expect(try repair(path).upgradedFormat == nil)
    }

    @Test(arguments: old, [false, true]) func aFileOfAnOlderFormatIsRefused(_ format: Int64, readOnly: Bool) throws {
        let path = try copy(of: format)
        let before = try Data(contentsOf: URL(filePath: path))
        var options = Engine.Options()
        options.readOnly = readOnly
        let open = { () throws(EngineError) in _ = try Engine.open(path, options) }
        let verify = { () throws(EngineError) in _ = try Engine.verify(fileAt: path) }
        for call in [open, verify] {
            let error = #expect(throws: EngineError.self) { try call() }
            #expect(error?.status == .failedPrecondition)
            let message = error?.message ?? ""
            #expect(message.contains("has format \(format), made by an older version"))
            #expect(message.contains("hearth repair \(path)"))
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
}
