// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    /// J-32. These are legal: one field before a `__name__` in the other direction, `__name__` alone (I-19), one vector
    /// field.
    static let singleFieldComposite = LintRule(
        id: "single-field-composite", severity: .error, title: "composite index on one field",
        explanation: """
            Indexes on one field are not composite: every field has an ascending, a descending and an array-contains index \
            for single collections by itself, and the others are switched on in "fieldOverrides". Production refuses such \
            an entry of "indexes" ("this index is not necessary, configure using single field index controls"), and the \
            deployment stops there.

            For queries on one collection, remove the entry. For collection-group queries, write a field override that \
            keeps the automatic indexes and adds the one for the group; the message shows it.

            One field with "__name__" in the other direction is a composite of its own, and legal.
            """,
        in: [.standard],
        check: { tree, report in
            for entry in tree.indexes {
                guard let definition = entry.definition,
                    let index = definition.equivalentAutomatic
                else { continue }
                report(entry.node.offset, advice(definition, index, tree.singleFieldIndexes))
            }
        },
        fix: { tree, _, edit in
            for entry in tree.indexes {
                guard let definition = entry.definition, let index = definition.equivalentAutomatic,
                    tree.singleFieldIndexes.singleFieldIndexes(
                        of: definition.fields[0].path, in: definition.collectionGroup
                    ).contains(index)
                else { continue }
                edit(.removeElement(entry.node.range))
            }
        })

    private static func advice(
        _ definition: IndexDefinition, _ index: SingleFieldIndex, _ catalog: IndexCatalog
    ) -> String {
        let path = definition.fields[0].path
        let present = catalog.singleFieldIndexes(of: path, in: definition.collectionGroup)
        let refusal = "production refuses a composite index on \(quoted(path.wire)) alone"
        if present.contains(index) {
            return "\(refusal), which its single-field index already gives: remove this entry"
        }
        let replacement = ConfigurationWriter.fieldOverride(
            adding: index, to: path, in: definition.collectionGroup,
            keeping: present.isEmpty ? SingleFieldIndex.automatic : present)
        return "\(refusal): replace this entry by a field override, \(replacement.text())"
    }
}

extension IndexDefinition {
    /// The single-field index that equals this composite, so that production refuses the composite (J-32).
    package var equivalentAutomatic: SingleFieldIndex? {
        guard fields.count == 1 else { return nil }
        let mode: SingleFieldIndex.Mode
        switch (fields[0].mode, nameDirection) {
        case (.order(.ascending), .ascending): mode = .ascending
        case (.order(.descending), .descending): mode = .descending
        case (.contains, .ascending): mode = .contains
        default: return nil
        }
        return SingleFieldIndex(mode, scope)
    }
}
