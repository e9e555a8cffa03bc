// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    /// I-8. An empty list is a deliberate exemption.
    static let overrideDropsDefaults = LintRule(
        id: "override-drops-defaults", severity: .warning, title: "override drops automatic indexes",
        explanation: """
            A field override replaces all automatic indexes of its field: those that it does not list are gone, and queries \
            that used them fail with FAILED_PRECONDITION. To add an index, for instance for collection-group queries, list \
            the automatic ones too: ascending, descending and array-contains with "queryScope": "COLLECTION". An empty list \
            switches all of them off and is taken as meant.
            """,
        in: [.standard],
        check: { tree, report in
            forEachOverride(in: tree) { entry, override, inherited in
                let dropped = inherited.subtracting(override.indexes)
                guard !override.indexes.isEmpty, !dropped.isEmpty else { return }
                report(
                    entry.indexesNode?.offset ?? entry.node.offset,
                    "this override switches off \(describe(dropped)) of \(subject(override)): if queries need "
                        + "\(dropped.count == 1 ? "it" : "them"), add \(entries(dropped))")
            }
        })

    static let overrideEqualsDefault = LintRule(
        id: "override-equals-default", severity: .note, title: "override changes nothing",
        explanation: """
            The override lists exactly the indexes that the field has without it. It counts towards the limit of overrides \
            and may mislead readers: remove it, unless it only holds the place of a TTL setting.
            """,
        in: [.standard],
        check: { tree, report in
            forEachOverride(in: tree) { entry, override, inherited in
                guard override.indexes == inherited, override.timeToLive != true else { return }
                report(
                    entry.node.offset,
                    "\(subject(override)) has these indexes without this override: remove it")
            }
        })

    /// Calls `body` with each readable override and the indexes that its field would have without it (I-10).
    private static func forEachOverride(
        in tree: ConfigurationTree, _ body: (OverrideEntry, FieldOverride, Set<SingleFieldIndex>) -> Void
    ) {
        for entry in tree.fieldOverrides {
            guard let override = entry.fieldOverride else { continue }
            body(entry, override, tree.singleFieldIndexes.indexes(above: override))
        }
    }

    private static func subject(_ override: FieldOverride) -> String {
        override.path.map { quoted($0.wire) } ?? "every field"
    }

    private static func describe(_ indexes: Set<SingleFieldIndex>) -> String {
        let names = indexes.sorted(by: CanonicalOrder.precedes).map { index in
            let mode =
                switch index.mode {
                case .ascending: "ascending"
                case .descending: "descending"
                case .contains: "array-contains"
                }
            return index.scope == .collection ? mode : "\(mode) collection-group"
        }
        return "the " + names.joined(separator: ", ") + (names.count == 1 ? " index" : " indexes")
    }

    private static func entries(_ indexes: Set<SingleFieldIndex>) -> String {
        indexes.sorted(by: CanonicalOrder.precedes).map { ConfigurationWriter.node($0).text() }.joined(separator: ", ")
    }
}

extension IndexCatalog {
    /// The indexes of the override's field without the override.
    fileprivate func indexes(above override: FieldOverride) -> Set<SingleFieldIndex> {
        // No override has this name, so it has the indexes of any field of the group.
        let anyField = FieldPath(name: "")
        guard let path = override.path else {
            return override.collectionGroup == FieldOverride.everyGroup
                ? SingleFieldIndex.automatic : singleFieldIndexes(of: anyField, in: "")
        }
        let parent = path.segments.dropLast()
        return singleFieldIndexes(
            of: parent.isEmpty ? anyField : FieldPath(Array(parent)), in: override.collectionGroup)
    }
}
