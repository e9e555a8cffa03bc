// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let authNotChecked = SecurityLintRule(
        id: "auth-not-checked", severity: .note, title: "request.auth may be null",
        explanation: """
            request.auth is null for a caller who is not signed in, and a member of null is an error. The error denies, as \
            false does, but the emulator then reports "Null value error.", and the same expression under a negation denies \
            too. Say request.auth != null first. The first place of a file is reported.
            """,
        wrong: """
            match /users/{uid} {
              allow get: if request.auth.uid == uid;
            }
            """,
        right: """
            match /users/{uid} {
              allow get: if request.auth != null && request.auth.uid == uid;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            var first: Site?
            var others = 0
            for statement in rules.statements {
                guard let condition = statement.condition else { continue }
                var use: Site?
                var isChecked = false
                conditions.visit(condition) { site in
                    if conditions.isSignedInTest(site) { isChecked = true }
                    if let path = conditions.path(site), path.isAuth, path.members.count == 2, use == nil { use = site }
                }
                guard let use, !isChecked else { continue }
                if first == nil { first = use } else { others += 1 }
            }
            guard let first else { return }
            let rest = others == 0 ? "" : ", here and in \(others) more statement\(others == 1 ? "" : "s")"
            report(
                conditions.start(first),
                "request.auth is null for callers who are not signed in, which is an error here: write request.auth != "
                    + "null && … first\(rest)", nil)
        })
}
