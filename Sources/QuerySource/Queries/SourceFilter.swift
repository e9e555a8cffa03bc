// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// A filter whose values may be unknown.
indirect enum SourceFilter: Sendable {
    case compare(FieldReference, FieldOperator, Operand)
    case and([SourceFilter])
    case or([SourceFilter])

    func text(_ operand: (Operand) -> String) -> String {
        switch self {
        case .compare(let field, let op, let value):
            "where(\(field.text),\(JSONText.quoted(op.symbol)),\(operand(value)))"
        case .and(let filters): "and(\(filters.map { $0.text(operand) }.joined(separator: ",")))"
        case .or(let filters): "or(\(filters.map { $0.text(operand) }.joined(separator: ",")))"
        }
    }

}

/// What a call adds to a query.
enum QueryPart: Sendable {
    case filter(SourceFilter)
    case order(FieldReference, isDescending: Bool)
    case limit(Operand)
    case limitToLast(Operand)
    case offset(Operand)
    case cursor(String, [Operand])
    /// The fields to return; nil if they are not known.
    case select([FieldReference]?)
    /// The rest of the arguments as text.
    case nearest(FieldReference, dimension: Int, String)
    case count
    case sum(FieldReference)
    case average(FieldReference)
    case several([QueryPart])
    case nothing
    /// What makes the query unresolved.
    case problem(String)
}
