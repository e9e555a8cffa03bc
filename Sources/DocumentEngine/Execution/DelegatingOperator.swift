// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// An operator whose current row is the row of one of its inputs.
protocol DelegatingOperator: RowOperator {
    /// The input that has the current row. Valid only after `next` has returned true.
    var current: any RowOperator { get }
}

extension DelegatingOperator {
    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try current.appendDocumentKey(to: &key, transaction)
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath {
        try current.collection(transaction)
    }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try current.appendSortKey(to: &key, transaction)
    }

    func number(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        try current.number(at: path, transaction)
    }

    func vector(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]? {
        try current.vector(at: path, dimension: dimension, transaction)
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? {
        try current.record(transaction)
    }
}
