// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

extension FieldOperator {
    /// The filter that says of a field what an operator says of its left side; nil if there is none.
    init?(_ binary: BinaryOperator) {
        switch binary {
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .less: self = .lessThan
        case .lessOrEqual: self = .lessThanOrEqual
        case .greater: self = .greaterThan
        case .greaterOrEqual: self = .greaterThanOrEqual
        default: return nil
        }
    }
}

extension Filter {
    /// All filters of a list in one; nil for none.
    static func all(_ filters: [Filter]) -> Filter? { filters.count > 1 ? .and(filters) : filters.first }
}
