// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let openRead = SecurityLintRule(
        id: "open-read", severity: .warning, title: "everybody may read more than one collection",
        explanation: """
            The statement lets everybody on the internet read, without signing in, and its path has no collection's name: it \
            fits documents that do not exist yet, too. A collection that is public on purpose gets a match of its own.
            """,
        wrong: """
            match /{document=**} {
              allow read: if true;
            }
            """,
        right: """
            match /articles/{article} {
              allow read: if true;
            }
            """,
        check: { rules, report in
            for statement in rules.statements(allowing: .read)
            where statement.pattern.isWide && rules.conditions.holdsAlways(statement) {
                report(
                    statement.position,
                    "everybody may read all documents of \(statement.pattern.shortText): name the collections that are "
                        + "public", nil)
            }
        })
}
