// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let unverifiedEmail = SecurityLintRule(
        id: "unverified-email", severity: .note, title: "an address that nobody verified",
        explanation: """
            With some ways of signing in, users choose their address, and until they have answered a message it may be \
            anybody's. A rule that trusts request.auth.token.email asks for request.auth.token.email_verified too, or \
            better for request.auth.uid or a custom claim.
            """,
        wrong: """
            match /settings/{setting} {
              allow write: if request.auth.token.email == 'admin@example.com';
            }
            """,
        right: """
            match /settings/{setting} {
              allow write: if request.auth.token.email == 'admin@example.com'
                && request.auth.token.email_verified == true;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            for statement in rules.statements {
                guard let condition = statement.condition else { continue }
                var first: Site?
                var isVerified = false
                conditions.visit(condition) { site in
                    guard let path = conditions.path(site), path.root == .request else { return }
                    if path.members == ["auth", "token", "email_verified"] { isVerified = true }
                    if path.members == ["auth", "token", "email"], first == nil, path.sites.last == site {
                        first = site
                    }
                }
                guard let first, !isVerified else { continue }
                report(
                    conditions.position(first),
                    "the address may be anybody's until it is verified: add request.auth.token.email_verified == true",
                    nil)
            }
        })
}
