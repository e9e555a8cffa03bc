// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// A problem at a place in a file, as every output format prints it.
struct Finding {
    let file: String
    /// Line and column, counted from 1.
    let position: LineMap.Position
    let rule: String
    let severity: LintRule.Severity
    let message: String
    /// The line around the place; nil if it would not help.
    let excerpt: LineMap.Excerpt?

    /// The longest part of a line to show, so that a file of one line stays readable.
    static let excerptWidth = 100
}
