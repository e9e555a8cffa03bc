// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    /// Firestore's limit for a request of one document.
    private static let readLimit = 10

    static let tooManyReads = SecurityLintRule(
        id: "too-many-reads", severity: .note, title: "more documents than a rule may read",
        explanation: """
            A request of one document may make ten calls of get(), exists(), getAfter() and existsAfter(); the next one is \
            an error, which denies. Calls for what is known already do not count: whether a document exists that was \
            asked for or found, and a document that get() found. That get() finds nothing is forgotten, so each get() of a \
            missing document counts. Read a document once and look at its fields, or put roles into claims of the token.
            """,
        wrong: """
            match /files/{file} {
              function isMember(team) {
                return exists(/databases/$(database)/documents/teams/$(team)/members/$(request.auth.uid));
              }
              allow get: if isMember('a') || isMember('b') || isMember('c') || isMember('d') || isMember('e')
                || isMember('f') || isMember('g') || isMember('h') || isMember('i') || isMember('j') || isMember('k');
            }
            """,
        right: """
            match /files/{file} {
              allow get: if resource.data.team in
                get(/databases/$(database)/documents/users/$(request.auth.uid)).data.teams;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            for statement in rules.statements {
                guard let condition = statement.condition else { continue }
                var calls: Set<String> = []
                var eleventh: Site?
                conditions.visit(condition) { site in
                    guard conditions.isAccess(site), calls.insert(conditions.key(site)).inserted else { return }
                    if calls.count == readLimit + 1 { eleventh = site }
                }
                guard eleventh != nil else { continue }
                report(
                    conditions.start(condition),
                    "the condition may read \(calls.count) documents, and \(readLimit) is the limit: the next read denies",
                    nil)
            }
        })
}
