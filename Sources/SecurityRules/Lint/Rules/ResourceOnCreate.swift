// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let resourceOnCreate = SecurityLintRule(
        id: "resource-on-create", severity: .warning, title: "resource in a create",
        explanation: """
            Before a create there is no document: resource is null, and resource.data is an error, which denies. In create, \
            look at request.resource. In a statement for write, say resource == null || …, or give create a statement of \
            its own.
            """,
        wrong: """
            match /notes/{note} {
              allow create: if resource.data.owner == request.auth.uid;
            }
            """,
        right: """
            match /notes/{note} {
              allow create: if request.resource.data.owner == request.auth.uid;
            }
            """,
        check: { rules, report in
            let counts = rules.countsByPath(allowing: .create)
            for (statement, site) in rules.failures(.resourceOnCreate, in: [.create]) {
                let others = (counts[statement.pattern.text] ?? 0) > 1
                // Another statement may be there for creates.
                guard statement.names(.create) || !others else { continue }
                report(
                    rules.conditions.place(site, in: statement),
                    "resource is null in a create, so that this never allows one: use request.resource there", nil)
            }
        })
}
