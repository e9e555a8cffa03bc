// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let ownerCanChange = SecurityLintRule(
        id: "owner-can-change", severity: .warning, title: "an update may change who owns the document",
        explanation: """
            The condition finds out from a stored field who owns the document, and does not look at what the update makes \
            of that field: the owner may put somebody else's ID there, and so publish in that person's name. Compare the \
            new value with the stored one, or list the fields that may change.
            """,
        wrong: """
            match /posts/{post} {
              allow update: if resource.data.owner == request.auth.uid;
            }
            """,
        right: """
            match /posts/{post} {
              allow update: if resource.data.owner == request.auth.uid
                && request.resource.data.owner == resource.data.owner;
            }
            """,
        check: { rules, report in
            for statement in rules.statements(allowing: MethodSet(.update)) {
                for ownership in OwnershipReader.read(statement, rules.conditions) {
                    guard let (field, site) = ownership.storedOwners.first(where: { !ownership.isHeld($0.field) })
                    else {
                        continue
                    }
                    report(
                        rules.conditions.place(site, in: statement),
                        "the owner may put somebody else's ID into \"\(field)\": add "
                            + "request.resource.\(field.behindData) == resource.\(field.behindData)", nil)
                    break
                }
            }
        })
}
