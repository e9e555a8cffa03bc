// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The operators that give a bool.
enum Operators {
    static func not(_ value: RuleValue) throws(EvaluationError) -> RuleValue {
        guard case .bool(let bool) = value else {
            throw .unsupported("!\(value.type.rawValue)", expected: ["!bool"])
        }
        return .bool(!bool)
    }

    static func negated(_ value: RuleValue) throws(EvaluationError) -> RuleValue {
        switch value {
        case .int(let number):
            guard number != .min else { throw .integerRange }
            return .int(-number)
        case .float(let number): return .float(-number)
        case .duration(let duration):
            guard let negated = RuleDuration(seconds: -duration.seconds, nanoseconds: -Int64(duration.nanoseconds))
            else { throw Times.durationRange }
            return .duration(negated)
        default: throw .unsupported("-\(value.type.rawValue)", expected: ["-int", "-float", "-duration"])
        }
    }

    /// `==` and `!=`. A constraint gives true, or an error.
    static func equality(
        _ left: RuleValue, _ right: RuleValue, isNegated: Bool
    ) throws(EvaluationError) -> Bool {
        switch (left, right) {
        case (.constraint, .constraint):
            throw .typeMismatch(received: "constraint", expected: constraintOperands)
        case (.constraint(let constraint), let value), (let value, .constraint(let constraint)):
            guard constraint.implies(isNegated ? .notEqual : .equal, value) else { throw .undecided }
            return true
        default:
            return left.equals(right) != isNegated
        }
    }

    private static let constraintOperands =
        "bool,duration,float,int,latlng,map,null,string,bytes,timestamp,path,list,vector,set"

    static func compare(
        _ comparison: BinaryOperator, _ left: RuleValue, _ right: RuleValue
    ) throws(EvaluationError) -> Bool {
        switch (left, right) {
        case (.constraint, .constraint):
            throw .typeMismatch(received: "constraint", expected: orderedOperands)
        case (.constraint(let constraint), let value):
            return try follows(comparison, value, from: constraint)
        case (let value, .constraint(let constraint)):
            return try follows(comparison.mirrored, value, from: constraint)
        default: break
        }
        guard let order = left.compared(to: right) else {
            if isNumber(left) && isNumber(right) { return false }
            throw unordered(comparison, left, right)
        }
        return switch comparison {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        default: order >= 0
        }
    }

    private static let orderedOperands = "timestamp,duration,float,int,string,bytes"

    private static func follows(
        _ comparison: BinaryOperator, _ value: RuleValue, from constraint: Constraint
    ) throws(EvaluationError) -> Bool {
        guard value.compared(to: value) != nil || isNumber(value) else {
            throw .typeMismatch(received: value.type.rawValue, expected: orderedOperands)
        }
        guard constraint.implies(comparison, value) else { throw .undecided }
        return true
    }

    private static func isNumber(_ value: RuleValue) -> Bool { value.isOf(.number) }

    private static func unordered(
        _ comparison: BinaryOperator, _ left: RuleValue, _ right: RuleValue
    ) -> EvaluationError {
        let sign = comparison.rawValue
        let types = ["string", "bytes", "int", "float", "duration", "timestamp"]
        return .unsupported(
            "\(left.type.rawValue) \(sign) \(right.type.rawValue)",
            expected: types.map { "\($0) \(sign) \($0)" } + ["constraint \(sign) any", "any \(sign) constraint"])
    }

    /// What cannot contain anything is an error before the element is looked at.
    static func checkContainer(_ container: RuleValue) throws(EvaluationError) {
        switch container {
        case .list, .set, .map, .constraint: return
        case .null: throw .nullValue
        default: throw .functionNotFound("in")
        }
    }

    /// `element in container`.
    static func contains(_ container: RuleValue, _ element: RuleValue) throws(EvaluationError) -> Bool {
        switch container {
        case .list(let elements): return elements.has(element)
        case .set(let set):
            if case .constraint = element { throw constraintEquality }
            return set.contains(element)
        case .map(let map):
            guard case .string(let key) = element else {
                throw .unsupported("map.in(\(element.type.rawValue))", expected: ["map.in(string)"])
            }
            return map[key] != nil
        case .constraint(let constraint):
            if case .constraint = element {
                throw .typeMismatch(received: "constraint", expected: orderedOperands)
            }
            guard constraint.contains(element) else { throw .undecided }
            return true
        default: throw .functionNotFound("in")
        }
    }

    /// Sets and differences of maps ask for an equality that a constraint does not have.
    static let constraintEquality = EvaluationError.other("Equality is not defined for type CONSTRAINT_VALUE")
}
