// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// A value to compute over the documents of a query; see ``Query/aggregate(_:)``.
public struct AggregateField: Sendable, Hashable {
    private enum Content: Hashable {
        case count
        case sum(FieldPath)
        case average(FieldPath)
    }

    private let content: Content

    /// The number of documents.
    public static func count() -> AggregateField { AggregateField(content: .count) }

    /// The sum of the numbers in a field; 0 if there are none. It is an integer if all numbers are integers and the sum
    /// fits.
    public static func sum(_ field: String) -> AggregateField { sum(FieldPath(dotted: field)) }

    /// The sum of the numbers at a field path; 0 if there are none. It is an integer if all numbers are integers and
    /// the sum fits.
    public static func sum(_ path: FieldPath) -> AggregateField { AggregateField(content: .sum(path)) }

    /// The average of the numbers in a field, as a double; null if there are none.
    public static func average(_ field: String) -> AggregateField { average(FieldPath(dotted: field)) }

    /// The average of the numbers at a field path, as a double; null if there are none.
    public static func average(_ path: FieldPath) -> AggregateField { AggregateField(content: .average(path)) }

    func planned() throws(FirestoreError) -> Aggregation {
        switch content {
        case .count: Aggregation(alias: nil, .count(upTo: nil))
        case .sum(let path): Aggregation(alias: nil, .sum(try path.valid()))
        case .average(let path): Aggregation(alias: nil, .average(try path.valid()))
        }
    }
}

/// Where an aggregation is computed. Without a remote, both cases mean the local database.
public enum AggregateSource: Sendable {
    /// By the server.
    case server
    /// From the local database: what this client holds of the server's documents, with its own writes.
    case cache
}
