// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let unknownRequestKey = SecurityLintRule(
        id: "unknown-request-key", severity: .warning, title: "request has no such key",
        explanation: """
            request has auth, method, path, resource, time, query (in list) and a few that are seldom used; any other key is \
            an error, which denies. The document that a write makes is request.resource.data.
            """,
        wrong: """
            match /notes/{note} {
              allow create: if request.user.uid == request.resource.data.owner;
            }
            """,
        right: """
            match /notes/{note} {
              allow create: if request.auth.uid == request.resource.data.owner;
            }
            """,
        isFixable: true,
        check: { rules, report in
            let conditions = rules.conditions
            conditions.visitAll(rules) { site in
                guard case .member(_, let name) = conditions.kind(site), let path = conditions.path(site),
                    path.root == .request, path.members.count == 1, !RequestValues.keys.contains(name.string)
                else { return }
                let meant: [String: String] = ["user": "auth", "data": "resource.data", "uid": "auth.uid"]
                let nearest = nearestWord(to: name.string, among: RequestValues.keys)
                let advice = meant[name.string] ?? nearest
                let position = conditions.position(site)
                let isSlip =
                    nearest?.utf8.count == name.string.utf8.count && meant[name.string] == nil
                    && conditions.isSameForAllCalls(site)
                report(
                    position,
                    "request has no key \"\(name)\"" + (advice.map { ": request.\($0) is probably meant" } ?? ""),
                    isSlip ? nearest.map { position.edit(name, $0) } : nil)
            }
        })
}

extension SourcePosition {
    /// Replaces a name that is written there.
    func edit(_ name: Text, _ replacement: String) -> RulesEdit {
        RulesEdit(position: self, length: name.string.unicodeScalars.count, replacement: replacement)
    }
}

extension ConditionReader {
    /// Passes on every expression that any condition reaches.
    func visitAll(_ rules: RulesOutline, _ body: (Site) -> Void) {
        for statement in rules.statements {
            if let condition = statement.condition { visit(condition, body) }
        }
    }
}
