// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let alwaysFalse = SecurityLintRule(
        id: "always-false", severity: .warning, title: "a condition that is never true",
        explanation: """
            A part of the condition is false in every request that reaches it: it compares one value with two others by == \
            and joins them by &&, asks for another method than the statement has, or is joined to false. Remove it, or \
            write what was meant. A statement with if false alone is a clear way to deny, and not reported.
            """,
        wrong: """
            match /notes/{note} {
              allow get: if resource.data.state == 'open' && resource.data.state == 'public';
            }
            """,
        right: """
            match /notes/{note} {
              allow get: if resource.data.state == 'open' || resource.data.state == 'public';
            }
            """,
        check: { rules, report in
            for found in ConstantConditions.find(false, rules) {
                report(found.start, "this is never true: \(found.reason)", nil)
            }
        })
}
