// SPDX-License-Identifier: Apache-2.0

package import LMDB

/// A place among the keys of a ``KeyedStore``, long keys in their order among the others.
///
/// At a short key it costs what an LMDB cursor costs. In runs of long keys it is a stack of LMDB cursors, one for each run.
package struct KeyCursor: Sendable {
    /// A cursor and what its keys have before and behind them.
    private struct Level {
        let cursor: CursorID
        /// The run's number, with which every key of this level begins; empty at the first level.
        let run: [UInt8]
        /// How many bytes of ``KeyCursor/long`` stand before this level's keys.
        let base: Int
    }

    private var level: Level { runs.last ?? Level(cursor: first, run: [], base: 0) }
    private var top: CursorID { runs.last?.cursor ?? first }

    private enum Place {
        case atEnd
        /// The last level's cursor is at a whole key; at the first level it is not copied.
        case short
        /// The last level's cursor is at the head of a lone long key.
        case lone(value: Int)
    }

    private let keyed: KeyedStore
    private let first: CursorID
    /// The runs that the cursor is in: most are in none.
    private var runs: [Level] = []
    private var place = Place.atEnd
    /// The current key, where it is not a short key of the first level.
    private var long: [UInt8] = []

    package init(_ keyed: KeyedStore, _ cursors: inout CursorSet) throws(EngineError) {
        self.keyed = keyed
        first = try cursors.openCursor(keyed.store)
    }

    package func close(_ cursors: inout CursorSet) {
        cursors.close(first)
        for level in runs { cursors.close(level.cursor) }
    }

    package var isAtEntry: Bool {
        if case .atEnd = place { false } else { true }
    }

    /// The current key.
    @_lifetime(borrow self, borrow cursors)
    package borrowing func key(_ cursors: borrowing CursorSet) -> RawSpan {
        if runs.isEmpty, case .short = place { return cursors.key(first) }
        return long.span.bytes
    }

    @_lifetime(borrow cursors)
    package borrowing func value(_ cursors: borrowing CursorSet) -> RawSpan {
        let value = cursors.value(top)
        if case .lone(let start) = place { return value.extracting(start..<value.byteCount) }
        return value
    }

    /// Moves to the first key at or after `target`; false if there is none.
    package mutating func seek(_ target: RawSpan, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        popAll(&cursors)
        if target.byteCount < KeyedStore.cut {
            guard try cursors.seekEntry(first, target) else { return end() }
            return try settleFirst(&cursors)
        }
        return try seekLong([UInt8](copying: target), &cursors)
    }

    /// Moves to the last key before `target`, or the last of all if `target` is empty; false if there is none.
    package mutating func seek(
        before target: RawSpan, _ cursors: inout CursorSet
    ) throws(EngineError) -> Bool {
        if target.byteCount > 0 {
            if try seek(target, &cursors) { return try previous(&cursors) }
            popAll(&cursors)
        }
        guard try cursors.lastEntry(first) else { return end() }
        return try settle(forward: false, &cursors)
    }

    package mutating func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if runs.isEmpty, try cursors.nextEntry(first) {
            return try settleFirst(&cursors)
        }
        guard !runs.isEmpty else { return end() }
        guard try cursors.nextEntry(top) else { return try leave(forward: true, &cursors) }
        return try settle(forward: true, &cursors)
    }

    /// Steps on over following short keys below `bound` (empty: no bound), at most `limit` of them, and says how many those were.
    /// It may stop before there is need to; then ``next(_:)`` goes on.
    mutating func advance(
        below bound: RawSpan, atMost limit: Int, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        guard runs.isEmpty, case .short = place else { return 0 }
        return try cursors.advanceEntries(first, below: bound, atMost: limit)
    }

    /// The current key, if it is a short one, and short ones that follow it nearby in the direction of the visit, as far as
    /// `bound`: the end of a range, or backwards its first key. ``step(over:backwards:_:)`` then moves there.
    @_lifetime(borrow cursors)
    borrowing func run(
        to bound: RawSpan, atMost limit: Int, backwards: Bool, _ cursors: borrowing CursorSet
    ) -> EntryRun {
        var limit = limit
        if runs.isEmpty, case .short = place {} else { limit = 0 }
        return cursors.run(
            from: first, to: bound, shorterThan: KeyedStore.cut, atMost: limit, backwards: backwards)
    }

    /// Moves on by some keys of a run.
    func step(over count: Int, backwards: Bool, _ cursors: inout CursorSet) {
        cursors.step(first, over: count, backwards: backwards)
    }

    package mutating func previous(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        guard try cursors.previousEntry(top) else {
            return try leave(forward: false, &cursors)
        }
        return try settle(forward: false, &cursors)
    }
}

extension KeyCursor {
    private mutating func end() -> Bool {
        place = .atEnd
        return false
    }

    private mutating func popAll(_ cursors: inout CursorSet) {
        while !runs.isEmpty { pop(&cursors) }
    }

    private mutating func pop(_ cursors: inout CursorSet) {
        cursors.close(runs.removeLast().cursor)
    }

    /// The last level has no further key: goes on in the level above, past the head of its run.
    private mutating func leave(forward: Bool, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while !runs.isEmpty {
            pop(&cursors)
            let cursor = top
            let found = forward ? try cursors.nextEntry(cursor) : try cursors.previousEntry(cursor)
            if found { return try settle(forward: forward, &cursors) }
        }
        return end()
    }

    /// As ``settle(forward:_:)`` forwards at the first level, where most keys are short.
    private mutating func settleFirst(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        guard cursors.key(first).byteCount < KeyedStore.cut else {
            return try settle(forward: true, &cursors)
        }
        place = .short
        return true
    }

    /// Makes the entry that the last level's cursor is at the current key, going down into runs.
    private mutating func settle(forward: Bool, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while true {
            let level = self.level
            guard startsWith(cursors.key(level.cursor), level.run.span.bytes) else {
                return try leave(forward: forward, &cursors)
            }
            if cursors.key(level.cursor).byteCount < KeyedStore.cut {
                if !runs.isEmpty { copyKey(of: level, &cursors) }
                place = .short
                return true
            }
            copyKey(of: level, &cursors)
            let run: [UInt8]
            switch try LongKeyHead(cursors.value(level.cursor)) {
            case .lone(let rest):
                long.append(copying: cursors.value(level.cursor).extracting(rest))
                place = .lone(value: rest.upperBound)
                return true
            case .run(let number): run = OrderedInteger.bytes(number)
            }
            guard try enter(run, forward: forward, &cursors) else {
                throw .damaged("a run of long keys is empty")
            }
        }
    }

    private mutating func copyKey(of level: Level, _ cursors: inout CursorSet) {
        long.removeSubrange(level.base...)
        let key = cursors.key(level.cursor)
        long.append(copying: key.extracting(level.run.count..<key.byteCount))
    }

    /// Goes down into a run, to its first or last entry.
    private mutating func enter(_ run: [UInt8], forward: Bool, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        guard runs.count < 4_096 else { throw .damaged("runs of long keys lie in one another without end") }
        let cursor = try cursors.openCursor(keyed.continuations)
        runs.append(Level(cursor: cursor, run: run, base: long.count))
        if forward { return try cursors.seekEntry(cursor, run.span.bytes) }
        let after = OrderedInteger.bytes(try OrderedInteger.read(run.span.bytes) + 1)
        _ = try cursors.seekEntry(cursor, after.span.bytes)
        return try cursors.previousEntry(cursor)
    }

    /// Level by level: the head of the target, then its rest within the run under that head.
    private mutating func seekLong(_ target: [UInt8], _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        var rest = target
        while true {
            let cursor = top
            let isLong = rest.count >= KeyedStore.cut
            let head = isLong ? rest[..<KeyedStore.cut] : rest[...]
            guard try cursors.seekEntry(cursor, head.span.bytes) else { return try leave(forward: true, &cursors) }
            guard isLong, cursors.key(cursor).isEqual(to: head) else { return try settle(forward: true, &cursors) }
            copyKey(of: level, &cursors)
            let tail = rest[KeyedStore.cut...]
            switch try LongKeyHead(cursors.value(cursor)) {
            case .lone(let range):
                let isBefore = compareBytes(cursors.value(cursor).extracting(range), tail.span.bytes) < 0
                return isBefore ? try next(&cursors) : try settle(forward: true, &cursors)
            case .run(let number):
                let run = OrderedInteger.bytes(number)
                runs.append(Level(cursor: try cursors.openCursor(keyed.continuations), run: run, base: long.count))
                rest = run + tail
            }
        }
    }
}
