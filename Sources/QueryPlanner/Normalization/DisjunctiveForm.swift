// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A filter as an OR of ANDs. The caller has checked the size.
enum DisjunctiveForm {
    /// Disjuncts in the order in which an OR, an `in` or the first of two ANDed ones lists them, equal ones once.
    static func disjuncts(of filter: Filter?) -> [[Filter]] {
        guard let filter else { return [[]] }
        if let only = conjunction(filter) { return [only] }
        var result: [[Filter]] = []
        for candidate in expand(filter) where !result.contains(where: { isEqual($0, candidate) }) {
            result.append(candidate)
        }
        return result
    }

    /// The filters of one that has no alternatives: most have none.
    private static func conjunction(_ filter: Filter) -> [Filter]? {
        switch filter {
        case .and(let children): children.allSatisfy(isSingle) ? children : nil
        default: isSingle(filter) ? [filter] : nil
        }
    }

    private static func isSingle(_ filter: Filter) -> Bool {
        switch filter {
        case .field(_, let op, _): op != .in && op != .arrayContainsAny
        case .unary: true
        case .and, .or: false
        }
    }

    private static func expand(_ filter: Filter) -> [[Filter]] {
        switch filter {
        case .field(let path, .in, .array(let values)):
            return values.map { [.field(path, .equal, $0)] }
        case .field(let path, .arrayContainsAny, .array(let values)):
            return values.map { [.field(path, .arrayContains, $0)] }
        case .field, .unary: return [[filter]]
        case .or(let children): return children.flatMap { expand($0) }
        case .and(let children):
            var result: [[Filter]] = [[]]
            for child in children {
                let factors = expand(child)
                if factors.count == 1 {
                    for index in result.indices { result[index] += factors[0] }
                } else {
                    result = result.flatMap { left in factors.map { left + $0 } }
                }
            }
            return result
        }
    }

    private static func isEqual(_ lhs: [Filter], _ rhs: [Filter]) -> Bool {
        guard lhs.count == rhs.count else { return false }
        // From the end: a membership's values mostly stand there, and most candidates differ in nothing else.
        for index in lhs.indices.reversed() where !isEqual(lhs[index], rhs[index]) { return false }
        return true
    }

    private static func isEqual(_ lhs: Filter, _ rhs: Filter) -> Bool {
        switch (lhs, rhs) {
        case (.field(let path, let op, let value), .field(let otherPath, let otherOp, let otherValue)):
            op == otherOp && Value.compare(value, otherValue) == 0 && path == otherPath
        case (.unary(let path, let op), .unary(let otherPath, let otherOp)): op == otherOp && path == otherPath
        default: false
        }
    }
}
