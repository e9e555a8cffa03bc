// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    /// J-22, J-33.
    static let duplicateIndex = LintRule(
        id: "duplicate-index", severity: .warning, title: "index given twice",
        explanation: """
            Two entries define the same index: collection group, scope, fields with their modes in the same order, and the \
            direction of "__name__", which where it is left out is that of the last field. On a database that lacks the \
            index, the second creation fails with 409 ALREADY_EXISTS; on others nothing happens. Remove one.
            """,
        check: { tree, report in
            var seen: [IdentifiedIndex: IndexEntry] = [:]
            for entry in tree.indexes {
                guard let index = IdentifiedIndex(entry, tree.edition) else { continue }
                if let first = seen[index] {
                    let isExact = first.listedFields == entry.listedFields
                    report(
                        entry.node.offset,
                        "the same index as at line \(tree.line(of: first.node.offset))"
                            + (isExact ? "" : ", once \"__name__\" is written out") + ": remove one of them")
                } else {
                    seen[index] = entry
                }
            }
        },
        fix: { tree, isValid, edit in
            var seen: Set<DeployedIndex> = []
            for entry in tree.indexes {
                guard let index = DeployedIndex(entry, tree.edition), isValid(entry.node) else { continue }
                if !seen.insert(index).inserted { edit(.removeElement(entry.node.range)) }
            }
        })

    /// I-23. A group-scope composite serves queries on one collection too (recorded September 2026).
    static let coveredByGroupIndex = LintRule(
        id: "covered-by-group-index", severity: .note, title: "collection index beside the same for the group",
        explanation: """
            A composite index with "queryScope": "COLLECTION_GROUP" also serves the queries on single collections that the \
            same index with "COLLECTION" serves. The one for collections costs a second entry for each document; keep it \
            only where queries on one small collection in a large group must be fast.
            """,
        in: [.standard],
        check: { tree, report in
            let definitions = tree.indexes.map { $0.definition }
            var groupIndexes: [IndexDefinition: Int] = [:]
            for (entry, definition) in zip(tree.indexes, definitions) {
                if let definition, definition.scope == .collectionGroup { groupIndexes[definition] = entry.node.offset }
            }
            for (entry, definition) in zip(tree.indexes, definitions) {
                guard let definition, definition.scope == .collection,
                    let other = groupIndexes[definition.with(scope: .collectionGroup)]
                else { continue }
                report(
                    entry.node.offset,
                    "the index at line \(tree.line(of: other)) for the collection group serves the same queries: this one "
                        + "costs each document another entry")
            }
        })

    static let duplicateOverride = LintRule(
        id: "duplicate-override", severity: .warning, title: "field override given twice",
        explanation: """
            The official tool sends each override of a field that the database does not have yet, those with "ttl": true \
            last and the others in the order of their indexes, whatever the order in the file. The last one sent gives the \
            indexes, so that of two overrides each deployment brings the other one; a TTL of which it says nothing stays as \
            it was. No answer about the field is right then: commands of Hearth take the last one in the file, and those \
            that judge or apply the file warn. An index listed twice in one override counts once. Merge them.
            """,
        check: { tree, report in
            for repeated in tree.fieldOverrides.flatMap({ repeatedIndexes($0.indexes, tree.edition) }) {
                report(repeated.node.offset, "this index is already in the override: remove it")
            }
            tree.forEachRepeatedOverride { first, second in
                report(
                    second.node.offset,
                    RepeatedOverride(first, second, tree.edition).message(firstLine: tree.line(of: first.node.offset)))
            }
        },
        fix: { tree, isValid, edit in
            for entry in tree.fieldOverrides {
                for repeated in repeatedIndexes(entry.indexes.filter { isValid($0.node) }, tree.edition) {
                    edit(.removeElement(repeated.node.range))
                }
            }
        })

    private static func repeatedIndexes(
        _ entries: [OverrideIndexEntry], _ edition: Edition
    ) -> [OverrideIndexEntry] {
        var seen: Set<IdentifiedFieldIndex> = []
        return entries.filter { entry in
            IdentifiedFieldIndex(entry, edition).map { !seen.insert($0).inserted } ?? false
        }
    }
}

extension IndexDefinition {
    fileprivate func with(scope: QueryScope) -> IndexDefinition {
        IndexDefinition(collectionGroup: collectionGroup, scope: scope, fields: fields, nameDirection: nameDirection)
    }
}
