// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
public import Foundation
internal import QueryPlanner

extension Query {
    /// Counts the documents that the query finds.
    ///
    /// ```swift
    /// let number = try await query.count.getAggregation(source: .server).count
    /// ```
    public var count: AggregateQuery { aggregate([.count()]) }

    /// Computes one to five values over the documents that the query finds.
    ///
    /// If the values include sums or averages, all values are computed over the documents that have the fields of these.
    /// Such a query may need another index than the query itself.
    public func aggregate(_ aggregateFields: [AggregateField]) -> AggregateQuery {
        AggregateQuery(query: self, fields: aggregateFields)
    }
}

/// Aggregations over the documents of a query, computed from indexes without reading the documents if possible.
public final class AggregateQuery: Sendable, BlockingAPIProviding {
    /// The query whose documents are aggregated.
    public let query: Query
    private let fields: [AggregateField]

    init(query: Query, fields: [AggregateField]) {
        self.query = query
        self.fields = fields
    }

    /// Computes the aggregations over one consistent state of the database.
    ///
    /// - Throws: as ``Query/getDocuments(source:)``. With a remote and ``AggregateSource/server``, `unavailable` if the
    ///   server cannot be reached.
    public nonisolated(nonsending) func getAggregation(source: AggregateSource) async throws -> AggregateQuerySnapshot {
        try await readJob(source).value()
    }

    /// Computes the aggregations and calls `completion` with a snapshot or an error, on
    /// ``FirestoreSettings/dispatchQueue``.
    public func getAggregation(
        source: AggregateSource,
        completion: @escaping (_ snapshot: AggregateQuerySnapshot?, _ error: (any Error)?) -> Void
    ) {
        readJob(source).start { completion($0.success, $0.failure) }
    }

    fileprivate func readJob(_ source: AggregateSource) -> Job<AggregateQuerySnapshot> {
        if query.firestore.isConnected { return syncedReadJob(source) }
        return Job(guarded: query.firestore, .read) { [self] engine in
            let planned = try planned()
            let check = try query.firestore.check(list: planned.query)
            do throws(QueryError) {
                return snapshot(try engine.run(planned, if: check).aggregates.map(\.value))
            } catch {
                throw FirestoreError(error, engine)
            }
        }
    }

    /// The query for the engine.
    func planned() throws(FirestoreError) -> AggregationQuery {
        var aggregations: [Aggregation] = []
        for field in fields { aggregations.append(try field.planned()) }
        return AggregationQuery(try query.planned(), aggregations)
    }

    func snapshot(_ values: [Value]) -> AggregateQuerySnapshot {
        AggregateQuerySnapshot(query: self, results: Array(zip(fields, values)))
    }
}

extension BlockingAPI where Base == AggregateQuery {
    /// The blocking form of ``AggregateQuery/getAggregation(source:)``.
    public func getAggregation(source: AggregateSource = .server) throws -> AggregateQuerySnapshot {
        try base.readJob(source).wait()
    }
}

/// The results of aggregations at one moment.
public final class AggregateQuerySnapshot: Sendable {
    /// The aggregations that were requested.
    public let query: AggregateQuery
    private let results: [(field: AggregateField, value: Value)]

    init(query: AggregateQuery, results: [(AggregateField, Value)]) {
        self.query = query
        self.results = results.map { (field: $0, value: $1) }
    }

    /// The number of documents.
    ///
    /// - Precondition: the aggregations include ``AggregateField/count()``.
    public var count: NSNumber {
        guard let count = get(.count()) as? NSNumber else {
            misuse("`count` was read of aggregations among which there is no count: add AggregateField.count().")
        }
        return count
    }

    /// The result of an aggregation: an `NSNumber`, or `NSNull` for the average of no numbers; nil if it was not
    /// requested.
    public func get(_ aggregateField: AggregateField) -> Any? {
        switch results.first(where: { $0.field == aggregateField })?.value {
        case .integer(let integer)?: NSNumber(value: integer)
        case .double(let number)?: NSNumber(value: number)
        case nil: nil
        default: NSNull()
        }
    }
}

extension AggregateQuery: Hashable {
    /// Whether both have equal queries, and the same aggregations in the same order.
    public static func == (lhs: AggregateQuery, rhs: AggregateQuery) -> Bool {
        lhs.query == rhs.query && lhs.fields == rhs.fields
    }

    /// Hashes the query and the aggregations.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(query)
        hasher.combine(fields)
    }
}

extension AggregateQuerySnapshot: Hashable {
    /// Whether both have equal queries and results.
    public static func == (lhs: AggregateQuerySnapshot, rhs: AggregateQuerySnapshot) -> Bool {
        lhs.query == rhs.query && lhs.results.elementsEqual(rhs.results) { $0.value.isIdentical(to: $1.value) }
    }

    /// Hashes the query and the results.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(query)
        hasher.combine(results.map(\.value))
    }
}
