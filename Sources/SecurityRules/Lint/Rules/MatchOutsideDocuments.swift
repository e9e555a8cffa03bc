// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let matchOutsideDocuments = SecurityLintRule(
        id: "match-outside-documents", severity: .warning, title: "a match that no document's path fits",
        explanation: """
            The path of every document begins with /databases/DATABASE/documents/. A match whose whole path, with those \
            around it, begins otherwise, or ends there, never allows anything. Nor does one in a match with a glob, \
            {name=**}, in version 1, and in version 2 where the glob's own path goes on behind it with no fewer segments than \
            the inner ones have: write the whole path in one match, in version 2.
            """,
        wrong: """
            match /documents/notes/{note} {
              allow read: if request.auth != null;
            }
            """,
        right: """
            match /notes/{note} {
              allow read: if request.auth != null;
            }
            """,
        check: { rules, report in
            for match in rules.matches {
                let position = match.match.path.first?.position ?? match.match.position
                guard match.hasStatements else { continue }
                if match.nesting.fitsNothing {
                    let version = rules.tree.version == .one ? ", with rules_version = '2'" : ""
                    report(
                        position,
                        "no document's path fits \(match.pattern.shortText), because the glob stands in a match around it: write "
                            + "the path in one match\(version)", nil)
                }
                guard !mayFit(match.pattern) else { continue }
                report(
                    position,
                    "no document's path fits \(match.pattern.text): it begins with /databases/{database}/documents/ and "
                        + "goes on with a collection", nil)
            }
        })

    /// Whether the beginning can be that of a document's path.
    private static func mayFit(_ pattern: [SyntaxTree.PatternSegment]) -> Bool {
        var place = 0
        for segment in pattern.prefix(3) {
            if segment.isGlob { return true }
            if place == 0, let literal = segment.literal, literal != "databases" { return false }
            if place == 2, let literal = segment.literal, literal != "documents" { return false }
            place += 1
        }
        let rest = pattern.dropFirst(3)
        return place == 3 && !rest.isEmpty && !pattern.repeatsPrefix
    }
}
