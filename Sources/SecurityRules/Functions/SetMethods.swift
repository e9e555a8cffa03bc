// SPDX-License-Identifier: Apache-2.0

enum SetMethods {
    static func make(_ elements: [RuleValue]) throws(EvaluationError) -> RuleSetValue {
        for element in elements { if case .constraint = element { throw Operators.constraintEquality } }
        return RuleSetValue(elements)
    }

    static func call(
        _ method: Method, _ set: RuleSetValue, _ arguments: [RuleValue]
    ) throws(EvaluationError) -> RuleValue? {
        if method == .size, arguments.isEmpty { return .int(Int64(set.elements.count)) }
        guard arguments.count == 1 else { return nil }
        let other: RuleSetValue
        switch arguments[0] {
        case .set(let value): other = value
        case .list(let elements) where [.hasAll, .hasAny, .hasOnly].contains(method): other = try make(elements.values)
        default: return nil
        }
        let (own, others) = (ValueIndex(isStrict: false, set.elements), ValueIndex(isStrict: false, other.elements))
        switch method {
        case .hasAll: return .bool(other.elements.allSatisfy(own.contains))
        case .hasAny: return .bool(other.elements.contains(where: own.contains))
        case .hasOnly: return .bool(set.elements.allSatisfy(others.contains))
        case .union: return .set(RuleSetValue(set.elements + other.elements))
        case .intersection: return .set(RuleSetValue(set.elements.filter(others.contains)))
        case .difference: return .set(RuleSetValue(set.elements.filter { !others.contains($0) }))
        default: return nil
        }
    }
}
