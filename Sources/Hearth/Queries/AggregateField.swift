// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// What is computed over the documents of a query; see ``Query/aggregate(_:)``.
public struct AggregateField: Sendable, Hashable {
    private enum Content: Hashable {
        case count
        case sum(FieldPath)
        case average(FieldPath)
    }

    private let content: Content

    /// The number of documents.
    public static func count() -> AggregateField { AggregateField(content: .count) }

    /// The sum of the numbers in a field; 0 where there are none. An integer where all are and the sum fits.
    public static func sum(_ field: String) -> AggregateField { sum(FieldPath(dotted: field)) }

    /// The same with a field path.
    public static func sum(_ path: FieldPath) -> AggregateField { AggregateField(content: .sum(path)) }

    /// The mean of the numbers in a field, a double; null where there are none.
    public static func average(_ field: String) -> AggregateField { average(FieldPath(dotted: field)) }

    /// The same with a field path.
    public static func average(_ path: FieldPath) -> AggregateField { AggregateField(content: .average(path)) }

    func planned() throws(FirestoreError) -> Aggregation {
        switch content {
        case .count: Aggregation(alias: nil, .count(upTo: nil))
        case .sum(let path): Aggregation(alias: nil, .sum(try path.valid()))
        case .average(let path): Aggregation(alias: nil, .average(try path.valid()))
        }
    }
}

/// Where an aggregation is computed.
public enum AggregateSource: Sendable {
    /// In the database.
    case server
}
