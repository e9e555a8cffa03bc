// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Conditions on what `get()` gives for a document without the field.
extension SecurityLintRule {
    static let defaultForm = "the default of get()"

    /// The conditions that a statement's is made of, each with the answer that it should give.
    static func wantedAnswers(_ statement: OutlinedStatement, _ conditions: ConditionReader) -> [Site: Bool] {
        var wanted: [Site: Bool] = [:]
        var open: [(site: Site, answer: Bool)] = []
        if let condition = statement.condition { open.append((condition, true)) }
        while let next = open.popLast(), wanted.count < 20_000 {
            let site = conditions.resolved(next.site)
            guard wanted[site] == nil else { continue }
            wanted[site] = next.answer
            switch conditions.kind(site) {
            case .not(let inner): open.append((conditions.sibling(inner, of: site), !next.answer))
            case .binary(.and, let left, let right), .binary(.or, let left, let right),
                .conditional(_, let left, let right):
                open.append((conditions.sibling(right, of: site), next.answer))
                open.append((conditions.sibling(left, of: site), next.answer))
            default: break
            }
        }
        return wanted
    }

    /// What a condition on a field's default gives with it; nil if it is none, or an error.
    static func defaultAnswer(_ site: Site, _ conditions: ConditionReader) -> Bool? {
        switch conditions.kind(site) {
        case .method:
            guard case .bool(let bool)? = standIn(site, conditions) else { return nil }
            return bool
        case .typeTest(let operand, let type):
            return standIn(conditions.sibling(operand, of: site), conditions)?.isOf(type)
        case .binary(let binary, let left, let right):
            let (left, right) = (conditions.sibling(left, of: site), conditions.sibling(right, of: site))
            let (first, second) = (standIn(left, conditions), standIn(right, conditions))
            // Nothing is in an empty list or map, whatever is asked for.
            if binary == .in, second?.quickSize == 0, (first ?? constant(left, conditions)) == nil { return false }
            guard first != nil || second != nil, let one = first ?? constant(left, conditions),
                let other = second ?? constant(right, conditions)
            else { return nil }
            return answer(binary, one, other)
        default: return nil
        }
    }

    private static func answer(_ binary: BinaryOperator, _ left: RuleValue, _ right: RuleValue) -> Bool? {
        switch binary {
        case .equal: return left.equals(right)
        case .notEqual: return !left.equals(right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return try? Operators.compare(binary, left, right)
        case .in:
            guard (try? Operators.checkContainer(right)) != nil else { return nil }
            return try? Operators.contains(right, left)
        default: return nil
        }
    }

    /// The default of a field of the stored document.
    private static func standIn(_ site: Site, _ conditions: ConditionReader) -> RuleValue? {
        let site = conditions.resolved(site)
        guard case .method(let receiver, "get", let arguments) = conditions.kind(site), arguments.count == 2,
            conditions.field(conditions.sibling(receiver, of: site), isNew: false) != nil
        else { return nil }
        return constant(conditions.sibling(arguments[1], of: site), conditions)
    }

    private static func constant(_ site: Site, _ conditions: ConditionReader) -> RuleValue? {
        let site = conditions.resolved(site)
        switch conditions.kind(site) {
        case .constant(let value): return value
        case .map(let entries) where entries.isEmpty: return .map(.empty)
        case .list(let elements):
            var values: [RuleValue] = []
            for element in elements {
                guard
                    case .constant(let value) = conditions.kind(
                        conditions.resolved(conditions.sibling(element, of: site)))
                else { return nil }
                values.append(value)
            }
            return .list(RuleList(values))
        default: return nil
        }
    }
}
