// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// A place among the keys of a store, long keys in their order among the others.
///
/// At a short key it costs what an LMDB cursor costs. In overflow chains it is a stack of LMDB cursors, one for each chain.
struct LongKeyCursor: Sendable {
    /// A cursor and what its keys have before and behind them.
    private struct Level {
        let cursor: CursorID
        /// The chain's ID, with which every key of this level begins; empty at the first level.
        let chain: [UInt8]
        /// How many bytes of ``LongKeyCursor/long`` stand before this level's keys.
        let base: Int
    }

    private var level: Level { levels.last ?? Level(cursor: first, chain: [], base: 0) }
    private var top: CursorID { levels.last?.cursor ?? first }

    private enum Place {
        case atEnd
        /// The last level's cursor is at a whole key; at the first level it is not copied.
        case short
        /// The last level's cursor is at a key prefix with an inline suffix.
        case inline(value: Int)
    }

    private let first: CursorID
    /// The chains that the cursor is in: most are in none.
    private var levels: [Level] = []
    private var place = Place.atEnd
    /// The current key, where it is not a short key of the first level.
    private var long: [UInt8] = []

    init(_ name: StoreName, _ transaction: inout Transaction) throws(EngineError) {
        first = try transaction.open(transaction.stores[name])
    }

    func close(_ transaction: inout Transaction) {
        transaction.close(first)
        for level in levels { transaction.close(level.cursor) }
    }

    var isAtEntry: Bool {
        if case .atEnd = place { false } else { true }
    }

    /// The current key.
    @_lifetime(borrow self, borrow transaction)
    borrowing func key(_ transaction: borrowing Transaction) -> RawSpan {
        if levels.isEmpty, case .short = place { return transaction.key(first) }
        return long.span.bytes
    }

    @_lifetime(borrow transaction)
    borrowing func value(_ transaction: borrowing Transaction) -> RawSpan {
        let value = transaction.value(top)
        if case .inline(let start) = place { return value.extracting(start..<value.byteCount) }
        return value
    }

    /// Moves to the first key at or after `target`; false if there is none.
    mutating func seek(_ target: RawSpan, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        popAll(&transaction)
        if target.byteCount < LongKey.prefixLength {
            guard try transaction.seek(first, target) else { return end() }
            return try descendFirst(&transaction)
        }
        return try seekLong([UInt8](copying: target), &transaction)
    }

    /// Moves to the last key before `target`, or the last of all if `target` is empty; false if there is none.
    mutating func seek(
        before target: RawSpan, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        if target.byteCount > 0 {
            if try seek(target, &transaction) { return try previous(&transaction) }
            popAll(&transaction)
        }
        guard try transaction.last(first) else { return end() }
        return try descend(forward: false, &transaction)
    }

    mutating func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        if levels.isEmpty, try transaction.next(first) {
            return try descendFirst(&transaction)
        }
        guard !levels.isEmpty else { return end() }
        guard try transaction.next(top) else { return try ascend(forward: true, &transaction) }
        return try descend(forward: true, &transaction)
    }

    /// Steps on over following short keys below `bound` (empty: no bound), at most `limit` of them, and says how many those were.
    /// It may stop before there is need to; then ``next(_:)`` goes on.
    mutating func advance(
        below bound: RawSpan, atMost limit: Int, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        guard levels.isEmpty, case .short = place else { return 0 }
        return try transaction.advance(first, below: bound, atMost: limit)
    }

    /// The current key, if it is a short one, and short ones that follow it nearby in the direction of the visit, as far as
    /// `bound`: the end of a range, or backwards its first key. ``step(over:backwards:_:)`` then moves there.
    @_lifetime(borrow transaction)
    borrowing func run(
        to bound: RawSpan, atMost limit: Int, backwards: Bool, _ transaction: borrowing Transaction
    ) -> EntryRun {
        var limit = limit
        if levels.isEmpty, case .short = place {} else { limit = 0 }
        return transaction.run(from: first, to: bound, atMost: limit, backwards: backwards)
    }

    /// Moves on by some keys of a run.
    func step(over count: Int, backwards: Bool, _ transaction: inout Transaction) {
        transaction.step(first, over: count, backwards: backwards)
    }

    mutating func previous(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        guard try transaction.previous(top) else {
            return try ascend(forward: false, &transaction)
        }
        return try descend(forward: false, &transaction)
    }
}

extension LongKeyCursor {
    private mutating func end() -> Bool {
        place = .atEnd
        return false
    }

    private mutating func popAll(_ transaction: inout Transaction) {
        while !levels.isEmpty { pop(&transaction) }
    }

    private mutating func pop(_ transaction: inout Transaction) {
        transaction.close(levels.removeLast().cursor)
    }

    /// The last level has no further key: goes on in the level above, past the prefix of its chain.
    private mutating func ascend(forward: Bool, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        while !levels.isEmpty {
            pop(&transaction)
            let cursor = top
            let found = forward ? try transaction.next(cursor) : try transaction.previous(cursor)
            if found { return try descend(forward: forward, &transaction) }
        }
        return end()
    }

    /// As ``descend(forward:_:)`` forwards at the first level, where most keys are short.
    private mutating func descendFirst(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        guard transaction.key(first).byteCount < LongKey.prefixLength else {
            return try descend(forward: true, &transaction)
        }
        place = .short
        return true
    }

    /// Makes the entry that the last level's cursor is at the current key, descending into chains.
    private mutating func descend(forward: Bool, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        while true {
            let level = self.level
            guard startsWith(transaction.key(level.cursor), level.chain.span.bytes) else {
                return try ascend(forward: forward, &transaction)
            }
            if transaction.key(level.cursor).byteCount < LongKey.prefixLength {
                if !levels.isEmpty { copyKey(of: level, &transaction) }
                place = .short
                return true
            }
            copyKey(of: level, &transaction)
            let chain: [UInt8]
            switch try PrefixEntry(transaction.value(level.cursor)) {
            case .inline(let suffix):
                long.append(copying: transaction.value(level.cursor).extracting(suffix))
                place = .inline(value: suffix.upperBound)
                return true
            case .chain(let chainID): chain = OrderedInteger.bytes(chainID)
            }
            guard try enter(chain, forward: forward, &transaction) else {
                throw .damaged("a chain of long keys is empty")
            }
        }
    }

    private mutating func copyKey(of level: Level, _ transaction: inout Transaction) {
        long.removeSubrange(level.base...)
        let key = transaction.key(level.cursor)
        long.append(copying: key.extracting(level.chain.count..<key.byteCount))
    }

    /// Descends into a chain, to its first or last entry.
    private mutating func enter(
        _ chain: [UInt8], forward: Bool, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        guard levels.count < 4_096 else { throw .damaged("chains of long keys lie in one another without end") }
        let cursor = try transaction.open(transaction.stores.overflow)
        levels.append(Level(cursor: cursor, chain: chain, base: long.count))
        if forward { return try transaction.seek(cursor, chain.span.bytes) }
        let after = OrderedInteger.bytes(try OrderedInteger.read(chain.span.bytes) + 1)
        _ = try transaction.seek(cursor, after.span.bytes)
        return try transaction.previous(cursor)
    }

    /// Level by level: the prefix of the target, then its suffix within the chain under that prefix.
    private mutating func seekLong(_ target: [UInt8], _ transaction: inout Transaction) throws(EngineError) -> Bool {
        var rest = target
        while true {
            let cursor = top
            let isLong = rest.count >= LongKey.prefixLength
            let prefix = isLong ? rest[..<LongKey.prefixLength] : rest[...]
            guard try transaction.seek(cursor, prefix.span.bytes) else {
                return try ascend(forward: true, &transaction)
            }
            guard isLong, transaction.key(cursor).isEqual(to: prefix) else {
                return try descend(forward: true, &transaction)
            }
            copyKey(of: level, &transaction)
            let suffix = rest[LongKey.prefixLength...]
            switch try PrefixEntry(transaction.value(cursor)) {
            case .inline(let range):
                let isBefore = compareBytes(transaction.value(cursor).extracting(range), suffix.span.bytes) < 0
                return isBefore ? try next(&transaction) : try descend(forward: true, &transaction)
            case .chain(let chainID):
                let chain = OrderedInteger.bytes(chainID)
                levels.append(
                    Level(cursor: try transaction.open(transaction.stores.overflow), chain: chain, base: long.count))
                rest = chain + suffix
            }
        }
    }
}
