// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Expressions that have the same truth in every request that reaches them.
enum ConstantConditions {
    struct Found {
        let start: SourcePosition
        let reason: String
    }

    /// The outermost of them, without those that are written as `true` or `false`.
    static func find(_ wanted: Bool, _ rules: RulesOutline) -> [Found] {
        let conditions = rules.conditions
        var truths: [SyntaxTree.ExpressionID: Possibility.Truths] = [:]
        for statement in rules.statements {
            for method in RequestMethod.allCases where statement.methods.contains(MethodSet(method)) {
                let reader = conditions.reached(statement, method).reader
                for (site, own) in reader.truths { truths[site.id] = truths[site.id]?.union(own) ?? own }
            }
        }
        let target = Possibility.bool(wanted).truths
        let found = truths.filter { id, own in own == target && isWrittenSo(id, conditions.tree) }.map { id, _ in
            Found(start: conditions.tree[id].start, reason: "in every request that reaches it")
        }
        return found + contradictions(wanted, rules)
    }

    /// Not what depends on the arguments of a call, and not the question whether a document exists: people write these
    /// where they know the answer, too.
    private static func isWrittenSo(_ id: SyntaxTree.ExpressionID, _ tree: SyntaxTree) -> Bool {
        switch tree[id].kind {
        case .binary(.and, let left, let right), .binary(.or, let left, let right):
            return [left, right].contains { if case .constant = tree[$0].kind { true } else { false } }
        case .binary(_, let left, let right):
            if case .constant(.null) = tree[left].kind { return false }
            if case .constant(.null) = tree[right].kind { return false }
        case .typeTest: break
        default: return false
        }
        var open = [id]
        while let next = open.popLast() {
            if case .variable(let name) = tree[next].kind, name != "request" { return false }
            open += tree[next].kind.children
        }
        return true
    }

    /// `x == 'a' && x == 'b'` is never true, `x != 'a' || x != 'b'` always.
    private static func contradictions(_ wanted: Bool, _ rules: RulesOutline) -> [Found] {
        let conditions = rules.conditions
        let binary: BinaryOperator = wanted ? .or : .and
        var found: [Found] = []
        for statement in rules.statements {
            guard let condition = statement.condition else { continue }
            conditions.visit(condition) { site in
                guard case .binary(binary, _, _) = conditions.kind(site) else { return }
                var values: [String: RuleValue] = [:]
                for operand in conditions.operands(of: binary, site) {
                    guard let (left, right, isNegated) = conditions.equality(operand), isNegated == wanted else {
                        continue
                    }
                    let (side, other) = isConstant(left, conditions) ? (right, left) : (left, right)
                    guard case .constant(let value) = conditions.kind(other), conditions.path(side) != nil else {
                        continue
                    }
                    let key = conditions.key(side)
                    if let known = values[key], !known.equals(value) {
                        let reason =
                            wanted
                            ? "the value differs from one of the two at least; && is probably meant"
                            : "the value cannot be both; || is probably meant"
                        found.append(Found(start: conditions.start(operand), reason: reason))
                    }
                    values[key] = value
                }
            }
        }
        return found
    }

    private static func isConstant(_ site: Site, _ conditions: ConditionReader) -> Bool {
        if case .constant = conditions.kind(site) { true } else { false }
    }
}
