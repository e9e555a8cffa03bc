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

    package static let unindexedQuery = LintRule(
        id: "unindexed-query", severity: .warning, title: "query that reads a whole collection",
        explanation: """
            A database of the Enterprise edition runs the query, but reads the whole collection for it, because no index \
            of the file serves it. The message names an index that would. It is not an error: hearth check --strict fails \
            on it.
            """,
        in: [.enterprise, .mongodb],
        check: { _, _ in })

    package static let unresolvedQuery = LintRule(
        id: "unresolved-query", severity: .note, title: "query in source that cannot be followed",
        explanation: """
            hearth check --source does not know what the query asks for: its collection, a field or a filter comes from a \
            caller, another file or a computation. The message says which. The query may lack an index. Name the \
            collection with a comment on the line or the line before, hearth: collection=users, or in .hearth.json.
            """,
        check: { _, _ in })

    package static let rulesDeny = LintRule(
        id: "rules-deny", severity: .warning, title: "query that security rules deny",
        explanation: """
            hearth check --rules finds that the rules let no signed-in user run the query. The message says which \
            condition is not met and, if there is one, which filter would meet it.
            """,
        check: { _, _ in })
}
