// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog
package import JSONText

/// What becomes of the text of an index file under the advice: it gains what queries lack, and loses only what the caller
/// allows.
package struct AdvisedEdit: Sendable {
    /// Which entries may be removed.
    package struct Pruning: Sendable {
        /// Composites that queries could use, but are served without.
        package var redundant: Bool
        /// The collection groups whose composites and overrides may be removed if no query could use them.
        package var unused: Set<Text>
        /// The collection groups that further queries may ask, of which nothing is removed; nil for all.
        package var open: Set<Text>?

        package init(redundant: Bool = false, unused: Set<Text> = [], open: Set<Text>? = []) {
            self.redundant = redundant
            self.unused = unused
            self.open = open
        }

        fileprivate func spares(_ group: Text) -> Bool { open?.contains(group) ?? true }
    }

    package struct Removal: Sendable {
        /// The composite; nil for an override.
        package let index: IndexDefinition?
        package let override: FieldOverride?
        /// A query that was served and no longer is: what would break if the queries at hand were not all. Nil if there
        /// is none.
        package let query: String?
    }

    package let source: [UInt8]
    package let additions: IndexConfiguration
    package let removals: [Removal]
    /// The collection groups of what stays for further queries only.
    package let spared: Set<Text>
}

extension IndexAdvisor {
    /// Edits the text of an index file. Entries that stay keep their place, their form and their comments.
    ///
    /// - Throws: the reason why the source is not JSON with comments.
    package func edited(
        _ source: [UInt8], pruning: AdvisedEdit.Pruning = AdvisedEdit.Pruning()
    ) throws(JSONSyntaxError) -> AdvisedEdit {
        let file = ConfigurationReader.read(source).configuration
        let review = review(file)
        var indexes = Set(review.unused.filter { pruning.unused.contains($0.collectionGroup) })
        if pruning.redundant { indexes.formUnion(review.redundant.map(\.index)) }
        var overrides = review.unusedOverrides.filter { override in
            pruning.unused.contains(override.collectionGroup) && file.onlyAdds(override)
                && !review.additions.fieldOverrides.contains {
                    $0.collectionGroup == override.collectionGroup && $0.path == override.path
                }
        }
        let candidates = Set(indexes.map(\.collectionGroup) + overrides.map(\.collectionGroup))
        let spared = candidates.filter(pruning.spares)
        indexes = indexes.filter { !spared.contains($0.collectionGroup) }
        overrides = overrides.filter { !spared.contains($0.collectionGroup) }
        let longer = try ConfigurationEditor.adding(review.additions, to: source)
        let whole = file.adding(review.additions)
        let rest = IndexConfiguration(
            indexes: whole.indexes.filter { !indexes.contains($0) },
            fieldOverrides: whole.fieldOverrides.filter { !overrides.contains($0) })
        let catalogs = (before: IndexCatalog(whole), after: IndexCatalog(rest))
        let removals = file.indexes.filter(indexes.contains).map { index in
            AdvisedEdit.Removal(
                index: index, override: nil, query: lostQuery(index, catalogs.before, catalogs.after))
        }
        return AdvisedEdit(
            source: try ConfigurationPruner.removing(indexes, Set(overrides), from: longer),
            additions: review.additions,
            removals: removals + overrides.map { AdvisedEdit.Removal(index: nil, override: $0, query: nil) },
            spared: spared)
    }

    /// A query of the composite that only the first catalog serves: the one that binds the most fields.
    private func lostQuery(_ index: IndexDefinition, _ before: IndexCatalog, _ after: IndexCatalog) -> String? {
        let fewest = index.fields.lastIndex { $0.mode == .contains }.map { $0 + 1 } ?? 0
        let most = index.fields.last?.mode.isVector == true ? index.fields.count - 1 : index.fields.count
        guard fewest <= most else { return nil }
        return (fewest...most).reversed().first { count in
            let shape = QueryShape(index, binding: count)
            return serves(shape, before) && !serves(shape, after)
        }.map { index.query(binding: $0) }
    }
}

extension IndexConfiguration {
    /// Whether an override does nothing but add modes to what its field would have without it.
    fileprivate func onlyAdds(_ override: FieldOverride) -> Bool {
        guard let path = override.path, override.timeToLive == nil else { return false }
        let others = fieldOverrides.filter { $0 != override }
        let inherited = IndexCatalog(composites: [], fieldOverrides: others)
            .singleFieldIndexes(of: path, in: override.collectionGroup)
        return override.indexes.isSuperset(of: inherited)
    }
}
