// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import LMDB

/// Random lists of entries against sets: what they have in common, in order, in both directions, over several leaves and within one,
/// with rests of any length.
@Suite struct JoinTests {
    @Test(arguments: 0..<Rounds.of(150)) func joinsFindWhatSetsHaveInCommon(round: Int) throws {
        var random = SeededGenerator.printingSeed()
        let folder = try TemporaryDirectory()
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["entries"], create: true)[0]
        let lists = try fill(environment, store, &random)
        let (seed, width) = (random.seed, random.int(2..<5))
        for _ in 0..<6 {
            let picked = (0..<width).map { _ in random.pick(lists) }
            // A list that is stored complemented is read in the other direction.
            let backwards = random.chance(0.5)
            let common = picked.dropFirst().reduce(picked[0].names) { $0.intersection($1.names) }
            let wanted = common.sorted(by: [UInt8].before)
            let start = random.chance(0.3) ? wanted.randomElement(using: &random) : nil
            let found = try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                try join(picked, in: store, backwards: backwards, from: start, transaction)
            }
            let ordered = backwards ? Array(wanted.reversed()) : wanted
            let rest = start.map { start in Array(ordered.drop { $0 != start }) } ?? ordered
            #expect(found == rest, "\(picked.map(\.names.count)), backwards: \(backwards), seed \(seed)")
        }
    }

    private struct StoredList {
        let prefix: [UInt8]
        let names: Set<[UInt8]>
        let isComplemented: Bool

        func rest(_ name: [UInt8]) -> [UInt8] { isComplemented ? name.map { ~$0 } : name }
    }

    /// Names end with a zero, which they have nowhere else.
    private func name(_ random: inout SeededGenerator, _ kind: Int) -> [UInt8] {
        let count = kind == 0 ? random.int(1..<6) : kind == 1 ? 20 : random.int(1..<40)
        let most: UInt8 = kind == 1 ? 255 : 3
        return (0..<count).map { _ in UInt8.random(in: 1...most, using: &random) } + [0]
    }

    private func fill(
        _ environment: Environment, _ store: Store, _ random: inout SeededGenerator
    ) throws -> [StoredList] {
        let kind = random.int(0..<3)
        let universe = (0..<random.pick([10, 300, 3_000])).map { _ in name(&random, kind) }
        let lists = (0..<6).map { number in
            let share = random.pick([0.01, 0.1, 0.5, 0.9])
            let prefix = [UInt8(number + 1)] + Array(repeating: 7, count: random.int(0..<12)) + [0]
            return StoredList(
                prefix: prefix, names: Set(universe.filter { _ in random.chance(share) }),
                isComplemented: random.chance(0.3))
        }
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            for list in lists {
                for name in list.names {
                    try transaction.put(store, (list.prefix + list.rest(name)).span.bytes, bytes(1, 2, 3).span.bytes)
                }
            }
        }
        return lists
    }

    private func join(
        _ lists: [StoredList], in store: Store, backwards: Bool, from start: [UInt8]?,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [[UInt8]] {
        var cursors = transaction.makeCursors()
        var members: [EntryJoin.List] = []
        for list in lists {
            let id = try cursors.open(store)
            let isBackwards = backwards != list.isComplemented
            let upper = list.prefix.dropLast() + [1]
            let isFound = try cursors.place(id, list.prefix, Array(upper), backwards: isBackwards)
            guard isFound else { return [] }
            members.append(
                EntryJoin.List(
                    id, prefix: list.prefix, bound: isBackwards ? list.prefix : Array(upper), backwards: isBackwards))
        }
        if let start {
            // Every list has it.
            for (list, member) in zip(lists, members) {
                _ = try cursors.seek(member.cursor, (list.prefix + list.rest(start)).span.bytes)
            }
        }
        return try names(EntryJoin(members, shorterThan: 490), lists[0], &cursors)
    }

    private func names(
        _ join: EntryJoin, _ list: StoredList, _ cursors: inout CursorSet
    ) throws(LMDBError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        let first = join.lists[0]
        while true {
            let outcome = try cursors.meet(join)
            guard outcome == .met else {
                let isEnd = outcome == .ended
                #expect(isEnd, "\(outcome)")
                return names
            }
            names.append(list.rest(Array(Array(copying: cursors.key(first.cursor)).dropFirst(list.prefix.count))))
            let isMoved = first.backwards ? try cursors.previous(first.cursor) : try cursors.next(first.cursor)
            guard isMoved, startsWith(cursors.key(first.cursor), list.prefix.span.bytes) else { return names }
        }
    }
}

extension CursorSet {
    /// Places a cursor at the first or last key of a range.
    fileprivate mutating func place(
        _ id: CursorID, _ lower: [UInt8], _ upper: [UInt8], backwards: Bool
    ) throws(LMDBError) -> Bool {
        if backwards {
            _ = try seek(id, upper.span.bytes)
            return try previous(id) && compareBytes(key(id), lower.span.bytes) >= 0
        }
        return try seek(id, lower.span.bytes) && compareBytes(key(id), upper.span.bytes) < 0
    }
}
