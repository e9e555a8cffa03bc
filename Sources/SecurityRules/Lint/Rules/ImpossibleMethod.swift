// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let impossibleMethod = SecurityLintRule(
        id: "impossible-method", severity: .warning, title: "request.method is never that",
        explanation: """
            request.method is get, list, create, update or delete. It is never read or write, which stand for several \
            methods in allow only, and never written in capitals.
            """,
        wrong: """
            match /notes/{note} {
              allow write: if request.method == 'write' && request.auth != null;
            }
            """,
        right: """
            match /notes/{note} {
              allow write: if request.auth != null;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            conditions.visitAll(rules) { site in
                guard let (left, right, _) = conditions.equality(site) else { return }
                for (side, other) in [(left, right), (right, left)] {
                    guard let path = conditions.path(side), path.root == .request, path.members == ["method"],
                        case .constant(.string(let word)) = conditions.kind(other),
                        RequestMethod(rawValue: word.string) == nil
                    else { continue }
                    report(
                        conditions.start(other),
                        "request.method is never '\(word)': it is get, list, create, update or delete", nil)
                }
            }
        })
}
