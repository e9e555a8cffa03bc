// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let repeatedStatement = SecurityLintRule(
        id: "repeated-statement", severity: .note, title: "the same statement again",
        explanation: """
            An earlier statement allows the same methods of the same documents under the same condition. Remove one of \
            them: who changes one later will think that the change counts.
            """,
        wrong: """
            match /notes/{note} {
              allow read: if request.auth != null;
              allow get: if request.auth != null;
            }
            """,
        right: """
            match /notes/{note} {
              allow read: if request.auth != null;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            var known: [String: [OutlinedStatement]] = [:]
            for statement in rules.statements where !statement.methods.isEmpty {
                let shape = statement.pattern.map { $0.literal.map { "/\($0)" } ?? ($0.isGlob ? "/**" : "/*") }.joined()
                let meaning = conditions.holdsAlways(statement) ? "true" : statement.condition.map(conditions.key) ?? ""
                let key = shape + " " + meaning
                if let earlier = known[key]?.first(where: { $0.methods.isSuperset(of: statement.methods) }) {
                    report(statement.position, "line \(earlier.position.line) says the same: remove one of them", nil)
                }
                known[key, default: []].append(statement)
            }
        })
}
