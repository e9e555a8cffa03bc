// SPDX-License-Identifier: Apache-2.0

package import IndexCatalog

/// A lint rule for security rules.
///
/// Each rule is a static member in a file of `Rules/` and has a place in ``all``.
package final class SecurityLintRule: Sendable, Identifiable {
    /// Lower-case words joined by hyphens. Never changes once released.
    package let id: String
    /// A *warning* gives data away or never does what is written; a *note* is a matter of taste or of care.
    package let severity: LintRule.Severity
    /// What is wrong, in a few words.
    package let title: String
    /// Why it is wrong and what to do, in paragraphs.
    package let explanation: String
    /// Lines inside `match /databases/{database}/documents` that the rule finds fault with.
    package let wrong: String
    /// The same lines corrected.
    package let right: String
    package let isFixable: Bool
    /// Reports a finding: its place, a message that says what to do, and an edit if that needs no choice.
    typealias Report = (_ position: SourcePosition, _ message: String, _ fix: RulesEdit?) -> Void
    /// Reports all findings.
    let check: @Sendable (_ rules: RulesOutline, _ report: Report) -> Void

    init(
        id: String, severity: LintRule.Severity, title: String, explanation: String, wrong: String, right: String,
        isFixable: Bool = false, check: @escaping @Sendable (_ rules: RulesOutline, _ report: Report) -> Void
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.wrong = wrong
        self.right = right
        self.isFixable = isFixable
        self.check = check
    }

    /// The rule with this ``id``.
    package static func named(_ id: String) -> SecurityLintRule? { all.first { $0.id == id } }
}

/// A finding of a lint rule in one source.
package struct SecurityLintFinding: Sendable {
    package let rule: SecurityLintRule
    package let position: SourcePosition
    /// What is wrong and what to do: a sentence without a full stop.
    package let message: String
    package let fix: RulesEdit?
}

/// An edit of one line that fixes a finding and keeps everything else.
package struct RulesEdit: Sendable, Hashable {
    package let position: SourcePosition
    /// How many scalars it replaces.
    package let length: Int
    package let replacement: String
}

extension SecurityLintRule {
    /// All rules, in the order of the documentation.
    package static let all: [SecurityLintRule] = [
        .openRead, .openWrite, .openUntilDate, .openToSignedIn,
        .unsoundList, .ownerNotChecked, .ownerCanChange, .denyWithoutEffect,
        .anyField, .uncheckedTypes, .unverifiedEmail, .authNotChecked,
        .requestResourceInRead, .resourceOnCreate, .requestResourceOnDelete, .writeWithoutDelete, .unprovableList,
        .readWithoutList, .getInList,
        .tooManyReads,
        .alwaysTrue, .alwaysFalse, .shadowedStatement, .repeatedStatement,
        .matchOnCollection, .matchOutsideDocuments, .versionOneWildcard, .impossiblePath, .getComparedWithNull,
        .unknownRequestKey, .unknownAuthKey, .missingData, .misspelledName, .impossibleMethod,
        .precedence, .mixedAndOr, .unusedFunction,
    ]
}
