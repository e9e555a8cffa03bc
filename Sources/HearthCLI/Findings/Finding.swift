// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// Something wrong at a place of a file, in the form that every output format prints.
struct Finding {
    let file: String
    /// Line and column count from 1.
    let position: LineMap.Position
    let rule: String
    let severity: LintRule.Severity
    let message: String
    /// The line around the place; nil where it would help nobody.
    let excerpt: LineMap.Excerpt?

    /// At most this much of a line is shown, so that a file in one line stays readable.
    static let excerptWidth = 100
}
