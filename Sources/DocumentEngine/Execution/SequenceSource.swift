// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The rows of several disjuncts one after another, each opened when it is its turn.
final class SequenceSource: RowSource {
    private let builder: SourceBuilder
    private let positions: [Int]
    private var opened = 0
    private var current: RowSource?

    init(_ positions: [Int], _ builder: SourceBuilder, _ environment: SourceEnvironment) {
        self.positions = positions
        self.builder = builder
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while true {
            if let current, try current.next(&cursors) { return true }
            guard opened < positions.count else { return false }
            opened += 1
            current = try builder.source(positions[opened - 1], &cursors)
        }
    }

    @_lifetime(cursors: copy cursors)
    override func skip(atMost limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Int {
        var count = 0
        while true {
            if let current { count += try current.skip(atMost: limit - count, &cursors) }
            guard count < limit, opened < positions.count else { return count }
            opened += 1
            current = try builder.source(positions[opened - 1], &cursors)
        }
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try current?.appendDocumentKey(to: &key, cursors)
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        guard let current else { preconditionFailure("there is no current row") }
        return try current.path(cursors)
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        try current?.number(at: path, cursors)
    }

    override func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        guard let current else { preconditionFailure("there is no current row") }
        return try current.collection(cursors)
    }

    override func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord? {
        try current?.record(cursors)
    }

    override func document(_ cursors: borrowing CursorSet) throws(EngineError) -> Document? {
        try current?.document(cursors)
    }
}
