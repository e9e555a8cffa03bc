// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// A condition on documents, for ``Query/whereFilter(_:)``.
///
/// ```swift
/// database.collection("cities").whereFilter(.orFilter([
///     .whereField("capital", isEqualTo: true),
///     .andFilter([.whereField("state", isEqualTo: "CA"), .whereField("population", isGreaterThan: 1_000_000)]),
/// ]))
/// ```
///
/// A query has at most 30 conjunctions when it is written as a disjunction of conjunctions, in which `in` and
/// `arrayContainsAny` give one for each of their values.
public struct Filter: Sendable, Hashable {
    private indirect enum Content: Sendable, Hashable {
        case field(FieldPath, FieldOperator, Result<Value, FirestoreError>)
        case and([Filter])
        case or([Filter])
    }

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    init(_ field: FieldPath, _ op: FieldOperator, _ operand: Any) {
        let value = Result(deferring: { () throws(FirestoreError) in
            let value = try DataReader.argument(operand, isList: op == .in || op == .notIn)
            if case .array(let elements) = value, elements.isEmpty, op.takesList {
                throw .invalidArgument("Invalid Query. A non-empty array is required for '\(op.clientName)' filters.")
            }
            return value
        })
        content = .field(field, op, value)
    }

    /// Matches documents for which all filters hold. An empty list matches all documents.
    public static func andFilter(_ filters: [Filter]) -> Filter { Filter(.and(filters)) }

    /// Matches documents for which at least one filter holds. An empty list is refused.
    public static func orFilter(_ filters: [Filter]) -> Filter { Filter(.or(filters)) }
}

extension Filter {
    /// The operators of the leaves, from left to right.
    var operators: [FieldOperator] {
        switch content {
        case .field(_, let op, _): [op]
        case .and(let filters), .or(let filters): filters.flatMap(\.operators)
        }
    }

    /// Whether the filter has an operator that cannot be combined with every other one.
    var mayConflict: Bool {
        switch content {
        case .field(_, let op, _): !Filter.conflicts(of: op).isEmpty
        case .and(let filters), .or(let filters): filters.contains(where: \.mayConflict)
        }
    }

    /// The operators that cannot be combined with `op` in one query.
    static func conflicts(of op: FieldOperator) -> [FieldOperator] {
        switch op {
        case .notEqual: [.notEqual, .notIn]
        case .in, .arrayContainsAny: [.notIn]
        case .notIn: [.arrayContainsAny, .in, .notIn, .notEqual]
        default: []
        }
    }

    func resolved(in query: QueryState, _ database: Database) throws(FirestoreError) -> QueryPlanner.Filter {
        switch content {
        case .field(let field, let op, let operand):
            let path = try field.valid()
            let value = try operand.get()
            if path.isDocumentName {
                let names = NameOperands(collection: query.collection, database: database)
                return .field(path, op, try names.filterOperand(value, op))
            }
            return Filter.unary(path, op, value) ?? .field(path, op, value)
        case .and(let filters): return .and(try Filter.resolved(filters, in: query, database))
        case .or(let filters): return .or(try Filter.resolved(filters, in: query, database))
        }
    }

    static func resolved(
        _ filters: [Filter], in query: QueryState, _ database: Database
    ) throws(FirestoreError) -> [QueryPlanner.Filter] {
        var resolved: [QueryPlanner.Filter] = []
        for filter in filters { resolved.append(try filter.resolved(in: query, database)) }
        return resolved
    }

    /// Null and NaN have operators of their own (V-31).
    private static func unary(
        _ path: DocumentModel.FieldPath, _ op: FieldOperator, _ value: Value
    ) -> QueryPlanner.Filter? {
        switch op {
        case .equal where value.isNull: .unary(path, .isNull)
        case .equal where value.isNaN: .unary(path, .isNaN)
        case .notEqual where value.isNull: .unary(path, .isNotNull)
        case .notEqual where value.isNaN: .unary(path, .isNotNaN)
        default: nil
        }
    }
}

extension FieldOperator {
    fileprivate var takesList: Bool { self == .in || self == .notIn || self == .arrayContainsAny }
}
