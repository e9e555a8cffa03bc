// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// A vector search over the documents that match a query's filters.
enum NaiveNearest {
    /// Nearest first, ties by name, at most the search's limit.
    static func rank(_ documents: [NaiveDocument], _ search: FindNearest) throws(NaiveFailure) -> [NaiveDocument] {
        var found: [(document: NaiveDocument, distance: Double)] = []
        for document in documents {
            guard case .vector(let vector)? = document.value(at: search.path), vector.count == search.vector.count
            else { continue }
            let distance = try distance(vector, search.vector, search.measure)
            if isWithin(distance, search) { found.append((document, distance)) }
        }
        let far = search.measure == .dotProduct ? -1 : 1
        found.sort { left, right in
            let order = far * NaiveOrder.compareDoubles(left.distance, right.distance)
            return order == 0
                ? NaiveOrder.compare(left.document.path.resource, right.document.path.resource) < 0 : order < 0
        }
        return found.prefix(search.limit).map { item in
            var document = item.document
            if let name = search.distanceField {
                let others = document.fields.storage.filter { NaiveOrder.compare($0.name, name) != 0 }
                let all = others + [Field(name, .double(item.distance))]
                document.fields = Fields(sorted: all.sorted { NaiveOrder.compare($0.name, $1.name) < 0 })
            }
            return document
        }
    }

    private static func isWithin(_ distance: Double, _ search: FindNearest) -> Bool {
        guard let threshold = search.threshold else { return true }
        return search.measure == .dotProduct ? distance >= threshold : distance <= threshold
    }

    private static func distance(
        _ lhs: [Double], _ rhs: [Double], _ measure: FindNearest.Measure
    ) throws(NaiveFailure) -> Double {
        switch measure {
        case .dotProduct: return dot(lhs, rhs)
        case .euclidean: return zip(lhs, rhs).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        case .cosine:
            let lengths = (dot(lhs, lhs).squareRoot(), dot(rhs, rhs).squareRoot())
            guard lengths.0 != 0, lengths.1 != 0 else { throw .cosineOfZeroVector }
            return 1 - dot(lhs, rhs) / (lengths.0 * lengths.1)
        }
    }

    private static func dot(_ lhs: [Double], _ rhs: [Double]) -> Double {
        zip(lhs, rhs).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
