// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import LMDB

/// Compares runs of entries in a leaf page with single steps.
@Suite struct RunTests {
    @Test func runsHaveWhatStepsFind() throws {
        var random = SeededGenerator.printingSeed()
        let folder = try TemporaryDirectory()
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["store"], create: true)[0]
        let model = (0..<3_000).map { _ in (0..<Int.random(in: 1...20, using: &random)).map { _ in byte(&random) } }
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            for key in model {
                // Some values have overflow pages.
                let value = Array(repeating: key[0], count: key.prefix(2) == [3, 3] ? 9_000 : key.count)
                try transaction.put(store, key.span.bytes, value.span.bytes)
            }
        }
        var lengths = 0
        for _ in 0..<Rounds.of(2_000) {
            let (start, bound) = (model.randomElement(using: &random)!, model.randomElement(using: &random)!)
            lengths += try compare(
                environment, store, from: start, to: bound.first == 0 ? [] : bound,
                atMost: Int.random(in: 0...200, using: &random),
                after: [0, 0, 1, 2, 9, 20].randomElement(using: &random)!,
                backwards: Bool.random(using: &random), random.seed)
        }
        #expect(lengths > Rounds.of(5_000), "runs are short: \(lengths), seed \(random.seed)")
    }

    private func byte(_ random: inout SeededGenerator) -> UInt8 { UInt8.random(in: 0...9, using: &random) }

    /// - Returns: the length of the run.
    private func compare(
        _ environment: Environment, _ store: Store, from start: [UInt8], to bound: [UInt8], atMost limit: Int,
        after prefixLength: Int, backwards: Bool, _ seed: UInt64
    ) throws -> Int {
        try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            let (id, other) = (try cursors.open(store), try cursors.open(store))
            for cursor in [id, other] {
                let isFound = try cursors.seek(cursor, start.span.bytes)
                #expect(isFound as Bool)
            }
            let prefix = Array(start.prefix(prefixLength))
            let run = entries(cursors, id, bound, limit, after: prefix, backwards: backwards)
            #expect(run.count <= limit, "seed \(seed)")
            for (number, entry) in run.enumerated() {
                let theirs = [Array(copying: cursors.key(other)), Array(copying: cursors.value(other))]
                #expect((entry == theirs) as Bool, "seed \(seed)")
                let isInside = bound.isEmpty || number == 0 || isInside(entry[0], bound, backwards: backwards)
                #expect((isInside && entry[0].count < 20) as Bool, "seed \(seed)")
                guard number + 1 < run.count else { continue }
                let goesOn = backwards ? try cursors.previous(other) : try cursors.next(other)
                #expect(goesOn as Bool, "seed \(seed)")
            }
            cursors.step(id, over: max(run.count - 1, 0), backwards: backwards)
            // Both continue alike.
            let (goesOn, othersDo) =
                backwards
                ? (try cursors.previous(id), try cursors.previous(other))
                : (try cursors.next(id), try cursors.next(other))
            let isSame = goesOn == othersDo && (!goesOn || compareBytes(cursors.key(id), cursors.key(other)) == 0)
            #expect(isSame as Bool, "seed \(seed)")
            return run.count
        }
    }

    private func isInside(_ key: [UInt8], _ bound: [UInt8], backwards: Bool) -> Bool {
        let order = compareBytes(key.span.bytes, bound.span.bytes)
        return backwards ? order >= 0 : order < 0
    }

    /// Keys and values, up to the first that the span does not give.
    private func entries(
        _ cursors: borrowing CursorSet, _ id: CursorID, _ bound: [UInt8], _ limit: Int, after prefix: [UInt8],
        backwards: Bool
    ) -> [[[UInt8]]] {
        let run = cursors.span(from: id, to: bound.span.bytes, shorterThan: 20, atMost: limit, backwards: backwards)
        let keyPrefix = KeyPrefix(prefix.span.bytes)
        var entries: [[[UInt8]]] = []
        while entries.count < run.count, let entry = run.entry(entries.count, after: keyPrefix) {
            entries.append([prefix + Array(copying: entry.rest), Array(copying: entry.value)])
        }
        return entries
    }
}
