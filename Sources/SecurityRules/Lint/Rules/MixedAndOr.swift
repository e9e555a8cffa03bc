// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let mixedAndOr = SecurityLintRule(
        id: "mixed-and-or", severity: .note, title: "&& and || without parentheses",
        explanation: """
            && binds tighter than ||: a && b || c allows whenever c holds, whatever a is. That is right or a hole; \
            parentheses tell the reader which.
            """,
        wrong: """
            match /notes/{note} {
              allow get: if request.auth != null && resource.data.open == true || resource.data.demo == true;
            }
            """,
        right: """
            match /notes/{note} {
              allow get: if (request.auth != null && resource.data.open == true) || resource.data.demo == true;
            }
            """,
        check: { rules, report in
            for expression in rules.tree.expressions {
                guard case .binary(.or, let left, let right) = expression.kind else { continue }
                let isMixed = [left, right].contains { id in
                    if case .binary(.and, _, _) = rules.tree[id].kind { true } else { false }
                }
                guard isMixed else { continue }
                report(
                    expression.position, "&& binds tighter than ||: write parentheses around what belongs together", nil
                )
            }
        })
}
