// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Rows that several indexes agree on: a zig-zag join over their common suffix (I-33, P-6).
///
/// The greatest key that any member is at is the target; every other member seeks to it; where all are at it there is a row, and
/// every member steps on.
final class JoinSource: RowSource {
    private struct Member {
        var cursor: RangeCursor
        let reader: EntryReader
        let backwards: Bool
        /// How many steps to try before a seek: more where that was lately enough.
        var steps = 1
    }

    /// A seek costs about as much.
    private static let mostSteps = 4

    private var members: [Member]
    private let sortKey: [SortKeyPart]
    /// The suffix sought, in the order of the visit: complemented where a member runs backwards.
    private var target: [UInt8] = []
    private var isPlaced = false

    init(
        _ members: [(RangeCursor, EntryReader)], _ sortKey: [SortKeyPart], _ environment: SourceEnvironment
    ) {
        self.members = members.map { Member(cursor: $0, reader: $1, backwards: $1.scan.backwards) }
        self.sortKey = sortKey
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while try nextAgreed(&cursors) {
            if !members[0].reader.hasConditions { return true }
            let isAllowed = try members[0].cursor.withEntry(cursors) { (rest, _) throws(EngineError) in
                try members[0].reader.isAllowed(rest)
            }
            if isAllowed { return true }
            patience -= 1
            if isPaused { return false }
        }
        return false
    }

    @_lifetime(cursors: copy cursors)
    private func nextAgreed(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        var agreed = 0
        if isPlaced {
            for index in members.indices {
                guard try step(index, &cursors) else { return false }
            }
            try copyTarget(0, cursors)
            for index in members.indices.dropFirst() where compareToTarget(index, cursors) > 0 {
                agreed = index
                try copyTarget(index, cursors)
            }
        } else {
            isPlaced = true
            environment.counters.seeks += 1
            guard try step(0, &cursors) else { return false }
            try copyTarget(0, cursors)
        }
        return try agree(with: agreed, &cursors)
    }

    /// Lets every member seek the target, which any of them may move on, until all are at it.
    @_lifetime(cursors: copy cursors)
    private func agree(with first: Int, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        var agreeing = 1
        var index = first
        while agreeing < members.count {
            index = (index + 1) % members.count
            if !isAtTarget(index, cursors) {
                guard try reach(index, &cursors) else { return false }
            }
            if compareToTarget(index, cursors) == 0 {
                agreeing += 1
            } else {
                try copyTarget(index, cursors)
                agreeing = 1
            }
        }
        return true
    }

    /// Moves a member that is behind the target to it, or past it; production always seeks (P-6).
    @_lifetime(cursors: copy cursors)
    private func reach(_ index: Int, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if !environment.asProduction, members[index].cursor.isAtEntry {
            for _ in 0..<members[index].steps {
                guard try step(index, &cursors) else { return false }
                guard compareToTarget(index, cursors) < 0 else {
                    members[index].steps = JoinSource.mostSteps
                    return true
                }
            }
            members[index].steps = max(1, members[index].steps / 2)
        }
        environment.counters.seeks += 1
        let sought = members[index].backwards ? target.map { ~$0 } : target
        guard try members[index].cursor.seek(sought, &cursors) else { return false }
        environment.counters.entriesScanned += 1
        return true
    }

    @_lifetime(cursors: copy cursors)
    private func step(_ index: Int, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        guard try members[index].cursor.next(&cursors) else { return false }
        environment.counters.entriesScanned += 1
        return true
    }

    private func isAtTarget(_ index: Int, _ cursors: borrowing CursorSet) -> Bool {
        guard members[index].cursor.isAtEntry else { return false }
        return compareToTarget(index, cursors) == 0
    }

    private func copyTarget(_ index: Int, _ cursors: borrowing CursorSet) throws(EngineError) {
        target.removeAll(keepingCapacity: true)
        try members[index].cursor.withEntry(cursors) { (rest, _) throws(EngineError) in target.append(copying: rest) }
        guard members[index].backwards else { return }
        for index in target.indices { target[index] = ~target[index] }
    }

    /// The order of a member's entry against the target, in the order of the visit.
    private func compareToTarget(_ index: Int, _ cursors: borrowing CursorSet) -> Int {
        let backwards = members[index].backwards
        let order = members[index].cursor.compareRest(to: target, isComplemented: backwards, cursors)
        return backwards ? -order : order
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try members[0].cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
            try members[0].reader.appendDocumentKey(to: &key, suffix: rest, value: value)
        }
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try members[0].cursor.withEntry(cursors) { (rest, _) throws(EngineError) in try members[0].reader.path(rest) }
    }

    override func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        if let collection = members[0].reader.collection { return collection }
        return try path(cursors).collection
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try members[0].cursor.withEntry(cursors) { (rest, _) throws(EngineError) in
            try members[0].reader.appendSortKey(sortKey, suffix: rest, to: &key)
        }
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        for member in members {
            let found = try member.cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
                try member.reader.number(at: path, suffix: rest, value: value)
            }
            if let found { return found }
        }
        return nil
    }
}
