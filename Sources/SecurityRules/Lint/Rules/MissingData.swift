// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let missingData = SecurityLintRule(
        id: "missing-data", severity: .warning, title: "a field without data",
        explanation: """
            resource, request.resource and what get() gives have data, id and __name__; the fields are in data. A field \
            without data is an error, which denies.
            """,
        wrong: """
            match /notes/{note} {
              allow get: if resource.owner == request.auth.uid;
            }
            """,
        right: """
            match /notes/{note} {
              allow get: if resource.data.owner == request.auth.uid;
            }
            """,
        isFixable: true,
        check: { rules, report in
            let conditions = rules.conditions
            conditions.visitAll(rules) { site in
                guard case .member(_, let name) = conditions.kind(site), !["data", "id", "__name__"].contains(name),
                    let path = conditions.path(site), path.sites.last == site
                else { return }
                let whole: String
                switch (path.root, path.members.count) {
                case (.resource, 1): whole = "resource"
                case (.request, 2) where path.members[0] == "resource": whole = "request.resource"
                case (.fetched, 1): whole = "get(…)"
                default: return
                }
                let position = conditions.position(site)
                report(
                    position, "the fields of \(whole) are in data: write \(whole).data.\(name)",
                    conditions.isSameForAllCalls(site) ? position.edit(name, "data.\(name)") : nil)
            }
        })
}
