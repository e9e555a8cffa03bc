// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Compares keys of any length with a sorted array: order, matches, seeks and deletes across key prefixes, inline suffixes
/// and overflow chains.
@Suite struct LongKeyTests {
    static let rounds = Rounds.of(300)

    @Test func longKeysBehaveAsASortedArray() throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Self.rounds {
            let database = try TemporaryDatabase()
            var model: [[UInt8]: [UInt8]] = [:]
            let keys = (0..<40).map { _ in Self.key(&random) }
            for _ in 0..<3 {
                let operations = (0..<60).map { _ in
                    (random.pick(keys), random.chance(0.65) ? [UInt8(random.int(0..<256))] : nil)
                }
                try apply(operations, to: database.engine)
                for (key, value) in operations { model[key] = value }
                try compare(database.engine, model, probes: keys + (0..<10).map { _ in Self.key(&random) }, &random)
            }
            try apply(keys.map { ($0, nil) }, to: database.engine)
        }
    }

    /// What long strings have in common is written once for each chain, not once for each level of it: the file would grow by the
    /// square of the strings' length.
    @Test func equalStringsOfOneMegabyte() throws {
        let database = try TemporaryDatabase()
        let text = Text(String(repeating: "x", count: 1_000_000))
        let paths = (0..<10).map { DocumentPath(ResourcePath(segments: ["c", Text("d\($0)")])) }
        _ = try database.engine.commit(paths.map { .set($0, ["s": .string(text)]) })
        let info = database.engine.environment.info
        // Ten documents, and one entry of each direction that all share.
        #expect(info.pages < 16_384, "\(info.pages) pages")
        let found = try database.engine.run(
            Query(from: CollectionSelector(collectionID: "c"), orders: [Order("s", .descending)]))
        #expect(found.records.count == 10)
        _ = try database.engine.commit(paths.map { Write($0, .delete) })
        let report = try database.engine.verify()
        #expect(report.problems == [])
    }

    /// Sorted slices, after the existing keys and among them.
    @Test func appendedSlicesAreAsIfPut() throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Self.rounds {
            let database = try TemporaryDatabase()
            var model: [[UInt8]: [UInt8]] = [:]
            for round in 0..<3 {
                var slice = EntryBuffer()
                for _ in 0..<random.int(0..<80) {
                    let key = Self.key(&random)
                    let value = [UInt8(random.int(0..<256))]
                    // After all others, or anywhere.
                    slice.append(
                        key: random.chance(0.5) ? [0x14, 0, UInt8(round + 5)] + key.dropFirst(3) : key, value: value)
                }
                slice.sort()
                for index in slice.entries.indices {
                    model[Array(slice.bytes[slice.key(index)])] = Array(slice.bytes[slice.value(index)])
                }
                try database.engine.write { (transaction, _, _) throws(EngineError) in
                    let writer = try LongKeyWriter(.catalog, &transaction)
                    try writer.append(slice, slice.entries.indices, &transaction)
                }
                try compare(database.engine, model, probes: Array(model.keys.prefix(40)), &random)
            }
        }
    }

    /// Prefix-free keys of about one, two and five times the cut length, with common prefixes; as in the build log.
    private static func key(_ random: inout SeededGenerator) -> [UInt8] {
        let length = random.pick([3, 480, 488, 489, 490, 491, 495, 979, 981, 1_500, 2_400]) + random.int(0..<3)
        var key = [UInt8](repeating: 7, count: length)
        for _ in 0..<random.int(0..<3) { key[random.int(0..<length)] = UInt8(random.int(5..<9)) }
        key[0] = 0
        return [0x14] + key + [0]
    }

    private func apply(_ operations: [([UInt8], [UInt8]?)], to engine: Engine) throws {
        try engine.write { (transaction, _, _) throws(EngineError) in
            let writer = try LongKeyWriter(.catalog, &transaction)
            for (key, value) in operations {
                if let value {
                    try writer.put(key, value, &transaction)
                } else {
                    _ = try writer.delete(key, &transaction)
                }
            }
        }
    }

    private func compare(
        _ engine: Engine, _ model: [[UInt8]: [UInt8]], probes: [[UInt8]], _ random: inout SeededGenerator
    ) throws {
        let sorted = model.keys.sorted { compareBytes($0, $1) < 0 }
        let (all, reversed) = try engine.read { (transaction) throws(EngineError) in
            (try self.walk(engine, forward: true, &transaction), try self.walk(engine, forward: false, &transaction))
        }
        #expect(all == sorted)
        #expect(reversed == sorted.reversed())
        for probe in probes {
            let (value, after, before) = try engine.read { (transaction) throws(EngineError) in
                try self.probe(engine, probe, &transaction)
            }
            #expect(value == model[probe])
            #expect(after == sorted.first { compareBytes($0, probe) >= 0 })
            #expect(before == sorted.last { compareBytes($0, probe) < 0 })
        }
    }

    private func walk(_ engine: Engine, forward: Bool, _ transaction: inout Transaction) throws(EngineError)
        -> [[UInt8]]
    {
        var cursor = try LongKeyCursor(.catalog, &transaction)
        let start: [UInt8] = [0x14]
        let end: [UInt8] = [0x15]
        var keys: [[UInt8]] = []
        var found =
            forward
            ? try cursor.seek(start.span.bytes, &transaction) : try cursor.seek(before: end.span.bytes, &transaction)
        while found, startsWith(cursor.key(transaction), start.span.bytes) {
            keys.append([UInt8](copying: cursor.key(transaction)))
            found = forward ? try cursor.next(&transaction) : try cursor.previous(&transaction)
        }
        return keys
    }

    private func probe(
        _ engine: Engine, _ key: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) -> (value: [UInt8]?, after: [UInt8]?, before: [UInt8]?) {
        var value: [UInt8]?
        if let found = try transaction.get(key.span.bytes, from: .catalog) { value = [UInt8](copying: found) }
        var cursor = try LongKeyCursor(.catalog, &transaction)
        func current(_ cursor: LongKeyCursor, _ transaction: borrowing Transaction) -> [UInt8]? {
            let bytes = [UInt8](copying: cursor.key(transaction))
            return bytes.first == 0x14 ? bytes : nil
        }
        let after = try cursor.seek(key.span.bytes, &transaction) ? current(cursor, transaction) : nil
        let before = try cursor.seek(before: key.span.bytes, &transaction) ? current(cursor, transaction) : nil
        return (value, after, before)
    }

    /// Nothing is collected in memory, and nothing is scanned beyond the result, however many keys share a prefix.
    @Test func manyValuesWithOneBeginning() throws {
        let database = try TemporaryDatabase()
        let beginning = String(repeating: "same beginning ", count: 50)
        let writes = (0..<2_000).map { number in
            let path = DocumentPath(ResourcePath(segments: ["long", Text("\(beginning)\(10_000 + number)")]))
            return Write.set(path, Fields([Field("text", .string(Text("\(beginning)\(10_000 + number)")))])!)
        }
        var random = SeededGenerator.printingSeed()
        _ = try database.engine.commit(writes.shuffled(using: &random))
        let query = Query.collection("long").with {
            $0.orders = [.init("text")]
            $0.start = .init([.string(Text("\(beginning)11000"))], before: true)
            $0.limit = 5
        }
        let result = try database.engine.run(query)
        #expect(try result.documents.map(\.path) == writes[1_000..<1_005].map(\.path))
        #expect(result.counters.entriesScanned == 5)
        _ = try database.engine.commit(writes.map { Write($0.path, .delete) })
    }
}
