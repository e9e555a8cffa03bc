// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let getComparedWithNull = SecurityLintRule(
        id: "get-compared-with-null", severity: .warning, title: "get() is never null",
        explanation: """
            get() of a document that does not exist is an error, not null, whatever the reference says; so get(…) != null is \
            true or an error, and get(…) == null is never true. Ask exists(…). (It is null only for a document that the \
            same commit writes.)
            """,
        wrong: """
            match /notes/{note} {
              allow get: if get(/databases/$(database)/documents/users/$(request.auth.uid)) != null;
            }
            """,
        right: """
            match /notes/{note} {
              allow get: if exists(/databases/$(database)/documents/users/$(request.auth.uid));
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            conditions.visitAll(rules) { site in
                guard let (left, right, _) = conditions.equality(site) else { return }
                for (side, other) in [(left, right), (right, left)] where conditions.isNull(other) {
                    guard case .call("get", _) = conditions.kind(side), conditions.isAccess(side) else { continue }
                    report(
                        conditions.position(site),
                        "get() of a missing document is an error, not null: ask exists() instead", nil)
                }
            }
        })
}
