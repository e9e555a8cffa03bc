// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What expressions give for a document without the fields for which they have a default: `resource.data.get('tags', []).size()`.
struct DefaultReader {
    struct Reading {
        let value: RuleValue
        /// Whether a default is in it.
        let isDefault: Bool
    }

    private let conditions: ConditionReader
    private var steps = 2_000
    private var depth = 0
    private static let deepest = 60
    /// Larger values are not read: variables may double one again and again.
    private static let largest = 20_000
    private static let stepsOfPattern = 100_000

    init(_ conditions: ConditionReader) { self.conditions = conditions }

    /// Nil for what depends on more than on defaults, and for errors.
    mutating func read(_ site: Site) -> Reading? {
        guard steps > 0, depth < DefaultReader.deepest else { return nil }
        steps -= 1
        depth += 1
        defer { depth -= 1 }
        guard let reading = reading(conditions.resolved(site)), reading.value.extent <= DefaultReader.largest else {
            return nil
        }
        return reading
    }

    private mutating func operand(_ id: SyntaxTree.ExpressionID, _ site: Site) -> Reading? {
        read(conditions.sibling(id, of: site))
    }

    private mutating func reading(_ site: Site) -> Reading? {
        switch conditions.kind(site) {
        case .constant(let value): return Reading(value: value, isDefault: false)
        case .list(let elements): return list(elements, site)
        case .map(let entries) where entries.isEmpty: return Reading(value: .map(.empty), isDefault: false)
        case .member(let whole, let name):
            guard let whole = operand(whole, site), let member = try? Evaluator.member(name, of: whole.value) else {
                return nil
            }
            return Reading(value: member, isDefault: whole.isDefault)
        case .index(let whole, let place): return apply(whole, place, site) { try Indexing.element($1, of: $0) }
        case .typeTest(let operand, let type):
            guard let operand = self.operand(operand, site) else { return nil }
            return Reading(value: .bool(operand.value.isOf(type)), isDefault: operand.isDefault)
        case .not(let operand):
            guard let operand = self.operand(operand, site), case .bool(let bool) = operand.value else { return nil }
            return Reading(value: .bool(!bool), isDefault: operand.isDefault)
        case .binary(.and, _, _), .binary(.or, _, _): return nil
        case .binary(.in, let left, let right): return membership(left, right, site)
        case .binary(let binary, let left, let right):
            return apply(left, right, site) { try DefaultReader.result(binary, $0, $1) }
        case .method(let receiver, let name, let arguments): return method(receiver, name, arguments, site)
        default: return nil
        }
    }

    /// A list of what has no elements itself.
    private mutating func list(_ elements: [SyntaxTree.ExpressionID], _ site: Site) -> Reading? {
        var values: [RuleValue] = []
        var isDefault = false
        for element in elements {
            guard let reading = operand(element, site) else { return nil }
            switch reading.value {
            case .list, .set, .map, .mapDiff: return nil
            default: values.append(reading.value)
            }
            isDefault = isDefault || reading.isDefault
        }
        return Reading(value: .list(RuleList(values)), isDefault: isDefault)
    }

    // MARK: Operators

    private mutating func apply(
        _ left: SyntaxTree.ExpressionID, _ right: SyntaxTree.ExpressionID, _ site: Site,
        _ operation: (RuleValue, RuleValue) throws -> RuleValue
    ) -> Reading? {
        guard let first = operand(left, site), let second = operand(right, site),
            let value = try? operation(first.value, second.value)
        else { return nil }
        return Reading(value: value, isDefault: first.isDefault || second.isDefault)
    }

    private static func result(
        _ binary: BinaryOperator, _ left: RuleValue, _ right: RuleValue
    ) throws(EvaluationError) -> RuleValue {
        switch binary {
        case .equal: return .bool(left.equals(right))
        case .notEqual: return .bool(!left.equals(right))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return .bool(try Operators.compare(binary, left, right))
        case .in:
            try Operators.checkContainer(right)
            return .bool(try Operators.contains(right, left))
        default: return try Arithmetic.apply(binary, left, right)
        }
    }

    private mutating func membership(
        _ left: SyntaxTree.ExpressionID, _ right: SyntaxTree.ExpressionID, _ site: Site
    ) -> Reading? {
        guard let container = operand(right, site) else { return nil }
        // Nothing is in an empty list or map, whatever is asked for.
        if DefaultReader.isEmpty(container.value), operand(left, site) == nil {
            return Reading(value: .bool(false), isDefault: container.isDefault)
        }
        return apply(left, right, site) { try DefaultReader.result(.in, $0, $1) }
    }

    // MARK: Methods

    private mutating func method(
        _ receiver: SyntaxTree.ExpressionID, _ name: String, _ arguments: [SyntaxTree.ExpressionID], _ site: Site
    ) -> Reading? {
        guard let whole = operand(receiver, site) else {
            // A map of the stored document, which does not have the field.
            guard name == "get", arguments.count == 2,
                conditions.field(conditions.sibling(receiver, of: site), isNew: false) != nil,
                let other = operand(arguments[1], site)
            else { return nil }
            return Reading(value: other.value, isDefault: true)
        }
        guard let method = Method(rawValue: name) else { return nil }
        var values: [RuleValue] = []
        var isDefault = whole.isDefault
        for argument in arguments {
            guard let reading = operand(argument, site) else {
                return arguments.count == 1 ? DefaultReader.ofNothing(method, whole) : nil
            }
            values.append(reading.value)
            isDefault = isDefault || reading.isDefault
        }
        var steps = DefaultReader.stepsOfPattern
        let value = try? BuiltIns.call(
            method, on: whole.value, values, pattern: nil, room: DefaultReader.largest, steps: &steps)
        guard let value, steps >= 0 else { return nil }
        return Reading(value: value, isDefault: isDefault)
    }

    /// What a method gives of an empty list or set, whatever it is compared with.
    private static func ofNothing(_ method: Method, _ whole: Reading) -> Reading? {
        guard isEmpty(whole.value), (try? BuiltIns.check(method, on: whole.value)) != nil else { return nil }
        switch method {
        case .hasAny: return Reading(value: .bool(false), isDefault: whole.isDefault)
        case .hasOnly: return Reading(value: .bool(true), isDefault: whole.isDefault)
        case .removeAll, .difference, .intersection: return whole
        default: return nil
        }
    }

    private static func isEmpty(_ value: RuleValue) -> Bool {
        switch value {
        case .list(let elements): elements.isEmpty
        case .set(let set): set.elements.isEmpty
        case .map(let map): map.count == 0
        default: false
        }
    }
}
