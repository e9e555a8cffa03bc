// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What the compiler says of a source, in the words of the official compiler.
package struct RuleIssue: Sendable, Hashable {
    package enum Severity: String, Sendable {
        case error = "ERROR"
        case warning = "WARNING"
    }

    package let severity: Severity
    /// Nil if the issue has no place in the source.
    package let position: SourcePosition?
    package let text: String

    static func error(_ position: SourcePosition?, _ text: String) -> RuleIssue {
        RuleIssue(severity: .error, position: position, text: text)
    }

    static func warning(_ position: SourcePosition?, _ text: String) -> RuleIssue {
        RuleIssue(severity: .warning, position: position, text: text)
    }

    /// `L5:22 text`, with line and column 0 if there is no place.
    package var line: String { "L\(position?.line ?? 0):\(position?.column ?? 0) \(text)" }

    /// By position and text. Issues without a place come first.
    static func sorted(_ issues: [RuleIssue]) -> [RuleIssue] {
        let none = SourcePosition(line: 0, column: 0)
        return issues.sorted { lhs, rhs in
            let (left, right) = (lhs.position ?? none, rhs.position ?? none)
            return left == right ? Text(lhs.text) < Text(rhs.text) : left < right
        }
    }
}
