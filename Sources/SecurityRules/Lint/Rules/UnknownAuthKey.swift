// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    private static let tokenKeys: Set<String> = [
        "email", "email_verified", "phone_number", "name", "sub", "firebase", "admin", "role", "roles", "picture",
    ]
    private static let userKeys: Set<String> = ["id", "UID", "Uid", "userId", "user_id", "userID", "userid", "uuid"]

    static let unknownAuthKey = SecurityLintRule(
        id: "unknown-auth-key", severity: .warning, title: "request.auth has no such key",
        explanation: """
            request.auth has uid and token and nothing else; any other key is an error, which denies. Claims, custom ones \
            too, are in request.auth.token.
            """,
        wrong: """
            match /settings/{setting} {
              allow write: if request.auth.admin == true;
            }
            """,
        right: """
            match /settings/{setting} {
              allow write: if request.auth.token.admin == true;
            }
            """,
        isFixable: true,
        check: { rules, report in
            let conditions = rules.conditions
            conditions.visitAll(rules) { site in
                guard case .member(_, let name) = conditions.kind(site), let path = conditions.path(site),
                    path.root == .request, path.members.count == 2, path.isAuth, name != "uid", name != "token"
                else { return }
                let position = conditions.position(site)
                let replacement =
                    userKeys.contains(name.string)
                    ? "uid" : tokenKeys.contains(name.string) ? "token.\(name)" : nil
                report(
                    position,
                    "request.auth has no key \"\(name)\": write request.auth.\(replacement ?? "token.\(name)")",
                    conditions.isSameForAllCalls(site) ? replacement.map { position.edit(name, $0) } : nil)
            }
        })
}
