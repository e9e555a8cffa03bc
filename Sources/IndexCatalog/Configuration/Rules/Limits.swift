// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension LintRule {
    /// D-23.
    static let fieldLimit = LintRule(
        id: "limit-fields", severity: .error, title: "more than 100 fields in an index",
        explanation: "A composite index has at most 100 fields beside \"__name__\"; production refuses more.",
        check: { tree, report in
            for index in tree.indexes {
                let count = index.fields.count { !$0.isDocumentName }
                guard count > 100 else { continue }
                report(
                    index.fields.lazy.filter { !$0.isDocumentName }.dropFirst(100).first?.node.offset
                        ?? index.node.offset,
                    "an index has at most 100 fields, this one \(count): remove from here on")
            }
        })

    /// D-21.
    static let indexLimit = countLimit(
        id: "limit-composite-count", severity: .error, key: "indexes", noun: "composite indexes", limit: 1000,
        whose: "A database has at most 1,000 composite indexes; production refuses more.")

    /// D-21.
    static let indexLimitWithoutBilling = countLimit(
        id: "limit-composite-count-free", severity: .warning, key: "indexes", noun: "composite indexes", limit: 200,
        upTo: 1000, whose: "A database without billing has at most 200 composite indexes, with billing 1,000.")

    /// D-22.
    static let overrideLimit = countLimit(
        id: "limit-override-count", severity: .error, key: "fieldOverrides", noun: "field overrides", limit: 1000,
        whose: "A database has at most 1,000 single-field configurations; production refuses more.")

    /// D-22.
    static let overrideLimitWithoutBilling = countLimit(
        id: "limit-override-count-free", severity: .warning, key: "fieldOverrides", noun: "field overrides", limit: 200,
        upTo: 1000, whose: "A database without billing has at most 200 single-field configurations, with billing 1,000."
    )

    /// Reported at the key, because no single entry is the one too many.
    private static func countLimit(
        id: String, severity: Severity, key: String, noun: String, limit: Int, upTo: Int = .max, whose: String
    ) -> LintRule {
        LintRule(
            id: id, severity: severity, title: "more than \(limit) \(noun)",
            explanation: whose
                + " Index merging serves many queries by few indexes: any number of equality filters need none, and an "
                + "index for each pair of filter and sort order serves their combinations.",
            in: [.standard],
            check: { tree, report in
                guard let member = tree.root.member(key), let entries = member.node.elements, entries.count > limit,
                    entries.count <= upTo
                else { return }
                report(
                    member.keyOffset,
                    "\(entries.count) \(noun), but at most \(limit) are allowed"
                        + (upTo == .max ? "" : " without billing") + ": the first too many begins at line "
                        + "\(tree.line(of: entries[limit].offset))")
            })
    }
}
