// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// An operator whose row is the row of one of its inputs.
protocol DelegatingOperator: RowOperator {
    /// The input whose row is the current one. Asked for only after `next` has returned true.
    var current: any RowOperator { get }
}

extension DelegatingOperator {
    func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try current.appendDocumentKey(to: &key, cursors)
    }

    func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        try current.collection(cursors)
    }

    func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try current.appendSortKey(to: &key, cursors)
    }

    func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        try current.number(at: path, cursors)
    }

    func vector(
        at path: FieldPath, dimension: Int, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [Double]? {
        try current.vector(at: path, dimension: dimension, cursors)
    }

    func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord? {
        try current.record(cursors)
    }
}
