// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let openToSignedIn = SecurityLintRule(
        id: "open-to-signed-in", severity: .warning, title: "whoever signs in may do everything",
        explanation: """
            Whoever signs in, anonymously too if the project has it, may read or write all documents, those of other users \
            included. The path has no collection's name, so that narrower rules elsewhere restrict nothing: a request is \
            allowed if any statement allows it.
            """,
        wrong: """
            match /{document=**} {
              allow read, write: if request.auth != null;
            }
            """,
        right: """
            match /users/{uid}/{document=**} {
              allow read, write: if request.auth != null && request.auth.uid == uid;
            }
            """,
        check: { rules, report in
            for statement in rules.statements where statement.pattern.isWide {
                guard let condition = statement.condition, rules.conditions.isOnlySignedIn(condition) else { continue }
                report(
                    rules.conditions.start(condition),
                    "whoever signs in may \(statement.methods.verbs) all documents of \(statement.pattern.shortText): "
                        + "name collections and say who may", nil)
            }
        })
}

extension ConditionReader {
    /// Whether one way to fulfil the condition asks for nothing but a user who is signed in.
    func isOnlySignedIn(_ condition: Site) -> Bool {
        alternatives(condition)?.contains { terms in
            !terms.isEmpty && terms.allSatisfy { isSignedInTest($0) || isConstant(true, $0) }
                && terms.contains(where: isSignedInTest)
        } == true
    }
}
