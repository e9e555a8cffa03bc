// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// A position among the keys of a store, which visits long and short keys in one order.
///
/// At a short key it costs no more than an LMDB cursor. In overflow chains it is a stack of LMDB cursors, one a chain.
struct LongKeyCursor: Sendable {
    /// An LMDB cursor, and where its keys belong in the whole key.
    private struct Level {
        let cursor: CursorID
        /// The encoded chain ID, with which every key of this level begins. Empty at the first level.
        let chain: [UInt8]
        /// The length of ``LongKeyCursor/long`` before this level's keys.
        let base: Int
    }

    private var level: Level { levels.last ?? Level(cursor: first, chain: [], base: 0) }
    private var top: CursorID { levels.last?.cursor ?? first }

    private enum Place {
        case atEnd
        /// The last level's cursor is at a complete key. At the first level the key is not copied.
        case short
        /// The last level's cursor is at a prefix with an inline suffix.
        case inline(value: Int)
    }

    private let first: CursorID
    /// Whether the first cursor has been moved for the next target.
    private var isSought = false
    /// The overflow chains that the cursor is in. Usually none.
    private var levels: [Level] = []
    private var place = Place.atEnd
    /// The current key, unless it is a short key of the first level.
    private var long: [UInt8] = []

    init(_ name: StoreName, _ transaction: inout Transaction) throws(EngineError) {
        first = try transaction.open(transaction.stores[name])
    }

    func close(_ transaction: inout Transaction) {
        transaction.close(first)
        for level in levels { transaction.close(level.cursor) }
    }

    /// The cursor that the caller moves to a short target before it seeks that.
    mutating func makeSought() -> CursorID {
        isSought = true
        return first
    }

    var isAtEntry: Bool {
        if case .atEnd = place { false } else { true }
    }

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

    /// Moves to the first key at or after `target`. Returns false if there is none.
    mutating func seek(_ target: RawSpan, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        popAll(&transaction)
        if target.byteCount < LongKey.prefixLength {
            let found = isSought ? transaction.isAtEntry(first) : try transaction.seek(first, target)
            isSought = false
            guard found else { return end() }
            return try descendFirst(&transaction)
        }
        return try seekLong([UInt8](copying: target), &transaction)
    }

    /// Moves to the last key before `target`, or to the last key of all if `target` is empty. Returns false if there is
    /// none.
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

    /// Skips following short keys below `bound`, at most `limit` of them, and returns their number. An empty bound
    /// means no bound. It may stop early; then call ``next(_:)``.
    mutating func advance(
        below bound: RawSpan, atMost limit: Int, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        guard levels.isEmpty, case .short = place else { return 0 }
        return try transaction.advance(first, below: bound, atMost: limit)
    }

    /// The current key and nearby short keys that follow it in the scan's direction, up to `bound`: the end of a range,
    /// or, backwards, its first key. Empty at a long key. ``step(over:backwards:_:)`` moves the cursor past them.
    @_lifetime(borrow transaction)
    borrowing func span(
        to bound: RawSpan, atMost limit: Int, backwards: Bool, _ transaction: borrowing Transaction
    ) -> EntrySpan {
        var limit = limit
        if levels.isEmpty, case .short = place {} else { limit = 0 }
        return transaction.span(from: first, to: bound, atMost: limit, backwards: backwards)
    }

    /// Moves past `count` keys of a run.
    func step(over count: Int, backwards: Bool, _ transaction: inout Transaction) {
        transaction.step(first, over: count, backwards: backwards)
    }

    /// The list of entries to be joined with others. ``notePlace(_:)`` must be called when they have been moved.
    func list(prefix: [UInt8], bound: [UInt8], backwards: Bool) -> EntryJoin.List {
        EntryJoin.List(first, prefix: prefix, bound: bound, backwards: backwards)
    }

    /// Notes whether a join has left the cursor at an entry, whose key is short.
    mutating func notePlace(_ transaction: borrowing Transaction) {
        if !transaction.isAtEntry(first) { place = .atEnd }
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

    /// Leaves a level that has no more keys, and continues behind the chain's prefix in the level above.
    private mutating func ascend(forward: Bool, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        while !levels.isEmpty {
            pop(&transaction)
            let cursor = top
            let found = forward ? try transaction.next(cursor) : try transaction.previous(cursor)
            if found { return try descend(forward: forward, &transaction) }
        }
        return end()
    }

    /// A cheaper ``descend(forward:_:)`` for moving forward at the first level, where most keys are short.
    private mutating func descendFirst(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        guard transaction.key(first).byteCount < LongKey.prefixLength else {
            return try descend(forward: true, &transaction)
        }
        place = .short
        return true
    }

    /// Makes the entry under the last level's cursor the current one, descending into chains.
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

    /// Enters a chain at its first or last entry.
    private mutating func enter(
        _ chain: [UInt8], forward: Bool, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        guard levels.count < 4_096 else { throw .damaged("chains of long keys are nested without end") }
        let cursor = try transaction.open(transaction.stores.overflow)
        levels.append(Level(cursor: cursor, chain: chain, base: long.count))
        if forward { return try transaction.seek(cursor, chain.span.bytes) }
        let after = OrderedInteger.bytes(try OrderedInteger.read(chain.span.bytes) + 1)
        _ = try transaction.seek(cursor, after.span.bytes)
        return try transaction.previous(cursor)
    }

    /// Seeks level by level: first the target's prefix, then its suffix in the chain under that prefix.
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
