// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Something that an index configuration must, should or need not be.
///
/// A rule is one static member in a file of `Rules/`, and its place in ``all``.
package final class LintRule: Sendable, Identifiable {
    package enum Severity: String, Sendable, CaseIterable {
        /// The official tool or production refuses it, or drops it without a word.
        case error
        /// It deploys, and does something else than it seems to.
        case warning
        /// Harmless.
        case note
    }

    /// Lower-case words joined by hyphens; never changes once released.
    package let id: String
    package let severity: Severity
    /// What is wrong, in a few words.
    package let title: String
    /// Why it is wrong and what to do: paragraphs for people.
    package let explanation: String
    /// Takes a breach: the offset of the offending key or value, and a message that says what to do, which is put into words
    /// only if somebody will read it.
    typealias Report = (_ offset: Int, _ message: @autoclosure () -> String) -> Void
    /// Reports every breach.
    let check: @Sendable (_ tree: ConfigurationTree, _ report: Report) -> Void
    /// Hands on the edits that mend those breaches that can be mended without a choice. `isSound` tells whether an entry is
    /// free of errors, so that it counts where it stands.
    typealias Mend =
        @Sendable (
            _ tree: ConfigurationTree, _ isSound: (JSONNode) -> Bool, _ edit: (LintEdit) -> Void
        ) -> Void
    let mend: Mend?

    init(
        id: String, severity: Severity, title: String, explanation: String,
        check: @escaping @Sendable (_ tree: ConfigurationTree, _ report: Report) -> Void, mend: Mend? = nil
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.check = check
        self.mend = mend
    }

    /// Whether ``ConfigurationReader/mended(_:except:)`` mends breaches of it, all or some.
    package var isMended: Bool { mend != nil || id == LintRule.trailingComma.id }

    /// The rule with this ``id``.
    package static func named(_ id: String) -> LintRule? { all.first { $0.id == id } }
}

/// A breach of a rule in one file.
package struct LintFinding: Sendable {
    package let rule: LintRule
    /// The offset of the offending key or value in the source; ``LineMap`` turns it into line and column.
    package let offset: Int
    /// What is wrong here and what to do: a sentence without a full stop.
    package let message: String

    package init(rule: LintRule, offset: Int, message: String) {
        self.rule = rule
        self.offset = offset
        self.message = message.boundedMessage
    }
}

extension LintRule {
    /// Every rule, in the order in which a page would explain them.
    package static let all: [LintRule] = [
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
