// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A rule for index configurations.
///
/// Each rule is a static member in a file of `Rules/` and has a place in ``all``.
package final class LintRule: Sendable, Identifiable {
    package enum Severity: String, Sendable, CaseIterable {
        /// The official tool or production refuses it or drops it silently.
        case error
        /// It can be deployed, but does not do what it seems to do.
        case warning
        /// Harmless.
        case note
    }

    /// Lower-case words joined by hyphens. Never changes once released.
    package let id: String
    package let severity: Severity
    /// What is wrong, in a few words.
    package let title: String
    /// Why it is wrong and what to do, in paragraphs.
    package let explanation: String
    /// Reports a finding: the offset of the wrong key or value, and a message that says what to do. The message is
    /// evaluated only if it is shown.
    struct Report {
        let add: (_ offset: Int, _ severity: Severity?, _ message: () -> String) -> Void

        /// - Parameter severity: where it differs from the rule's.
        func callAsFunction(_ offset: Int, as severity: Severity? = nil, _ message: @autoclosure () -> String) {
            add(offset, severity, message)
        }
    }
    /// Reports all findings.
    let check: @Sendable (_ tree: ConfigurationTree, _ report: Report) -> Void
    /// Passes on the edits for those findings that can be fixed without a decision. `isValid` says whether an entry has
    /// no errors and so takes effect.
    typealias Fix =
        @Sendable (
            _ tree: ConfigurationTree, _ isValid: (JSONNode) -> Bool, _ edit: (LintEdit) -> Void
        ) -> Void
    let fix: Fix?
    /// The kinds of databases of which it holds.
    package let editions: Set<Edition>

    init(
        id: String, severity: Severity, title: String, explanation: String, in editions: Set<Edition> = Edition.all,
        check: @escaping @Sendable (_ tree: ConfigurationTree, _ report: Report) -> Void, fix: Fix? = nil
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.editions = editions
        self.check = check
        self.fix = fix
    }

    /// Whether ``ConfigurationReader/fixed(_:except:)`` fixes its findings, all or some.
    package var isFixable: Bool { fix != nil || id == LintRule.trailingComma.id }

    /// The rule with this ``id``.
    package static func named(_ id: String) -> LintRule? { all.first { $0.id == id } }
}

/// A finding of a rule in one file.
package struct LintFinding: Sendable {
    package let rule: LintRule
    /// The offset of the wrong key or value in the source. ``LineMap`` maps it to a line and column.
    package let offset: Int
    /// The rule's severity, or a lower one.
    package let severity: LintRule.Severity
    /// What is wrong and what to do: a sentence without a full stop.
    package let message: String

    package init(rule: LintRule, offset: Int, severity: LintRule.Severity? = nil, message: String) {
        self.rule = rule
        self.offset = offset
        self.severity = severity ?? rule.severity
        self.message = message.boundedMessage
    }
}

extension LintRule {
    /// All rules, in the order of the documentation.
    package static let all =
        ofIndexFiles + [
            .unknownValue, .missingFile, .invalidDatabaseID, .repeatedDatabase,
            .missingIndex, .invalidQuery, .unindexedQuery, .unresolvedQuery, .rulesDeny,
        ]

    /// The rules that an index file alone can break.
    package static let ofIndexFiles: [LintRule] = [
        .syntax, .trailingComma,
        .unknownKey, .repeatedKey, .missingKey, .wrongType, .badEnumeration, .oneOf, .noFields,
        .uniqueNotSupported, .legacyFormat, .defaultScope,
        .invalidCollectionID, .invalidFieldPath,
        .singleFieldComposite, .nameNotLast, .ambiguousNameDirection, .uselessNameIndex,
        .repeatedField, .multipleArrayFields, .vectorNotLast, .vectorDimension,
        .duplicateIndex, .coveredByGroupIndex, .redundantIndex, .enterpriseOnly,
        .overrideDropsDefaults, .overrideEqualsDefault, .duplicateOverride,
        .timeToLiveFieldIndexed, .multipleTimeToLiveFields,
        .fieldLimit, .indexLimit, .indexLimitWithoutBilling, .overrideLimit, .overrideLimitWithoutBilling,
    ]
}
