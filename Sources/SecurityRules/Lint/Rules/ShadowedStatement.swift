// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let shadowedStatement = SecurityLintRule(
        id: "shadowed-statement", severity: .warning, title: "another statement allows all of this already",
        explanation: """
            A wider match allows the same methods without a condition, so that this condition is never asked for: a request \
            is allowed if any statement allows it. Narrow the other statement, or remove this one.
            """,
        wrong: """
            match /{document=**} {
              allow read: if true;
            }
            match /notes/{note} {
              allow read: if resource.data.owner == request.auth.uid;
            }
            """,
        right: """
            match /notes/{note} {
              allow read: if resource.data.owner == request.auth.uid;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            let open = rules.statements.filter(conditions.holdsAlways).prefix(RulesOutline.mostCompared)
            for statement in rules.statements
            where !statement.methods.isEmpty && !conditions.holdsAlways(statement) {
                if let condition = statement.condition, conditions.isConstant(false, condition) { continue }
                let wider = open.first { other in
                    other.number != statement.number && other.methods.isSuperset(of: statement.methods)
                        && other.covers(statement)
                }
                guard let wider else { continue }
                report(
                    statement.position,
                    "line \(wider.position.line) allows \(statement.methods.words) of \(wider.pattern.shortText) to "
                        + "everybody already, so that this has no effect", nil)
            }
        })
}
