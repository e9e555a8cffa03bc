// SPDX-License-Identifier: Apache-2.0

internal import JSONText

// `FirebaseProject` and the tool report these, in a `firebase.json`.

extension LintRule {
    package static let missingFile = LintRule(
        id: "missing-file", severity: .error, title: "firebase.json names a file that is not there",
        explanation: """
            The paths in firebase.json are relative to its folder. The official tool stops at an index file that is not \
            there: correct the path, or create the file with {"indexes": [], "fieldOverrides": []}.
            """,
        check: { _, _ in })

    static let invalidDatabaseID = LintRule(
        id: "invalid-database-id", severity: .error, title: "not the ID of a database",
        explanation: """
            The ID of a database is "(default)", or has 4 to 63 lower-case letters, digits and hyphens, begins with a letter \
            and does not end in a hyphen. There is no database with another ID to deploy to.
            """,
        check: { _, _ in })

    static let repeatedDatabase = LintRule(
        id: "repeated-database", severity: .error, title: "database given twice in firebase.json",
        explanation: """
            Two entries of "firestore" have the same "database", and an entry without one is "(default)". The files of \
            both are deployed to it, and the later deployment may delete what the earlier made: merge them.
            """,
        check: { _, _ in })
}
