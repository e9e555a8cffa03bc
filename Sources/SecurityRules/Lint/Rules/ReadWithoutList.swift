// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let readWithoutList = SecurityLintRule(
        id: "read-without-list", severity: .note, title: "allow read that no query can satisfy",
        explanation: """
            read stands for get and list, and this condition needs the documents' IDs, which a query does not know: the last \
            wildcard of the path is null in it. So single reads work, and queries of the collection are denied, but for \
            those that name the documents by documentId(). Write get to say so, or add a list that compares a field.
            """,
        wrong: """
            match /users/{uid} {
              allow read: if request.auth.uid == uid;
            }
            """,
        right: """
            match /users/{uid} {
              allow get: if request.auth.uid == uid;
            }
            """,
        check: { rules, report in
            for (statement, site) in rules.failures(.nameInQuery, in: [.list]) where !statement.names(.list) {
                report(
                    rules.conditions.place(site, in: statement),
                    "a query does not know the IDs of its documents, so that this denies every query but those by "
                        + "documentId(): write get if no query is meant", nil)
            }
        })
}
