// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let openUntilDate = SecurityLintRule(
        id: "open-until-date", severity: .warning, title: "open until a date",
        explanation: """
            The rules of the console's test mode let everybody read and write until a date, and nobody after it. Write the \
            rules of your application before you have users; until then the database is open to the internet.
            """,
        wrong: """
            match /{document=**} {
              allow read, write: if request.time < timestamp.date(2030, 1, 1);
            }
            """,
        right: """
            match /notes/{note} {
              allow read: if request.auth != null && resource.data.owner == request.auth.uid;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            for statement in rules.statements where statement.pattern.isWide {
                guard let condition = statement.condition,
                    let alternatives = conditions.alternatives(condition)
                else { continue }
                let isOpen = alternatives.contains { terms in
                    !terms.isEmpty && terms.allSatisfy { isDateTest($0, conditions) }
                }
                guard isOpen else { continue }
                report(
                    conditions.start(condition),
                    "everybody may \(statement.methods.verbs) the whole database until a date: say who may instead", nil
                )
            }
        })

    private static func isDateTest(_ site: Site, _ conditions: ConditionReader) -> Bool {
        guard case .binary(let binary, let left, let right) = conditions.kind(site),
            binary == .less || binary == .lessOrEqual || binary == .greater || binary == .greaterOrEqual
        else { return false }
        return [left, right].contains { id in
            conditions.path(conditions.sibling(id, of: site)).map { $0.root == .request && $0.members == ["time"] }
                == true
        }
    }
}

extension MethodSet {
    /// `read`, `write`, or both, for a sentence.
    var verbs: String {
        let (reads, writes) = (!intersection(.read).isEmpty, !intersection(.write).isEmpty)
        return reads && writes ? "read and write" : writes ? "write" : "read"
    }
}
