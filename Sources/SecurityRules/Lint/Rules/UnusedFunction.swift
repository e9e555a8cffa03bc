// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let unusedFunction = SecurityLintRule(
        id: "unused-function", severity: .note, title: "a function that only unused functions call",
        explanation: """
            The compiler reports functions that nothing calls; this rule those that are called by such functions only. \
            Remove them together.
            """,
        wrong: """
            function isOwner(uid) { return request.auth.uid == uid; }
            function mayEdit(uid) { return isOwner(uid); }
            match /notes/{note} {
              allow get: if request.auth != null;
            }
            """,
        right: """
            match /notes/{note} {
              allow get: if request.auth != null;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            var used: Set<Int> = []
            conditions.visitAll(rules) { site in
                guard case .call(let name, let arguments) = conditions.kind(site) else { return }
                if let number = conditions.function(name, arguments.count, site) { used.insert(number) }
            }
            var called: Set<String> = []
            for expression in rules.tree.expressions {
                if case .call(let name, _) = expression.kind { called.insert(name) }
            }
            for (number, function) in conditions.functions.enumerated() where !used.contains(number) {
                let name = function.declaration.name
                guard called.contains(name.text) else { continue }
                report(name.position, "only functions that nothing calls call \(name.text)(): remove it with them", nil)
            }
        })
}
