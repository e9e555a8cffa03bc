// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import JSONText
import ManagedExport
import TestSupport
import Testing

@Suite struct EntityTests {
    private static let database = DatabaseID(project: "demo")

    private static func recorded(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    private static func records() throws -> [[UInt8]] {
        let bytes = try recorded("every-type.output")
        var position = 0
        var reader = LogReader { count in
            defer { position += count }
            return Array(bytes.dropFirst(position).prefix(count))
        }
        var records: [[UInt8]] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private static func line(_ path: DocumentPath, _ fields: Fields) -> String {
        var writer = JSONWriter()
        DocumentJSON.write(path, fields, to: &writer, database: database)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// What the official emulator wrote, after the documents of the other file were sent to it over REST. It forgets the sign of
    /// a zero.
    @Test func emulatorsExport() throws {
        var found: Set<String> = []
        for record in try EntityTests.records() {
            let document = try EntityReader.document(record)
            #expect(document.database == EntityTests.database)
            found.insert(EntityTests.line(document.path, document.fields))
        }
        let sent = try EntityTests.recorded("every-type.ndjson").split(separator: UInt8(ascii: "\n"))
        var expected: Set<String> = []
        for text in sent {
            let (path, fields) = try DocumentJSON.read(
                try JSONParser.parse(Array(text).span), database: EntityTests.database)
            expected.insert(EntityTests.line(path, fields))
        }
        #expect(found.subtracting(expected) == [])
        #expect(expected.subtracting(found) == [])
        #expect(found.count == 18)
    }

    /// A record has as many bytes as the emulator's: it has the same fields, perhaps in another order.
    @Test func sizesAreTheEmulators() throws {
        for record in try EntityTests.records() {
            let document = try EntityReader.document(record)
            let written = EntityWriter(document.database).record(document.path, document.fields)
            #expect(written.count == record.count, "\(document.path)")
            #expect(written.sorted() == record.sorted(), "\(document.path)")
        }
    }

    @Test func randomDocuments() throws {
        var random = SeededGenerator.printingSeed()
        let generator = DocumentGenerator()
        let database = DatabaseID(project: "p", database: "named")
        for (path, fields) in generator.documents(Rounds.of(5_000), &random) {
            let document = try EntityReader.document(EntityWriter(database).record(path, fields))
            #expect(document.database == database)
            #expect(
                EntityTests.line(document.path, document.fields) == EntityTests.line(path, fields),
                "seed \(random.seed)")
        }
    }

    /// Changed bytes are another document or an error, and never end the process.
    @Test func damagedRecords() throws {
        var random = SeededGenerator.printingSeed()
        let records = try EntityTests.records()
        var refused = 0
        for _ in 0..<Rounds.of(50_000) {
            var record = random.pick(records)
            for _ in 0..<random.int(1..<4) { record[random.int(0..<record.count)] = UInt8(random.int(0..<256)) }
            if random.chance(0.2) { record.removeLast(random.int(0..<record.count)) }
            do throws(ExportFormatError) { _ = try EntityReader.document(record) } catch { refused += 1 }
        }
        #expect(refused > 0)
    }

    /// A vector without elements, which no export has, becomes what it was in Hearth.
    @Test func emptyVector() throws {
        let path = DocumentPath(ResourcePath(segments: ["c", "d"]))
        let fields = Fields([Field("v", .vector([]))])!
        let document = try EntityReader.document(EntityWriter(EntityTests.database).record(path, fields))
        #expect(EntityTests.line(document.path, document.fields) == EntityTests.line(path, fields))
    }
}
