// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// The documents whose vectors are nearest to a given one, nearest first, ties by name. An exact search over all
/// vectors of the disjuncts, each document once.
final class VectorTopKOperator: RowOperator {
    let context: ExecutionContext
    private struct Match {
        let distance: Double
        let documentKey: [UInt8]
        let path: DocumentPath
        /// Nil if the input does not have the document.
        let record: DocumentRecord?
    }

    private let inputs: [any RowOperator]
    private let nearest: FindNearest
    private var matches: [Match] = []
    private var current = -1
    private var seen: Set<[UInt8]> = []

    init(_ inputs: [any RowOperator], _ nearest: FindNearest, _ context: ExecutionContext) {
        self.inputs = inputs
        self.context = context
        self.nearest = nearest
    }

    /// The distances of the rows. Valid after the first call of `next`.
    var distances: [Double] { matches.map(\.distance) }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        if current < 0 { try collect(&transaction) }
        current += 1
        return current < matches.count
    }

    private func collect(_ transaction: inout Transaction) throws(EngineError) {
        for input in inputs {
            while try input.next(&transaction) { try consider(input, transaction) }
        }
        keepNearest()
    }

    private func consider(_ row: any RowOperator, _ transaction: borrowing Transaction) throws(EngineError) {
        guard let vector = try row.vector(at: nearest.path, dimension: nearest.vector.count, transaction) else {
            return
        }
        var key: [UInt8] = []
        try row.appendDocumentKey(to: &key, transaction)
        if inputs.count > 1, !seen.insert(key).inserted { return }
        let distance = try VectorTopKOperator.distance(vector, nearest)
        guard isWithinThreshold(distance) else { return }
        let path = try row.collection(transaction).document(key: key.span.bytes)
        matches.append(Match(distance: distance, documentKey: key, path: path, record: try row.record(transaction)))
        if matches.count > 4 * nearest.limit { keepNearest() }
    }

    private func keepNearest() {
        let descending = nearest.measure == .dotProduct
        matches.sort { left, right in
            let order = NumberOrder.compare(left.distance, right.distance)
            return order != 0 ? (order < 0) != descending : left.path < right.path
        }
        if matches.count > nearest.limit { matches.removeSubrange(nearest.limit...) }
    }

    private func isWithinThreshold(_ distance: Double) -> Bool {
        guard let threshold = nearest.threshold else { return true }
        return nearest.measure == .dotProduct ? distance >= threshold : distance <= threshold
    }

    private static func distance(_ vector: [Double], _ nearest: FindNearest) throws(EngineError) -> Double {
        var product = 0.0
        var squares = 0.0
        var difference = 0.0
        for (left, right) in zip(vector, nearest.vector) {
            product += left * right
            squares += left * left
            difference += (left - right) * (left - right)
        }
        switch nearest.measure {
        case .euclidean: return difference.squareRoot()
        case .dotProduct: return product
        case .cosine:
            let length = VectorTopKOperator.product(ofRoots: squares, nearest.vector.reduce(0) { $0 + $1 * $1 })
            // NaN is not zero.
            guard length != 0 else {
                throw .refused(
                    .failedPrecondition, "Cannot compute cosine distance against a vector with a magnitude of zero.")
            }
            return 1 - product / length
        }
    }

    /// The product of two square roots. If the numbers are equal, the root of their product is exact, so that a
    /// vector's distance to itself is zero, as in the official emulator. If the product leaves the range of doubles,
    /// multiplies the roots instead.
    private static func product(ofRoots first: Double, _ second: Double) -> Double {
        let product = first * second
        return product.isNormal ? product.squareRoot() : first.squareRoot() * second.squareRoot()
    }

    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        key += matches[current].documentKey
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath {
        matches[current].path.collection
    }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        preconditionFailure("a vector search is the last operator: nothing is merged with it")
    }

    func number(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        try numberInRecord(at: path, transaction)
    }

    func vector(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]? {
        preconditionFailure("a vector search is the last operator: nothing searches its rows")
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? { matches[current].record }
}
