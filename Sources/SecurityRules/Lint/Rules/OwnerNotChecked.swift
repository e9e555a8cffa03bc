// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let ownerNotChecked = SecurityLintRule(
        id: "owner-not-checked", severity: .warning, title: "an update looks at the new owner only",
        explanation: """
            The condition compares the user with a field of the new document, which the user wrote, and not with the stored \
            one. So whoever writes their own ID into the field may overwrite the documents of others. Compare \
            resource.data, what is stored, in update; compare request.resource.data in create.
            """,
        wrong: """
            match /posts/{post} {
              allow update: if request.resource.data.owner == request.auth.uid;
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
                    guard let (field, site) = ownership.newOwners.first, !ownership.readsStored,
                        !ownership.hasOtherAuthority
                    else { continue }
                    report(
                        rules.conditions.place(site, in: statement),
                        "whoever writes their own ID into \"\(field)\" may overwrite documents of others: compare "
                            + "resource.\(field.behindData) with request.auth.uid too", nil)
                    break
                }
            }
        })
}
