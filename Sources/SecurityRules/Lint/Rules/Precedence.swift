// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let precedence = SecurityLintRule(
        id: "precedence", severity: .warning, title: "operators that bind otherwise than it looks",
        explanation: """
            == binds tighter than is, and is tighter than in, otherwise than the documentation says; ! binds tighter than all \
            of them. So !'a' in x is (!'a') in x, which is always an error, and a == b in c is (a == b) in c. Write \
            parentheses.
            """,
        wrong: """
            match /notes/{note} {
              allow create: if !'role' in request.resource.data;
            }
            """,
        right: """
            match /notes/{note} {
              allow create: if !('role' in request.resource.data);
            }
            """,
        check: { rules, report in
            let tree = rules.tree
            for expression in tree.expressions {
                guard let reading = misreading(expression, tree) else { continue }
                report(expression.position, "\(reading): write parentheses", nil)
            }
        })

    private static let comparisons: [BinaryOperator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    private static func misreading(_ expression: SyntaxTree.Expression, _ tree: SyntaxTree) -> String? {
        switch expression.kind {
        case .binary(.in, let left, let right):
            if isNegation(left, tree) { return "! binds tighter than in, so that the negation is looked for" }
            if isComparison(left, tree) || isComparison(right, tree) {
                return "comparisons bind tighter than in, so that their result is looked for"
            }
            if isTypeTest(left, tree) || isTypeTest(right, tree) {
                return "is binds tighter than in, so that its result is looked for"
            }
        case .typeTest(let operand, _):
            if isNegation(operand, tree) {
                return "! binds tighter than is, so that the type of the negation is asked for"
            }
            if isComparison(operand, tree) {
                return "comparisons bind tighter than is, so that the type of their result is asked for"
            }
        case .binary(let binary, let left, _) where comparisons.contains(binary):
            if isNegation(left, tree), !isCall(left, tree) { return "! binds tighter than \(binary.rawValue)" }
        default: break
        }
        return nil
    }

    private static func isNegation(_ id: SyntaxTree.ExpressionID, _ tree: SyntaxTree) -> Bool {
        if case .not = tree[id].kind { true } else { false }
    }

    /// `!f() == true` can only be read one way.
    private static func isCall(_ id: SyntaxTree.ExpressionID, _ tree: SyntaxTree) -> Bool {
        guard case .not(let inner) = tree[id].kind else { return false }
        switch tree[inner].kind {
        case .call, .method, .parenthesized: return true
        default: return false
        }
    }

    private static func isTypeTest(_ id: SyntaxTree.ExpressionID, _ tree: SyntaxTree) -> Bool {
        if case .typeTest = tree[id].kind { true } else { false }
    }

    private static func isComparison(_ id: SyntaxTree.ExpressionID, _ tree: SyntaxTree) -> Bool {
        guard case .binary(let binary, _, _) = tree[id].kind else { return false }
        return comparisons.contains(binary)
    }
}
