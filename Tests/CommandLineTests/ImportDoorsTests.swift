// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

/// The library and the tool import the same documents and report the same lines.
@Suite struct ImportDoorsTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private func importBoth(_ source: Data, collection: String? = nil) async throws -> [ImportSummary.Rejection] {
        try source.write(to: bench.folder.url.appending(path: "in"))
        let file = URL(filePath: bench.path("in"))
        let database = try await Database.open(path: bench.path("library.db"))
        let summary: ImportSummary
        if let collection {
            summary = try await database.collection(collection).importDocuments(from: file, idField: "id")
        } else {
            summary = try await database.importDocuments(from: file)
        }
        try await database.exportDocuments(to: URL(filePath: bench.path("library.ndjson")))
        let options = collection.map { ["--collection", $0, "--id-field", "id"] } ?? []
        let run = try bench.hearth(arguments: ["import", "tool.db", "in"] + options)
        let reported = summary.rejections.map { rejection in
            "in: line \(rejection.line)\(rejection.column.map { ", column \($0)" } ?? ""): \(rejection.reason)"
        }
        #expect(run.errors.split(separator: "\n").map(String.init) == reported)
        #expect(run.output == "\(summary.imported) documents imported, \(summary.rejected) rejected\n")
        #expect(try bench.hearth("export", "tool.db").output.utf8.elementsEqual(bench.contents("library.ndjson")))
        return summary.rejections
    }

    @Test func everyKindOfLine() async throws {
        let source = [
            "\u{FEFF}{\"name\":\"c/1\"}", "{\"name\":\"c/2\"}\r", "", " \t\r", "{\"name\":\"c/3\"}\u{0}", "{", "[1]",
            #"{"name":"c/5","fields":{"é":{"nonsense":1}}}"#, #"{"name":"c/6","fields":{"__x__":{"nullValue":null}}}"#,
            #"{"name":"c/7","fields":{"a":{"stringValue":"\u00e9"}}}"#, #"{"name":"c"}"#, #"{"name":"c/8"}"#,
        ]
        let rejections = try await importBoth(Data(source.joined(separator: "\n").utf8))
        #expect(rejections.map(\.line) == [1, 5, 6, 7, 8, 9, 11])
        #expect(rejections.map(\.column) == [1, 15, 2, 1, 30, nil, 9])
    }

    @Test func plainObjects() async throws {
        let rejections = try await importBoth(
            Data("{\"id\":1}\n{\"id\":true}\n{\"id\":\"x\",\"a\":1e999}\n{}".utf8), collection: "c")
        #expect(rejections.map(\.line) == [2, 3, 4] && rejections.map(\.column) == [7, 15, 1])
    }

    @Test func longLines() async throws {
        let line = { (count: Int) in
            Data("{\"name\":\"c/d\"".utf8) + Data(repeating: UInt8(ascii: " "), count: count - 14) + Data("}".utf8)
        }
        let rejections = try await importBoth(line(64 << 20) + Data("\n".utf8) + line(64 << 20 + 1))
        #expect(rejections.map(\.reason) == ["the line is longer than 64 MiB"] && rejections.first?.line == 2)
    }

    @Test func gzip() async throws {
        try Data([0x1F, 0x8B, 8, 0, 0]).write(to: bench.folder.url.appending(path: "in"))
        let database = try await Database.open(path: bench.path("library.db"))
        let error = await #expect(throws: FirestoreError.self) {
            try await database.importDocuments(from: URL(filePath: bench.path("in")))
        }
        #expect(error?.localizedDescription.hasSuffix("/in is gzip: decompress it first") == true)
        #expect(try bench.hearth("import", "tool.db", "in").code == 2)
    }
}
