// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

extension OperatorBuilder {
    /// The rows at a past time: the current rows of documents that have not changed since, and the rows among the old versions of
    /// the others.
    func rows(at past: PastVersions, _ transaction: inout Transaction) throws(EngineError) -> any RowOperator {
        var inputs: [any RowOperator] = []
        for index in plan.disjuncts.indices {
            guard let rows = try rows(index, &transaction) else { continue }
            inputs.append(UnchangedOperator(rows, past, context))
        }
        let filters = plan.query.query.filter.map { [$0] } ?? []
        inputs.append(SortOperator(VersionListOperator(past, context), filters, plan.query, context))
        if let nearest = plan.query.query.nearest { return VectorTopKOperator(inputs, nearest, context) }
        return MergeOperator(inputs, context)
    }
}

extension ExecutionContext {
    /// The number of current rows that may be missing in the past.
    var changedDocuments: Int { past?.versions.count ?? 0 }
}

/// The rows of another operator without documents that have changed since a past time.
final class UnchangedOperator: DelegatingOperator {
    let context: ExecutionContext
    let current: any RowOperator
    private let past: PastVersions
    private var key: [UInt8] = []

    init(_ rows: any RowOperator, _ past: PastVersions, _ context: ExecutionContext) {
        current = rows
        self.past = past
        self.context = context
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        while try current.next(&transaction) {
            key.removeAll(keepingCapacity: true)
            try current.appendDocumentKey(to: &key, transaction)
            if past.versions[key] == nil { return true }
        }
        return false
    }
}

/// Documents that have changed since a past time, as they were then, in no order.
final class VersionListOperator: DocumentOperator {
    let context: ExecutionContext
    private let rows: [(key: [UInt8], record: DocumentRecord)]
    private var position = -1

    init(_ past: PastVersions, _ context: ExecutionContext) {
        rows = past.existing
        self.context = context
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        position += 1
        return position < rows.count
    }

    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        key += rows[position].key
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath {
        try rows[position].record.collectionPath()
    }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        preconditionFailure("versions have no order: they are sorted first")
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? {
        rows[position].record
    }
}
