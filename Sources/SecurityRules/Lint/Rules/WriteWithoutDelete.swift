// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let writeWithoutDelete = SecurityLintRule(
        id: "write-without-delete", severity: .note, title: "allow write that never allows a delete",
        explanation: """
            After a delete there is no document: request.resource is null, and request.resource.data is an error, which \
            denies. A statement for write with it never allows deletes. If that is meant, write create, update; else give \
            delete a statement of its own, which looks at resource.
            """,
        wrong: """
            match /notes/{note} {
              allow write: if request.resource.data.owner == request.auth.uid
                && (resource == null || resource.data.owner == request.auth.uid);
            }
            """,
        right: """
            match /notes/{note} {
              allow create: if request.resource.data.owner == request.auth.uid;
              allow delete: if resource.data.owner == request.auth.uid;
            }
            """,
        check: { rules, report in
            let counts = rules.countsByPath(allowing: .delete)
            for (statement, site) in rules.failures(.newResourceOnDelete, in: [.delete]) {
                let others = (counts[statement.pattern.text] ?? 0) > 1
                guard !statement.names(.delete), !others else { continue }
                report(
                    rules.conditions.place(site, in: statement),
                    "request.resource is null in a delete, so that this never allows one: write create, update, or look at "
                        + "resource in delete", nil)
            }
        })
}
