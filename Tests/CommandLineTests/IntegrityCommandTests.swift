// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import TestSupport
import Testing

/// `verify`, `repair`, `backup` and `compact` as a program sees them.
@Suite struct IntegrityCommandTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private func makeDatabase(_ count: Int = 300) throws {
        let documents = (0..<count).map {
            #"{"name":"c/\#($0)","fields":{"a":{"integerValue":"\#($0)"},"s":{"stringValue":"marker\#($0)"}}}"#
        }
        let run = try bench.hearth("import", "a.db", "-", input: documents.joined(separator: "\n"))
        #expect(run.code == 0)
    }

    /// Changes a byte of the database after some text in it: `marker7` occurs in the document `c/7` and in index
    /// entries.
    private func damage(after text: String, in name: String = "a.db", everywhere: Bool = false) throws {
        var bytes = try bench.contents(name)
        var places: [Data.Index] = []
        var rest = bytes[...]
        while let range = rest.range(of: Data(text.utf8)) {
            places.append(range.upperBound - 1)
            rest = rest[range.upperBound...]
        }
        #expect(!places.isEmpty)
        for place in everywhere ? places[...] : places.suffix(1) { bytes[place] ^= 0x10 }
        try bytes.write(to: bench.folder.url.appending(path: name))
    }

    @Test func aDamagedDocumentIsFoundAndSetAside() throws {
        try makeDatabase()
        try damage(after: "marker123", everywhere: true)
        let verified = try bench.hearth("verify", "a.db")
        #expect(verified.code == 1)
        #expect(verified.output.contains("c/123: a document's bytes are not those that were written"))
        #expect(try bench.hearth("get", "a.db", "c/123").code == 2)
        let query = "c.where('a','==',123)"
        #expect(try bench.hearth("query", "a.db", query).code == 2)
        try bench.write("q.ndjson", "c.where('a','==',1)\n\(query)\nnonsense(\n")
        #expect(try bench.hearth("query", "a.db", "--queries", "q.ndjson").code == 2)
        let lines = "c.where('a','==',1)\n\(query)\nnonsense(\n"
        #expect(try bench.hearth(arguments: ["shell", "a.db", "--read-only"], input: lines).code == 2)
        #expect(try bench.hearth(arguments: ["shell", "a.db", "--read-only"], input: ".get c/123\n").code == 2)
        let change =
            #"{"update":{"name":"c/123","fields":{"a":{"integerValue":"1"}}},"updateMask":{"fieldPaths":["a"]}}"#
        let commits =
            #"{"writes":[{"delete":"c/none","currentDocument":{"exists":true}}]}"# + "\n{\"writes\":[\(change)]}\n"
        let committed = try bench.hearth(arguments: ["commit", "a.db", "-"], input: commits)
        #expect(committed.code == 2 && committed.lines.count == 2, "\(committed)")
        let repaired = try bench.hearth("repair", "a.db")
        #expect(repaired.code == 1)
        #expect(repaired.lines.last == "1 record set aside in a.db.unreadable.ndjson")
        let aside =
            try JSONSerialization.jsonObject(with: bench.contents("a.db.unreadable.ndjson")) as? [String: String]
        #expect(aside?["name"] == "c/123")
        let record = try #require(aside?["record"].flatMap { Data(base64Encoded: $0) })
        #expect(record.range(of: Data("marker12".utf8)) != nil)
        #expect(
            try bench.hearth("verify", "a.db").output
                == "299 documents and 598 index entries checked: nothing is wrong\n")
        #expect(try bench.hearth("export", "a.db").lines.count == 299)
        #expect(try bench.hearth("repair", "a.db").output == "299 documents: 598 index entries built anew\n")
    }

    /// Queries are refused until the configuration is applied again.
    @Test func aLostDefinitionIsFound() throws {
        try makeDatabase(3)
        let fields = #"[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"s","order":"ASCENDING"}]"#
        try bench.write(
            "i.json", #"{"indexes":[{"collectionGroup":"c","queryScope":"COLLECTION","fields":\#(fields)}]}"#)
        #expect(try bench.hearth("indexes", "apply", "a.db", "i.json").code == 0)
        var bytes = try bench.contents("a.db")
        let format = Data(#"{"format":"#.utf8)
        var changes = 0
        for place in bytes.indices.dropLast(format.count) where bytes[place...].starts(with: format) {
            bytes[place + format.count] ^= 1
            changes += 1
        }
        #expect(changes > 0)
        try bytes.write(to: bench.folder.url.appending(path: "a.db"))
        let run = try bench.hearth("repair", "a.db")
        #expect(run.code == 1)
        #expect(run.output.contains("the definition of a composite index could not be read"), "\(run.output)")
        #expect(try bench.hearth("repair", "a.db").code == 0)
    }

    @Test func damagedPagesAreNamedAndNothingIsRepaired() throws {
        try makeDatabase()
        var bytes = try bench.contents("a.db")
        // Changes the number of every page but the two headers.
        for page in 2..<bytes.count / 4096 { bytes[page * 4096] ^= 0xFF }
        try bytes.write(to: bench.folder.url.appending(path: "a.db"))
        let verified = try bench.hearth("verify", "a.db")
        #expect(verified.code == 1)
        #expect(verified.output.contains("is not the page it should be"))
        let repaired = try bench.hearth("repair", "a.db")
        #expect(repaired.code == 2)
        #expect(try bench.contents("a.db") == bytes)
        for command in ["backup", "compact"] {
            #expect(try bench.hearth(command, "a.db", "copy.db").code == 2)
            #expect(throws: (any Error).self) { try bench.contents("copy.db") }
        }
        #expect(try bench.hearth("export", "a.db").code == 2)
    }

    @Test func copiesVerifyWhileOthersWrite() throws {
        try makeDatabase()
        let path = bench.path("a.db")
        let writer = try Engine.open(path)
        let done = DispatchGroup()
        let isOver = Flag()
        DispatchQueue(label: "writer").async(group: done) {
            var round: Int64 = 0
            while !isOver.isSet {
                round += 1
                // One commit for both: a copy has both or neither.
                _ = try? writer.commit([
                    .set("pair/one", Fields([Field("n", .integer(round))])!),
                    .set("pair/two", Fields([Field("n", .integer(round))])!),
                    .set(
                        try! DocumentPath(parsing: "more/\(round % 200)"),
                        Fields([Field("text", .string(Text(String(repeating: "x", count: 3000))))])!),
                ])
            }
        }
        for number in 0..<6 {
            let command = number % 2 == 0 ? "backup" : "compact"
            #expect(try bench.hearth(arguments: [command, "a.db", "copy\(number).db"]).code == 0)
        }
        isOver.set()
        done.wait()
        for number in 0..<6 {
            #expect(try bench.hearth("verify", "copy\(number).db").code == 0)
            let copy = try Engine.open(bench.path("copy\(number).db"))
            #expect(try copy.document("pair/one")?.fields == copy.document("pair/two")?.fields)
            #expect(try copy.document("c/299") != nil)
        }
        #expect(try bench.hearth("backup", "a.db", "copy0.db").code == 2)
    }
}

private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
}
