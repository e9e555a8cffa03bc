// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Types flow downwards: each operator says which types it can make use of, and an operand that has none of them is
/// reported, and nothing is expected of its own operands.
extension Checker {
    typealias ExpressionID = SyntaxTree.ExpressionID

    /// Checks the condition of a statement, which is expected to be a bool.
    mutating func checkCondition(_ condition: ExpressionID, _ scope: Scope) {
        var checking = ExpressionScope(scope: scope, service: scope.service, isCalled: true)
        let known = issues.count
        _ = infer(condition, expecting: [.bool], &checking)
        // The condition itself has words of its own.
        let place = position(of: unwrapped(condition))
        for index in known..<issues.count where issues[index].position == place {
            let words = "Invalid type. Received one of ["
            guard issues[index].text.hasPrefix(words), issues[index].text.hasSuffix("Expected one of [bool]."),
                isWhole(condition, issues[index].text)
            else { continue }
            let received = issues[index].text.dropFirst("Invalid type. ".utf8.count)
            let types = received.prefix { $0 != "]" }
            issues[index] = .warning(
                place, "Invalid type. Permission statements expect a boolean value. \(types)].")
        }
        reportGlobals(checking, at: tree[condition].start)
    }

    /// Checks an expression and gives the types that it may have.
    mutating func infer(
        _ id: ExpressionID, expecting expected: TypeSet?, _ scope: inout ExpressionScope
    ) -> TypeSet? {
        switch tree[id].kind {
        case .parenthesized(let inner):
            let whole = unwrapped(inner)
            if tree[whole].kind.isSimple, parentheses[whole] == nil { parentheses[whole] = tree[id].position }
            return infer(inner, expecting: expected, &scope)
        // The smallest integer is a number as a whole, others are negated.
        case .constant(.int((Int64.min + 1)...0)) where tree.digits[id] != nil: return inferNegative(id, expected)
        case .constant(let value): return simple([value.type], id, expected)
        case .variable(let name): return inferVariable(name, id, expected, &scope)
        case .list(let elements): return operands(elements, nil, [.list], id, expected, &scope)
        case .map(let entries):
            guard admits([.map], expected, id) else {
                lookInto(tree[id].kind.children, &scope)
                return [.map]
            }
            for entry in entries {
                _ = infer(entry.key, expecting: [.string], &scope)
                _ = infer(entry.value, expecting: nil, &scope)
            }
            return [.map]
        case .path:
            for binding in tree[id].kind.children {
                _ = infer(binding, expecting: [.path, .null, .int, .float, .string, .bool], &scope)
            }
            return simple([.path], id, expected)
        case .member(let operand, _):
            _ = infer(unwrapped(operand), expecting: [.map], &scope)
            return nil
        case .index(let operand, let index):
            let isString = expected.map { $0.types.contains(.string) } ?? true
            _ = infer(
                unwrapped(operand), expecting: isString ? [.string, .list, .map, .path] : [.list, .map, .path], &scope)
            _ = infer(index, expecting: [.int, .string], &scope)
            return nil
        case .range: return operands(tree[id].kind.children, from: [.string, .list, .path], id, expected, &scope)
        case .not(let operand): return operands([operand], [.bool], [.bool], id, expected, &scope)
        case .negated(let operand):
            let types = ArithmeticTypes(negatedFor: expected).left
            return operands([withoutParentheses(operand)], types, [.int, .float, .duration], id, expected, &scope)
        case .binary(let binary, let left, let right):
            return inferBinary(binary, left, right, id, expected, &scope)
        case .typeTest(let operand, _): return operands([operand], nil, [.bool], id, expected, &scope)
        case .conditional(let condition, let whenTrue, let whenFalse):
            return inferConditional(condition, whenTrue, whenFalse, id, expected, &scope)
        case .call(let name, let arguments): return inferFree(name, arguments, id, expected, &scope)
        case .packageCall(let package, let name, let arguments):
            return inferPackageCall("\(package).\(name)", arguments, id, expected, &scope)
        case .method(let receiver, let name, let arguments):
            return inferMethod(receiver, name, arguments, id, expected, &scope)
        }
    }

    /// Operands of an expression whose own type is wrong already: nothing is expected of them.
    mutating func lookInto(_ ids: [ExpressionID], _ scope: inout ExpressionScope) {
        for id in ids { _ = infer(id, expecting: nil, &scope) }
    }

    /// Where a finding about the type of an expression points.
    private func position(of id: ExpressionID) -> SourcePosition { parentheses[id] ?? tree[id].position }

    func unwrapped(_ id: ExpressionID) -> ExpressionID {
        var id = id
        while case .parenthesized(let inner) = tree[id].kind { id = inner }
        return id
    }

    /// Whether a finding at the condition's place is about the condition, not about its first operand.
    private func isWhole(_ condition: ExpressionID, _ text: String) -> Bool {
        switch tree[unwrapped(condition)].kind {
        case .conditional: false
        case .binary(let binary, _, _): binary != .and && binary != .or
        default: true
        }
    }

    /// Whether the types of an expression fit what is expected; reports it if they do not.
    mutating func admits(_ types: TypeSet?, _ expected: TypeSet?, _ id: ExpressionID) -> Bool {
        guard let types, let expected, !types.meets(expected) else { return true }
        warn(
            position(of: id), "Invalid type. Received one of \(types.names). Expected one of \(expected.names).")
        return false
    }

    private mutating func simple(_ types: TypeSet, _ id: ExpressionID, _ expected: TypeSet?) -> TypeSet? {
        _ = admits(types, expected, id)
        return types
    }

    /// An operator whose operands are all expected to be of the same types.
    private mutating func operands(
        _ operands: [ExpressionID], _ types: TypeSet?, _ result: TypeSet, _ id: ExpressionID, _ expected: TypeSet?,
        _ scope: inout ExpressionScope
    ) -> TypeSet? {
        guard admits(result, expected, id) else {
            lookInto(operands, &scope)
            return result
        }
        for operand in operands { _ = infer(operand, expecting: types, &scope) }
        return result
    }

    /// A range: the first operand has the result's type, the others are bounds.
    private mutating func operands(
        _ operands: [ExpressionID], from types: TypeSet, _ id: ExpressionID, _ expected: TypeSet?,
        _ scope: inout ExpressionScope
    ) -> TypeSet? {
        guard admits(types, expected, id) else {
            lookInto(operands, &scope)
            return types
        }
        for (place, operand) in operands.enumerated() {
            _ = infer(place == 0 ? unwrapped(operand) : operand, expecting: place == 0 ? types : [.int], &scope)
        }
        return types
    }

    private mutating func inferBinary(
        _ binary: BinaryOperator, _ left: ExpressionID, _ right: ExpressionID, _ id: ExpressionID,
        _ expected: TypeSet?, _ scope: inout ExpressionScope
    ) -> TypeSet? {
        let result: TypeSet =
            switch binary {
            case .add, .subtract, .multiply, .divide, .remainder: ArithmeticTypes(binary, for: nil).left
            default: [.bool]
            }
        guard admits(result, expected, id) else {
            lookInto([left, right], &scope)
            return result
        }
        switch binary {
        case .and, .or:
            for operand in [left, right] { _ = infer(operand, expecting: [.bool], &scope) }
        case .in:
            _ = infer(left, expecting: nil, &scope)
            _ = infer(right, expecting: [.list, .set, .map, .constraint], &scope)
        case .equal, .notEqual:
            let types = (infer(left, expecting: nil, &scope), infer(right, expecting: nil, &scope))
            if let left = types.0, let right = types.1, !left.isComparable(with: right) {
                warn(
                    tree[id].position,
                    "The sub-expressions are not comparable, so this comparison will always return "
                        + "\(binary == .notEqual).")
            }
        case .less, .lessOrEqual, .greater, .greaterOrEqual: lookInto([left, right], &scope)
        case .add, .subtract, .multiply, .divide, .remainder:
            let types = ArithmeticTypes(binary, for: expected)
            _ = infer(left, expecting: types.left, &scope)
            _ = infer(right, expecting: types.right, &scope)
        }
        return result
    }

    /// Nothing is known of what it comes to. A result that does not fit what is around it is reported for itself.
    private mutating func inferConditional(
        _ condition: ExpressionID, _ whenTrue: ExpressionID, _ whenFalse: ExpressionID, _ id: ExpressionID,
        _ expected: TypeSet?, _ scope: inout ExpressionScope
    ) -> TypeSet? {
        _ = infer(condition, expecting: [.bool], &scope)
        let types = (infer(whenTrue, expecting: expected, &scope), infer(whenFalse, expecting: expected, &scope))
        guard let first = types.0, let second = types.1, !first.meets(second) else { return nil }
        if expected.map({ first.meets($0) && second.meets($0) }) ?? true {
            warn(
                tree[id].position,
                "Ternary operator result if condition is true has a different type than if condition is false.")
        }
        return nil
    }

    // MARK: Names

    private mutating func inferVariable(
        _ name: String, _ id: ExpressionID, _ expected: TypeSet?, _ scope: inout ExpressionScope
    ) -> TypeSet? {
        if let place = scope.locals.lastIndex(where: { $0.name.text == name }) {
            scope.use(place)
            guard let expected else { return scope.locals[place].types }
            guard let types = scope.locals[place].types else {
                scope.locals[place].types = expected
                return expected
            }
            guard admitsVariable(name, types, expected, id) else { return types }
            scope.locals[place].types = types.intersection(expected)
            return scope.locals[place].types
        }
        if let capture = scope.scope.captures.last(where: { $0.name == name }) {
            let types: TypeSet = [capture.type]
            _ = admitsVariable(name, types, expected, id)
            return types
        }
        let isKnown = scope.service != .unknown && (name == "request" || name == "resource")
        if !isKnown, !BuiltIns.packages.contains(name) {
            warn(tree[id].position, "Invalid variable name: \(name).")
        }
        if isKnown, let expected { scope.globals[name] = scope.globals[name]?.intersection(expected) ?? expected }
        return nil
    }

    private mutating func admitsVariable(
        _ name: String, _ types: TypeSet, _ expected: TypeSet?, _ id: ExpressionID
    ) -> Bool {
        guard !admits(types, expected, id) else { return true }
        warn(position(of: id), Checker.noType(of: name))
        return false
    }
}
