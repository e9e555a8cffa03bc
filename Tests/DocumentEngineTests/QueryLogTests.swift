// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import Foundation
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

@Suite struct QueryLogTests {
    /// Shapes are logged at once, counts when the engine is released: served, refused for a missing index, or scanned.
    @Test func enginesLogTheQueriesTheyRun() throws {
        let folder = try TemporaryDirectory()
        let database = DatabaseID(project: "hearth")
        func run(_ texts: [String], allowScan: Bool = false) throws {
            var options = Engine.Options()
            options.queryLog = folder.path("log.ndjson")
            let engine = try Engine.open(folder.path("my.db"), options)
            for text in texts {
                _ = try? engine.run(try QueryText.parse(text, database: database), allowScan: allowScan)
            }
            #expect(try lines(folder).count >= 1)
        }
        try run(["c.where('a','==',1)", "c.where('a','==',2)", "c.where('a','==',3).orderBy('b')", "c.limit(-1)"])
        try run(["c.where('a','==',3).orderBy('b')"], allowScan: true)
        var counts: [String: Double] = [:]
        for line in try lines(folder) {
            let node = try JSONParser.parse(line)
            counts[node["id"]?.string ?? "", default: 0] += node["count"]?.number?.double ?? 0
        }
        #expect(counts == ["c where a == 0": 2, "c where a == 0 order by b": 2])
    }

    @Test func aLogThatCannotBeWrittenIsAnError() throws {
        let folder = try TemporaryDirectory()
        var options = Engine.Options()
        options.queryLog = folder.path("no/such/folder")
        #expect(throws: EngineError.self) { try Engine.open(folder.path("my.db"), options) }
    }

    private func lines(_ folder: TemporaryDirectory) throws -> [String] {
        try String(contentsOf: folder.url.appending(path: "log.ndjson"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }
}
