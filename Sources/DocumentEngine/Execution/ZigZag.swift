// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// A zig-zag join of several scans by their common suffix.
///
/// The target is the greatest suffix at which any member is. Every other member moves to it. Where all are at the
/// target, there is a row. Mostly the members are moved in their pages together, by ``EntryJoin``. A struct, so that
/// its steps are not checked for exclusive access.
struct ZigZag {
    struct Member {
        var cursor: RangeCursor
        let reader: EntryReader
        let backwards: Bool
        /// The number of steps to try before a seek. It grows when steps were enough.
        var steps = 1
        /// The number of times that this member moved past the target.
        var rejections = 0
    }

    /// A seek costs about as much as this many steps.
    private static let mostSteps = 16
    /// A member moves one place forward when it has this many more rejections than the member before it.
    private static let promotion = 8
    /// The number of restarts at the first member before the last members are asked too, so that a member with few
    /// entries need not wait until long lists agree.
    private static let mostRestarts = 8

    private var members: [Member]
    /// Whether to visit entries as production does (P-6).
    private let asProduction: Bool
    /// The target suffix in scan order: complemented if a member runs backwards.
    private var target: [UInt8] = []
    private var isPlaced = false
    private var isEnded = false
    /// Nil if the members are moved one by one.
    private let join: EntryJoin?
    private var restarts = 0
    private var seeks = 0
    private var entriesScanned = 0

    init(_ members: [(RangeCursor, EntryReader)], asProduction: Bool) {
        self.members = members.map { Member(cursor: $0, reader: $1, backwards: $1.scan.backwards) }
        self.asProduction = asProduction
        let lists = asProduction ? [] : members.compactMap { $0.0.list }
        join = lists.count == members.count ? EntryJoin(lists, shorterThan: LongKey.prefixLength) : nil
    }

    var memberCount: Int { members.count }

    /// All members have the same scope.
    var collection: CollectionPath? { members[0].reader.collection }

    /// Calls `body` with the reader of a member, the suffix of its current entry, which is that of all members, and the
    /// entry's value.
    mutating func withEntry<R>(
        of index: Int, _ transaction: borrowing Transaction,
        _ body: (EntryReader, RawSpan, RawSpan) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        let reader = members[index].reader
        return try members[index].cursor.withEntry(transaction) { (rest, value) throws(EngineError) in
            try body(reader, rest, value)
        }
    }

    var hasResidualFilter: Bool { members[0].reader.hasResidualFilter }

    mutating func isAllowed(_ transaction: borrowing Transaction) throws(EngineError) -> Bool {
        try withEntry(of: 0, transaction) { (reader, rest, _) throws(EngineError) in try reader.isAllowed(rest) }
    }

    /// Adds the work since the last call to the counters.
    mutating func count(in counters: inout ExecutionCounters) {
        counters.seeks += seeks
        counters.entriesScanned += entriesScanned
        seeks = 0
        entriesScanned = 0
    }

    /// Moves to the first or next suffix that all members have.
    mutating func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        guard !isEnded else { return false }
        if !isPlaced { seeks += 1 }
        guard try step(0, &transaction) else { return false }
        let isFirst = !isPlaced
        isPlaced = true
        if asProduction { return try nextAsProduction(isFirst: isFirst, &transaction) }
        try copyTarget(0, transaction)
        guard let join else { return try agree(with: 0, &transaction) }
        if isFirst {
            for index in members.indices.dropFirst() {
                guard try reach(index, &transaction) != nil else { return false }
            }
        }
        if let isMet = try meet(join, &transaction) { return isMet }
        return try agree(with: nil, &transaction)
    }

    private mutating func nextAsProduction(
        isFirst: Bool, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        var setter = 0
        if !isFirst {
            for index in members.indices.dropFirst() {
                guard try step(index, &transaction) else { return false }
            }
        }
        try copyTarget(0, transaction)
        if !isFirst {
            for index in members.indices.dropFirst() where try compareToTarget(index, transaction) > 0 {
                setter = index
                try copyTarget(index, transaction)
            }
        }
        return try agree(with: setter, &transaction)
    }

    /// Moves the members in their pages together.
    ///
    /// - Returns: whether they are at a row, or nil if they have to be moved one by one.
    private mutating func meet(_ join: EntryJoin, _ transaction: inout Transaction) throws(EngineError) -> Bool? {
        let moves = join.moves
        let outcome = try transaction.meet(join)
        seeks += join.moves - moves
        entriesScanned += join.moves - moves
        switch outcome {
        case .met:
            try requirePrefixes(transaction)
            return true
        case .ended:
            // The last move came to no entry.
            entriesScanned -= 1
            isEnded = true
            return false
        case .unable: return nil
        case .stopped:
            for index in members.indices { members[index].cursor.notePlace(transaction) }
            return nil
        }
    }

    /// Moves every member to the target until all are at it. A member that moves past the target sets a new one.
    /// The first one may be set by none of them.
    ///
    /// Production asks the members in rotation. Otherwise the members that reject most come first, so that the others,
    /// which have denser lists, visit fewer targets.
    private mutating func agree(with first: Int?, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        var setter = first ?? -1
        var index = asProduction ? setter : -1
        var agreeing = first == nil ? 0 : 1
        while agreeing < members.count {
            index = index + 1 == members.count ? 0 : index + 1
            if index == setter { continue }
            if index == members.count - 1 { restarts = 0 }
            guard let order = try reach(index, &transaction) else { return false }
            if order == 0 {
                agreeing += 1
                continue
            }
            try copyTarget(index, transaction)
            agreeing = 1
            setter = asProduction ? index : promoted(index)
            guard !asProduction, restarts < ZigZag.mostRestarts else { continue }
            restarts += 1
            index = -1
        }
        try requirePrefixes(transaction)
        return true
    }

    private mutating func requirePrefixes(_ transaction: borrowing Transaction) throws(EngineError) {
        for index in members.indices { try members[index].cursor.requirePrefix(transaction) }
    }

    /// Records that a member rejected the target.
    ///
    /// - Returns: the member's new position.
    private mutating func promoted(_ index: Int) -> Int {
        members[index].rejections += 1
        guard index > 0, members[index].rejections > members[index - 1].rejections + ZigZag.promotion else {
            return index
        }
        members.swapAt(index, index - 1)
        return index - 1
    }

    /// Moves a member that is before the target to or past it. Production always seeks (P-6).
    ///
    /// - Returns: the order of its entry relative to the target, or nil at the end.
    private mutating func reach(_ index: Int, _ transaction: inout Transaction) throws(EngineError) -> Int? {
        if members[index].cursor.isAtEntry {
            let order = try compareToTarget(index, transaction)
            if order >= 0 { return order }
            // Steps, because a backward seek never stays within a page.
            if !asProduction, members[index].backwards {
                for _ in 0..<members[index].steps {
                    guard try step(index, &transaction) else { return nil }
                    let order = try compareToTarget(index, transaction)
                    guard order < 0 else {
                        members[index].steps = ZigZag.mostSteps
                        return order
                    }
                }
                members[index].steps = max(1, members[index].steps / 2)
            }
        }
        seeks += 1
        let isFound =
            members[index].backwards
            ? try members[index].cursor.seek(target.map { ~$0 }, &transaction)
            : try members[index].cursor.seek(target, &transaction)
        guard isFound else { return nil }
        entriesScanned += 1
        return try compareToTarget(index, transaction)
    }

    private mutating func step(_ index: Int, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        guard try members[index].cursor.next(&transaction) else { return false }
        entriesScanned += 1
        return true
    }

    private mutating func copyTarget(_ index: Int, _ transaction: borrowing Transaction) throws(EngineError) {
        try members[index].cursor.copyRest(to: &target, transaction)
        guard members[index].backwards else { return }
        for index in target.indices { target[index] = ~target[index] }
    }

    /// The order of a member's entry relative to the target, in scan order.
    private mutating func compareToTarget(
        _ index: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Int {
        let backwards = members[index].backwards
        let order = try members[index].cursor.compareRest(to: target, isComplemented: backwards, transaction)
        return backwards ? -order : order
    }
}
