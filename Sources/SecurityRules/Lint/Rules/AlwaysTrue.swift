// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let alwaysTrue = SecurityLintRule(
        id: "always-true", severity: .warning, title: "a condition that is always true",
        explanation: """
            A part of the condition is true in every request that reaches it, so that it protects nothing: it compares a \
            value with two others by != and joins them by ||, asks whether a document that exists is null, or is joined to \
            true. Remove it, or write what was meant.
            """,
        wrong: """
            match /notes/{note} {
              allow update: if resource.data.state != 'locked' || resource.data.state != 'archived';
            }
            """,
        right: """
            match /notes/{note} {
              allow update: if resource.data.state != 'locked' && resource.data.state != 'archived';
            }
            """,
        check: { rules, report in
            for found in ConstantConditions.find(true, rules) {
                report(found.start, "this is always true: \(found.reason)", nil)
            }
        })
}
