// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let versionOneWildcard = SecurityLintRule(
        id: "version-1-wildcard", severity: .note, title: "a recursive wildcard of version 1",
        explanation: """
            Without rules_version = '2' a wildcard {name=**} stands for one segment at least, in version 2 for none too: \
            /users/{uid}/{rest=**} then fits the user's document as well. Write rules_version = '2'; at the top, and look at \
            what the wildcards fit afterwards.
            """,
        wrong: """
            match /users/{uid}/{rest=**} {
              allow read: if request.auth.uid == uid;
            }
            """,
        right: """
            match /users/{uid} {
              allow get: if request.auth.uid == uid;
              match /{collection}/{rest=**} {
                allow read: if request.auth.uid == uid;
              }
            }
            """,
        check: { rules, report in
            guard rules.tree.version == .one else { return }
            for match in rules.matches {
                for segment in match.match.path where segment.isGlob {
                    // At the beginning there is a collection's name in any case.
                    guard match.pattern.documentsPart.map({ $0.count > 1 }) == true else { continue }
                    report(
                        segment.position,
                        "in version 1 this wildcard stands for one segment at least, in version 2 for none too: check it "
                            + "when you write rules_version = '2'", nil)
                }
            }
        })
}
