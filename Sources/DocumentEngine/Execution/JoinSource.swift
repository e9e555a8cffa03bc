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
    }

    private var members: [Member]
    private let sortKey: [SortKeyPart]
    /// The suffix sought, in the order of the visit: complemented where a member runs backwards.
    private var target: [UInt8] = []
    private var isPlaced = false

    init(
        _ members: [(RangeCursor, EntryReader)], _ sortKey: [SortKeyPart], _ environment: SourceEnvironment
    ) {
        self.members = members.map { Member(cursor: $0, reader: $1) }
        self.sortKey = sortKey
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while try nextAgreed(&cursors) {
            let first = members[0]
            if !first.reader.hasConditions { return true }
            if try first.reader.isAllowed(first.cursor.rest(cursors)) { return true }
        }
        return false
    }

    @_lifetime(cursors: copy cursors)
    private func nextAgreed(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        var agreed: Int
        if isPlaced {
            for index in members.indices {
                guard try step(index, &cursors) else { return false }
            }
            guard var greatest = members.indices.first else { return false }
            copyTarget(greatest, cursors)
            for index in members.indices.dropFirst() where compareToTarget(index, cursors) > 0 {
                greatest = index
                copyTarget(greatest, cursors)
            }
            agreed = greatest
        } else {
            isPlaced = true
            environment.counters.seeks += 1
            guard try step(0, &cursors) else { return false }
            copyTarget(0, cursors)
            agreed = 0
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
                environment.counters.seeks += 1
                let sought = members[index].reader.scan.backwards ? target.map { ~$0 } : target
                guard try members[index].cursor.seek(sought, &cursors) else { return false }
                environment.counters.entriesScanned += 1
            }
            if compareToTarget(index, cursors) == 0 {
                agreeing += 1
            } else {
                copyTarget(index, cursors)
                agreeing = 1
            }
        }
        return true
    }

    @_lifetime(cursors: copy cursors)
    private func step(_ index: Int, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        guard try members[index].cursor.next(&cursors) else { return false }
        environment.counters.entriesScanned += 1
        return true
    }

    private func isAtTarget(_ index: Int, _ cursors: borrowing CursorSet) -> Bool {
        members[index].cursor.isAtEntry && compareToTarget(index, cursors) == 0
    }

    private func copyTarget(_ index: Int, _ cursors: borrowing CursorSet) {
        target.removeAll(keepingCapacity: true)
        target.append(copying: members[index].cursor.rest(cursors))
        guard members[index].reader.scan.backwards else { return }
        for index in target.indices { target[index] = ~target[index] }
    }

    /// The order of a member's entry against the target, in the order of the visit.
    private func compareToTarget(_ index: Int, _ cursors: borrowing CursorSet) -> Int {
        let rest = members[index].cursor.rest(cursors)
        guard members[index].reader.scan.backwards else { return compareBytes(rest, target.span.bytes) }
        let complement = target.map { ~$0 }
        return compareBytes(complement.span.bytes, rest)
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        let first = members[0]
        try first.reader.appendDocumentKey(
            to: &key, suffix: first.cursor.rest(cursors), value: first.cursor.value(cursors))
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try members[0].reader.path(members[0].cursor.rest(cursors))
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        let suffix = members[0].cursor.rest(cursors)
        for part in sortKey {
            switch part {
            case .constant(let bytes): key += bytes
            case .suffix(let index): try members[0].reader.appendPart(index, of: suffix, to: &key)
            }
        }
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        for member in members {
            let found = try member.reader.number(
                at: path, suffix: member.cursor.rest(cursors), value: member.cursor.value(cursors))
            if let found { return found }
        }
        return nil
    }
}
