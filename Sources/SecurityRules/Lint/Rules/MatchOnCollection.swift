// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let matchOnCollection = SecurityLintRule(
        id: "match-on-collection", severity: .warning, title: "a match on a collection",
        explanation: """
            Rules are for documents: the path of a match has a collection and a document in turn. A statement in a match \
            whose path ends with a collection never allows anything, queries of the collection neither. Add a wildcard for \
            the document.
            """,
        wrong: """
            match /notes {
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
                guard match.hasStatements, !match.pattern.hasGlob, !match.pattern.repeatsPrefix,
                    let part = match.pattern.documentsPart, part.count % 2 == 1
                else { continue }
                let example = Array(part).text + "/{id}"
                report(
                    match.match.path.last?.position ?? match.match.position,
                    "the path ends with a collection, so that the statements never allow anything: write \(example)",
                    nil)
            }
        })
}
