// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// How a vector search compares vectors; see
/// ``Query/findNearest(vectorField:queryVector:limit:distanceMeasure:distanceResultField:distanceThreshold:)-(String,_,_,_,_,_)``.
public enum DistanceMeasure: Sendable, Hashable {
    /// The Euclidean distance. The smallest is nearest.
    case euclidean
    /// One minus the cosine of the angle, whatever the lengths. The smallest is nearest. A search that meets a vector
    /// of zeros throws `failedPrecondition`.
    case cosine
    /// The dot product. The greatest is nearest.
    case dotProduct
}

extension Query {
    /// Finds the documents whose vectors are nearest to a given one, nearest first.
    ///
    /// ```swift
    /// let similar = try await database.collection("products")
    ///     .whereField("color", isEqualTo: "red")
    ///     .findNearest(
    ///         vectorField: "embedding", queryVector: FieldValue.vector([0.3, 0.1, 0.2]), limit: 5,
    ///         distanceMeasure: .cosine, distanceResultField: "distance")
    ///     .getDocuments()
    /// ```
    ///
    /// The search is exact and reads every vector that the filters leave. It does not find documents without a vector
    /// of that dimension. As in production, it needs a vector index over the fields of the filters and the vector; the
    /// missing-index error has its definition. A search has no further order, limit, offset or cursor and cannot be
    /// listened to.
    ///
    /// - Parameters:
    ///   - vectorField: the field that holds the vectors.
    ///   - queryVector: the vector to compare with, of at most 2,048 numbers.
    ///   - limit: the number of documents to find, from 1 to 1,000.
    ///   - distanceMeasure: how vectors are compared.
    ///   - distanceResultField: a field that is added to each result and holds its distance.
    ///   - distanceThreshold: the greatest distance of a result; for ``DistanceMeasure/dotProduct``, the smallest
    ///     product.
    public func findNearest(
        vectorField: String, queryVector: VectorValue, limit: Int, distanceMeasure: DistanceMeasure,
        distanceResultField: String? = nil, distanceThreshold: Double? = nil
    ) -> Query {
        findNearest(
            vectorField: FieldPath(dotted: vectorField), queryVector: queryVector, limit: limit,
            distanceMeasure: distanceMeasure, distanceResultField: distanceResultField,
            distanceThreshold: distanceThreshold)
    }

    /// Finds the documents whose vectors at a field path are nearest to a given one, nearest first.
    public func findNearest(
        vectorField: FieldPath, queryVector: VectorValue, limit: Int, distanceMeasure: DistanceMeasure,
        distanceResultField: String? = nil, distanceThreshold: Double? = nil
    ) -> Query {
        changed(
            .other { state in
                state.findNearest(vectorField) { path in
                    FindNearest(
                        path: path, vector: queryVector.array, measure: distanceMeasure.planned, limit: limit,
                        distanceField: distanceResultField.map { Text($0) }, threshold: distanceThreshold)
                }
            })
    }
}

extension DistanceMeasure {
    fileprivate var planned: FindNearest.Measure {
        switch self {
        case .euclidean: .euclidean
        case .cosine: .cosine
        case .dotProduct: .dotProduct
        }
    }
}
