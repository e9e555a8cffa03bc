// SPDX-License-Identifier: Apache-2.0

// `hearth check` reports these, at a query.

extension LintRule {
    package static let missingIndex = LintRule(
        id: "missing-index", severity: .error, title: "query without an index",
        explanation: """
            Production refuses the query with FAILED_PRECONDITION, because no index of the file and no automatic index \
            serves it. The message names the index. Add it to the file, and deploy it before the query: hearth check \
            prints the entry to paste, and hearth advise --output adds it.
            """,
        check: { _, _ in })

    package static let invalidQuery = LintRule(
        id: "invalid-query", severity: .error, title: "query that is refused",
        explanation: """
            Production refuses the query with INVALID_ARGUMENT, whatever indexes there are, or its text cannot be read. \
            The message says why.
            """,
        check: { _, _ in })
}
