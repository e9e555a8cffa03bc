// SPDX-License-Identifier: Apache-2.0

extension LintRule {
    /// The text of docs/lint-rules.md: all rules, in order.
    package static var page: String {
        var text = """
            # The rules of `hearth validate`

            Generated from the rules; `UPDATE_GOLDENS=1 swift test --filter GeneratedFilesTests` writes it. `hearth validate \
            --explain RULE` prints one of them. `--rule RULE=off|note|warning|error` or a file `.hearth.json` with \
            `{"rules":{"RULE":"off"}}` changes what counts.

            An *error* is refused by the official tool or by production, or dropped without a word; a *warning* deploys and \
            does something else than it seems to; a *note* is harmless. `--fix` fixes rules marked *fix* where that \
            needs no choice. *Standard*: not checked with `--edition enterprise` or `mongodb`, which imply no indexes and \
            no `__name__`.

            | rule | severity | what is wrong |
            | --- | --- | --- |

            """
        for rule in all {
            let severity =
                rule.severity.rawValue + (rule.isFixable ? ", fix" : "")
                + (rule.editions == [.standard] ? ", Standard" : "")
            text += "| [`\(rule.id)`](#\(rule.id)) | \(severity) | \(rule.title) |\n"
        }
        for rule in all {
            text += "\n## \(rule.id)\n*\(rule.title)*: \(rule.severity.rawValue)\n\n\(rule.explanation)\n"
        }
        return text
    }
}
