// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let requestResourceOnDelete = SecurityLintRule(
        id: "request-resource-on-delete", severity: .warning, title: "request.resource in a delete",
        explanation: """
            After a delete there is no document: request.resource is null, and request.resource.data is an error, which \
            denies. In delete look at resource, what is stored.
            """,
        wrong: """
            match /notes/{note} {
              allow delete: if request.resource.data.owner == request.auth.uid;
            }
            """,
        right: """
            match /notes/{note} {
              allow delete: if resource.data.owner == request.auth.uid;
            }
            """,
        check: { rules, report in
            for (statement, site) in rules.failures(.newResourceOnDelete, in: [.delete]) where statement.names(.delete)
            {
                report(
                    rules.conditions.place(site, in: statement),
                    "request.resource is null in a delete, so that this never allows one: look at resource "
                        + "there", nil)
            }
        })
}
