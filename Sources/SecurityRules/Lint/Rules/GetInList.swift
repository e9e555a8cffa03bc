// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let getInList = SecurityLintRule(
        id: "get-in-list", severity: .note, title: "a query's rule reads a document that its documents name",
        explanation: """
            A query is decided without its documents, so the path of get() is known only if the query has an equality \
            filter on the field in it: every other query is denied. With in or an OR the document is read for each value, \
            and each read is billed; more than the limit of a request denies it. Copy what the rule needs into the \
            document, or into a claim of the token.
            """,
        wrong: """
            match /tasks/{task} {
              allow list: if request.auth.uid in
                get(/databases/$(database)/documents/teams/$(resource.data.team)).data.members;
            }
            """,
        right: """
            match /tasks/{task} {
              allow list: if request.auth.uid in resource.data.members;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            for statement in rules.statements(allowing: MethodSet(.list)) {
                let reached = conditions.reached(statement, .list)
                guard reached.truths.mayBeTrue else { continue }
                let sites = reached.reader.truths.keys.filter { site in
                    conditions.isAccess(site)
                        && conditions.contains(site) { conditions.field($0, isNew: false)?.isEmpty == false }
                }
                for site in sites {
                    report(
                        conditions.place(site, in: statement),
                        "a query must filter this path's field by equality, else it is denied; each value costs a read",
                        nil)
                }
            }
        })
}
