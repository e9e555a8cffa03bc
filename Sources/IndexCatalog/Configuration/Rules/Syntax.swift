// SPDX-License-Identifier: Apache-2.0

// The reader reports these itself: where they apply there is no tree to check.

extension LintRule {
    /// The only finding of a source that is not JSON: such a file cannot be read at all.
    package static let syntax = LintRule(
        id: "syntax", severity: .error, title: "not JSON",
        explanation: """
            The file is JSON; comments, // and /* */, are allowed. Nothing in a file with a syntax error can be read, so \
            this is then the only finding.
            """,
        check: { _, _ in })

    static let trailingComma = LintRule(
        id: "trailing-comma", severity: .error, title: "comma before a closing bracket",
        explanation: """
            JSON has no comma after the last element of an array or the last member of an object, and the official tool \
            refuses a file with one. Remove the comma. The rest of the file is checked as if it were not there.
            """,
        check: { _, _ in })
}
