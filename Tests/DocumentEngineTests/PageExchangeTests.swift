// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Intact pages in wrong places, as a power cut leaves them without durability: no document is returned under another
/// name.
@Suite struct PageExchangeTests {
    private static let pageSize = 4096

    private func make(_ path: String) throws -> [UInt8] {
        var options = Engine.Options()
        options.mapSize = 64 << 20
        options.durability = .mayLoseDatabase
        let engine = try Engine.open(path, options)
        for collection in ["a", "b", "c"] {
            _ = try engine.commit(
                (0..<300).map { id in
                    let fields = [
                        Field("kind", PageExchangeTests.kind(id)), Field("of", .string(Text(collection))),
                        Field("x", .bytes([UInt8](repeating: 1, count: 200))),
                    ]
                    return .set(
                        DocumentPath(ResourcePath(segments: [Text(collection), Text("d\(id)")])), Fields(fields)!)
                })
        }
        let copy = path + ".copy"
        try engine.copy(to: copy, compacting: true)
        return [UInt8](try Data(contentsOf: URL(filePath: copy)))
    }

    /// Keys of equal length, so that the positions of their parts do not reveal a confusion.
    private static func kind(_ id: Int) -> Value { .string(Text("kind \(id % 3)")) }

    private func openReadOnly(_ path: String) throws(EngineError) -> Engine {
        var options = Engine.Options()
        options.mapSize = 64 << 20
        options.readOnly = true
        return try Engine.open(path, options)
    }

    /// Pages of documents, by the size of their first record.
    private func documentPages(_ bytes: [UInt8]) -> [Int] {
        (2..<bytes.count / Self.pageSize).filter { page in
            let start = page * Self.pageSize
            guard short(bytes, start + 10) == 2, short(bytes, start + 12) > 16 else { return false }
            let node = start + short(bytes, start + 16)
            return (230..<600).contains(short(bytes, node)) && short(bytes, node + 2) == 0
        }
    }

    private func short(_ bytes: [UInt8], _ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

    @Test func exchangedPagesDeliverNothingUnderAnotherName() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let whole = try make(directory.path("whole.db"))
        let pages = documentPages(whole)
        #expect(pages.count > 30)
        var (wrong, errors) = (0, 0)
        for round in 0..<150 {
            var bytes = whole
            for _ in 0..<3 {
                let (one, other) = (random.pick(pages), random.pick(pages))
                // Everything but the page's number.
                for index in 8..<Self.pageSize {
                    bytes.swapAt(one * Self.pageSize + index, other * Self.pageSize + index)
                }
            }
            let path = directory.path("exchanged\(round).db")
            try Data(bytes).write(to: URL(filePath: path))
            let engine = try openReadOnly(path)
            do throws(EngineError) {
                try engine.forEachDocument { document in
                    let owner = document.path.collection.resource.segments[0]
                    if document.fields["of" as Text] != .string(owner) { wrong += 1 }
                }
            } catch {
                errors += 1
            }
        }
        print("150 files: \(errors) ended with an error")
        #expect(wrong == 0, "seed \(random.seed)")
        // The three exchanges of a file may undo each other.
        #expect(errors >= 145, "seed \(random.seed)")
    }

    /// A leaf that has lost its last entry looks like any other. Reads of the whole database compare what they have met
    /// with the number of entries that LMDB keeps.
    @Test func lostDocumentsAreMissedByReadsOfEverything() throws {
        let directory = try TemporaryDirectory()
        let whole = try make(directory.path("whole.db"))
        let everything = Query(from: CollectionSelector(collectionID: nil, allDescendants: true))
        let count = AggregationQuery(everything, [Aggregation(alias: "n", .count(upTo: nil))])
        let isFound = { (read: () throws -> Void) in
            do { try read() } catch { return "\(error)".contains("damaged") }
            return false
        }
        let engine = try openReadOnly(directory.path("whole.db"))
        #expect(try engine.records(everything).count == 900)
        #expect(try engine.run(count).aggregates.first?.1 == .integer(900))
        #expect(try engine.statistics().collections.map(\.documents) == [300, 300, 300])
        for page in documentPages(whole) where short(whole, page * Self.pageSize + 12) > 18 {
            var bytes = whole
            let end = short(whole, page * Self.pageSize + 12) - 2
            (bytes[page * Self.pageSize + 12], bytes[page * Self.pageSize + 13]) = (UInt8(end & 0xFF), UInt8(end >> 8))
            let path = directory.path("lost\(page).db")
            try Data(bytes).write(to: URL(filePath: path))
            let engine = try openReadOnly(path)
            #expect(isFound { _ = try engine.records(everything) }, "page \(page)")
            #expect(isFound { _ = try engine.run(count) }, "page \(page)")
            #expect(isFound { _ = try engine.statistics() }, "page \(page)")
        }
    }

    /// Within pages: an index entry of one value is then among those of another.
    @Test func exchangedEntriesAreNoRows() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let whole = try make(directory.path("whole.db"))
        var (rows, wrong, errors) = (0, 0, 0)
        for round in 0..<60 {
            var bytes = whole
            for page in 2..<bytes.count / Self.pageSize { exchangeEntries(of: page, in: &bytes, &random) }
            let path = directory.path("exchanged\(round).db")
            try Data(bytes).write(to: URL(filePath: path))
            let engine = try openReadOnly(path)
            for kind in 0..<3 {
                let query = Query.collection("b").with { $0.filter = .field("kind", .equal, Self.kind(kind)) }
                do throws(QueryError) {
                    for record in try engine.records(query) {
                        rows += 1
                        if (try? record.root.field(at: "kind")?.value()) != Self.kind(kind) { wrong += 1 }
                    }
                } catch {
                    errors += 1
                }
            }
        }
        print("60 files: \(rows) rows, \(errors) errors")
        #expect(wrong == 0)
        #expect(rows > 0 && errors > 0)
    }

    private func exchangeEntries(of page: Int, in bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let start = page * Self.pageSize
        let count = (short(bytes, start + 12) - 16) / 2
        guard short(bytes, start + 10) == 2, (20..<Self.pageSize / 4).contains(count), random.chance(0.5) else {
            return
        }
        let (one, other) = (start + 16 + 2 * random.int(0..<count), start + 16 + 2 * random.int(0..<count))
        bytes.swapAt(one, other)
        bytes.swapAt(one + 1, other + 1)
    }
}
