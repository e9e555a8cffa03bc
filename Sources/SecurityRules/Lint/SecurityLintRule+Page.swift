// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    /// The text of docs/rules-lint.md: all rules, in order.
    package static var page: String {
        var text = """
            # The lint rules of `hearth rules check`

            Generated from the rules; `UPDATE_GOLDENS=1 swift test --filter RulesLintPageTests` writes it. `hearth rules check \
            --explain RULE` prints one of them. `--rule RULE=off|note|warning|error` or a file `.hearth.json` with \
            `{"rules":{"RULE":"off"}}` changes what counts; a comment `// hearth: ignore RULE` silences a rule on its own line \
            and on the next.

            They are asked of files that compile. What the official compiler says comes first: its errors with the rule \
            `syntax` or a name such as `recursion`, its warnings with rules that begin with `official-`.

            A *warning* gives data away, or never does what is written; a *note* is a matter of care or taste. What is marked \
            *fix* is corrected by `--fix` where that needs no choice. The examples are what is between \
            `match /databases/{database}/documents {` and `}`.

            | rule | severity | what is wrong |
            | --- | --- | --- |

            """
        for rule in all {
            let severity = rule.severity.rawValue + (rule.isFixable ? ", fix" : "")
            text += "| [`\(rule.id)`](#\(rule.id)) | \(severity) | \(rule.title) |\n"
        }
        for rule in all {
            text += """

                ## \(rule.id)
                *\(rule.title)*: \(rule.severity.rawValue)

                \(rule.explanation)

                Wrong:
                ```text
                \(rule.wrong)
                ```
                Right:
                ```text
                \(rule.right)
                ```

                """
        }
        return text
    }

    /// An example as a whole source.
    package static func source(_ example: String) -> String {
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
        return """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
            \(lines)  }
            }

            """
    }
}
