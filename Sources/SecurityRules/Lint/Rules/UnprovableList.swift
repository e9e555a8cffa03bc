// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let unprovableList = SecurityLintRule(
        id: "unprovable-list", severity: .warning, title: "no query can satisfy the condition",
        explanation: """
            A query is decided from its filters, before any document is read. The documents' IDs are not known then: the \
            last wildcard of the path is null, and resource has neither id nor __name__. A condition that needs them denies \
            every query but those that name the documents, by documentId() == or in. Write get where single reads are \
            meant; for lists compare a field that holds the ID, and query by it.
            """,
        wrong: """
            match /users/{uid} {
              allow list: if request.auth.uid == uid;
            }
            """,
        right: """
            match /users/{uid} {
              allow get: if request.auth.uid == uid;
              allow list: if resource.data.uid == request.auth.uid;
            }
            """,
        check: { rules, report in
            for (statement, site) in rules.failures(.nameInQuery, in: [.list]) where statement.names(.list) {
                report(
                    rules.conditions.place(site, in: statement),
                    "a query does not know the IDs of its documents, so that this denies every query but those by "
                        + "documentId(): compare a field that queries filter by", nil)
            }
        })
}
