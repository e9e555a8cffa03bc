// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let impossiblePath = SecurityLintRule(
        id: "impossible-path", severity: .warning, title: "a path that no document has",
        explanation: """
            get(), exists(), getAfter() and existsAfter() take the whole path of a document: /databases/$(database)/documents/ \
            and then a collection and a document in turn. Any other path is an error, which denies. Variables are written \
            $(name); {name} belongs to the path of a match.
            """,
        wrong: """
            match /notes/{note} {
              allow get: if exists(/users/$(request.auth.uid));
            }
            """,
        right: """
            match /notes/{note} {
              allow get: if exists(/databases/$(database)/documents/users/$(request.auth.uid));
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            conditions.visitAll(rules) { site in
                guard conditions.isAccess(site), let argument = conditions.children(site).first else { return }
                let path = conditions.resolved(argument)
                guard case .path(let parts) = conditions.kind(path) else { return }
                guard let reason = fault(parts, path, conditions) else { return }
                report(conditions.start(path), reason, nil)
            }
        })

    private static func fault(_ parts: [SyntaxTree.PathPart], _ path: Site, _ conditions: ConditionReader) -> String? {
        for case .capture(let name, _) in parts { return "{\(name)} stands for nothing here: write $(\(name))" }
        let prefix = "begin it with /databases/$(database)/documents/"
        guard let first = text(parts, 0), first == "databases" else {
            return text(parts, 0).map { "no document's path begins with /\($0): \(prefix)" }
        }
        if let third = text(parts, 2), third != "documents" {
            return "no document's path has /\(third) there: \(prefix)"
        }
        let isWhole = parts.allSatisfy { part in
            guard case .binding(let id) = part else { return true }
            let site = conditions.sibling(id, of: path)
            guard let value = conditions.path(site) else { return false }
            return value.isUserID || { if case .capture = value.root { value.members.isEmpty } else { false } }()
        }
        let count = parts.count - 3
        guard isWhole, count % 2 != 0 || count < 2 else { return nil }
        // The captures of globs stand for several segments.
        let mayBeLonger = parts.contains { part in
            guard case .binding(let id) = part else { return false }
            let site = conditions.resolved(conditions.sibling(id, of: path))
            guard case .variable(let name) = conditions.kind(site) else { return false }
            return conditions.isGlobCapture(name, site)
        }
        return mayBeLonger ? nil : "the path ends with a collection: add the document"
    }

    private static func text(_ parts: [SyntaxTree.PathPart], _ place: Int) -> Text? {
        guard place < parts.count, case .text(let text) = parts[place] else { return nil }
        return text
    }
}
