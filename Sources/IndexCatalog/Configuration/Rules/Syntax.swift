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

    static let unknownValue = LintRule(
        id: "unknown-value", severity: .error, title: "value that only Terraform knows",
        explanation: """
            A resource of Terraform has an expression where a value is needed, such as var.name, or a for_each whose \
            elements are not written in the file. Lists, sets and maps of literals are read, also from locals, and so are \
            each.key and each.value, which stand for their elements.

            The resource is left out, and the rest of the file is read. Write the value out, or convert what Terraform has \
            made: gcloud firestore indexes composite list --format=json prints it.
            """,
        check: { _, _ in })
}
