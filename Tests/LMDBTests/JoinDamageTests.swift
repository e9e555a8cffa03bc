// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import LMDB

/// Joins over damaged and exchanged pages end, with what the lists have in common or with an error.
@Suite struct JoinDamageTests {
    private static let pageSize = 4096
    private static let names = 1_500
    let folder: TemporaryDirectory
    let whole: [UInt8]
    /// The leaves of the store.
    let leaves: [Int]

    /// Two lists, of every second and of every third name.
    init() throws {
        folder = try TemporaryDirectory()
        do {
            let environment = try Environment.openForTest(folder.path("whole"))
            let store = try environment.openStores(["s"], create: true)[0]
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                for list in [2, 3] {
                    for number in stride(from: 0, to: Self.names, by: list) {
                        let key = [UInt8(list)] + Self.name(number)
                        try transaction.append(store, key.span.bytes, bytes(1).span.bytes)
                    }
                }
            }
        }
        whole = [UInt8](try Data(contentsOf: URL(filePath: folder.path("whole"))))
        leaves = (2..<whole.count / Self.pageSize).filter { [whole] page in
            whole[page * Self.pageSize + PageFormat.Header.flags] == UInt8(PageFormat.Kind.leaf.rawValue)
                && whole[page * Self.pageSize + PageFormat.Header.lower] > 16 + 2 * 10
        }
    }

    private static func name(_ number: Int) -> [UInt8] { bigEndian(number) + Array(repeating: 7, count: 80) }

    @Test(arguments: [true, false]) func damagedPagesAreMet(backwards: Bool) throws {
        var random = SeededGenerator.printingSeed()
        var errors = 0
        for _ in 0..<Rounds.of(600) {
            var bytes = whole
            for _ in 0..<random.int(1..<30) {
                let start = random.pick(leaves) * Self.pageSize + random.int(0..<Self.pageSize)
                let byte = random.pick([0, 255, UInt8(random.int(0..<256))])
                for offset in 0..<random.pick([1, 2, 8, 100])
                where (start + offset) / Self.pageSize == start / Self.pageSize {
                    bytes[start + offset] = byte
                }
            }
            if try join(bytes, backwards: backwards) == nil { errors += 1 }
        }
        #expect(errors > 0, "seed \(random.seed)")
    }

    @Test(arguments: [true, false]) func exchangedLeavesAreFound(backwards: Bool) throws {
        var random = SeededGenerator.printingSeed()
        let wanted = stride(from: 0, to: Self.names, by: 6).map { $0 }
        #expect(try join(whole, backwards: backwards) == (backwards ? wanted.reversed() : wanted))
        for round in 0..<Rounds.of(300) {
            let pair = leaves.shuffled(using: &random).prefix(2)
            var bytes = whole
            for offset in (round % 2 == 0 ? 0 : 8)..<Self.pageSize {
                bytes.swapAt(pair[0] * Self.pageSize + offset, pair[1] * Self.pageSize + offset)
            }
            // Both lists are read to their ends, which comes to every leaf.
            #expect(try join(bytes, backwards: backwards) == nil, "pages \(pair), seed \(random.seed)")
        }
    }

    /// The numbers of the common names; nil if the join threw.
    private func join(_ bytes: [UInt8], backwards: Bool) throws -> [Int]? {
        let path = folder.path("damaged")
        try Data(bytes).write(to: URL(filePath: path))
        let environment = try Environment.openForTest(path, readOnly: true)
        let store = try environment.openStores(["s"], create: false)[0]
        do throws(LMDBError) {
            return try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                try common(store, backwards: backwards, transaction)
            }
        } catch {
            #expect(error.code == .corrupted)
            return nil
        }
    }

    private func common(
        _ store: Store, backwards: Bool, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [Int] {
        var cursors = transaction.makeCursors()
        var lists: [EntryJoin.List] = []
        for list in [2, 3] as [UInt8] {
            let id = try cursors.open(store)
            let isFound = try cursors.seek(id, bytes(backwards ? list + 1 : list).span.bytes)
            if backwards, try !(isFound ? cursors.previous(id) : cursors.last(id)) { return [] }
            lists.append(EntryJoin.List(id, prefix: [list], bound: [backwards ? list : list + 1], backwards: backwards))
        }
        let join = EntryJoin(lists, shorterThan: 490)
        var numbers: [Int] = []
        while try cursors.meet(join) == .met {
            let names = [Array(copying: cursors.key(lists[0].cursor)), Array(copying: cursors.key(lists[1].cursor))]
            let areEqual = names[0].dropFirst() == names[1].dropFirst()
            #expect(areEqual)
            numbers.append(number(Array(names[0].dropFirst().prefix(8))))
            let id = lists[numbers.count % 2].cursor
            guard try backwards ? cursors.previous(id) : cursors.next(id) else { return numbers }
        }
        return numbers
    }
}
