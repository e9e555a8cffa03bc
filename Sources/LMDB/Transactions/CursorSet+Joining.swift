// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

// Entries that several lists have in common, where this module reads the pages.

extension CursorSet {
    /// Moves the cursors of a join on to the next entries with the same rest. If they are at such entries, they stay.
    ///
    /// Whether the entries have the lists' prefixes is not seen, which matters where pages are damaged.
    package mutating func meet(_ join: EntryJoin) throws(LMDBError) -> EntryJoin.Outcome {
        guard readsPages, enter(join) else { return .unable }
        let outcome = try agree(join)
        return outcome == .ended || leave(join) ? outcome : .stopped
    }

    /// Takes the cursors' places into the join; false if they cannot be moved in their leaves.
    private borrowing func enter(_ join: EntryJoin) -> Bool {
        for position in 0..<join.count {
            let list = unsafe join.lists + position
            let id = unsafe list.pointee.cursor
            checkOpen(id)
            guard let leaf = unsafe leaf(of: id) else { return false }
            guard unsafe list.pointee.enter(leaf, storage.slots[id.slot].index), unsafe list.pointee.isInside,
                unsafe list.pointee.hasShortKey(below: join.length)
            else { return false }
        }
        return true
    }

    /// Moves the cursors to the places of the join, or unplaces them; false if any is unplaced.
    private borrowing func leave(_ join: EntryJoin) -> Bool {
        var isPlaced = true
        for position in 0..<join.count {
            let list = unsafe join.lists + position
            let id = unsafe list.pointee.cursor
            if unsafe list.pointee.isInside, let page = unsafe list.pointee.page,
                unsafe list.pointee.hasShortKey(below: join.length), unsafe show(list.pointee.index, of: page, id)
            {
                continue
            }
            unsafe storage.slots[id.slot].position = .unplaced
            isPlaced = false
        }
        return isPlaced
    }

    /// Moves every list to the target until all are at it. A list that moves past the target sets a new one.
    private borrowing func agree(_ join: EntryJoin) throws(LMDBError) -> EntryJoin.Outcome {
        guard var target = unsafe join.lists[0].target else { return .stopped }
        var (setter, position, agreeing, restarts) = (0, 0, 1, 0)
        var moves = 0
        defer { join.moves += moves }
        while agreeing < join.count {
            position = position + 1 == join.count ? 0 : position + 1
            if position == setter { continue }
            if position == join.count - 1 { restarts = 0 }
            let list = unsafe join.lists + position
            switch unsafe try move(list, to: target, join, &moves) {
            case .equal: agreeing += 1
            case .ended: return .ended
            case .odd: return .stopped
            case .greater:
                guard let next = unsafe list.pointee.target else { return .stopped }
                unsafe target = unsafe next
                agreeing = 1
                setter = join.promoted(position)
                guard restarts < EntryJoin.mostRestarts else { continue }
                restarts += 1
                position = -1
            }
        }
        return .met
    }

    /// Moves a list on to the first entry that is not before the target.
    @unsafe @inline(__always)
    private borrowing func move(
        _ list: UnsafeMutablePointer<JoinedList>, to target: JoinTarget, _ join: EntryJoin, _ moves: inout Int
    ) throws(LMDBError) -> JoinMove {
        // A key of that length may be cut off, and then seem to be before the target.
        guard unsafe list.pointee.keyCount(of: target) < join.length else { return .odd }
        unsafe list.pointee.targets += 1
        let before = unsafe list.pointee.index
        var order = unsafe list.pointee.gallop(to: target)
        if unsafe list.pointee.index != before {
            moves += 1
            if unsafe !list.pointee.isInside {
                if let outcome = unsafe try moveToLeaf(list, of: target, join) { return outcome }
                order = unsafe list.pointee.order(target)
                // Keys of a damaged page may be out of order.
                if order < 0 { throw damage() }
            }
        }
        guard unsafe list.pointee.hasShortKey(below: join.length) else { return .odd }
        return order == 0 ? .equal : .greater
    }

    /// Moves a list on to the leaf of the first entry that is not before the target. Nil if it is there.
    @unsafe @inline(never)
    private borrowing func moveToLeaf(
        _ list: UnsafeMutablePointer<JoinedList>, of target: JoinTarget, _ join: EntryJoin
    ) throws(LMDBError) -> JoinMove? {
        let id = unsafe list.pointee.cursor
        let backwards = unsafe list.pointee.backwards
        guard unsafe list.pointee.goesOn else { return .ended }
        let sought = unsafe list.pointee.key(of: target, in: join.sought)
        let tree = unsafe try treeToRead(id)
        guard var (leaf, index) = unsafe tree.descend(to: sought, from: path(id)),
            let order = unsafe leaf.order(index, sought)
        else { throw damage() }
        if order < 0, !backwards { index += 1 }
        if unsafe index == leaf.count || (order > 0 && backwards) {
            switch unsafe tree.neighbor(isNext: !backwards, path(id)) {
            case .leaf(let next): unsafe (leaf, index) = unsafe (next, backwards ? next.count - 1 : 0)
            case .none: return .ended
            case .damaged: throw damage()
            }
        }
        unsafe storage.slots[id.slot].leaf = unsafe leaf
        guard unsafe list.pointee.enter(leaf, index) else { throw damage() }
        return unsafe list.pointee.isInside ? nil : .ended
    }
}

/// What a list of a join has at or after a target.
private enum JoinMove {
    case equal
    case greater
    /// Nothing.
    case ended
    /// Something that cannot be read in its page.
    case odd
}
