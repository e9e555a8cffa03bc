// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Whether queries may use an index (I-24).
package enum IndexState: Sendable, Hashable {
    /// Maintained by every write, but not complete, and invisible to the planner.
    case building
    case ready
}

/// The current indexes, from which the planner chooses and which every write maintains.
package struct IndexCatalog: Sendable {
    package struct Composite: Sendable, Hashable {
        package let definition: IndexDefinition
        package let state: IndexState

        package init(_ definition: IndexDefinition, state: IndexState = .ready) {
            self.definition = definition
            self.state = state
        }
    }

    /// In the order in which they were created.
    package let composites: [Composite]
    package let fieldOverrides: [FieldOverride]

    private let compositesByGroup: [Text: [Composite]]
    /// Positions in `compositesByGroup` by the first field; nil for an index on `__name__` alone.
    private let placesByFirstField: [Text: [FieldPath?: [Int]]]
    private let boundsByGroup: [Text: CompositeBounds]
    private let overrides: FieldOverrideSet
    private let formerOverrides: FieldOverrideSet?

    /// - Parameter formerOverrides: the overrides that `fieldOverrides` replace, while indexes are being built for
    ///   them.
    package init(
        composites: [Composite], fieldOverrides: [FieldOverride], formerOverrides: [FieldOverride]? = nil
    ) {
        self.composites = composites
        self.fieldOverrides = fieldOverrides
        compositesByGroup = Dictionary(grouping: composites, by: \.definition.collectionGroup)
        placesByFirstField = compositesByGroup.mapValues { group in
            Dictionary(grouping: group.indices) { group[$0].definition.fields.first?.path }
        }
        boundsByGroup = compositesByGroup.mapValues { CompositeBounds($0.map(\.definition)) }
        overrides = FieldOverrideSet(fieldOverrides)
        self.formerOverrides = formerOverrides.map(FieldOverrideSet.init)
    }

    /// All indexes of `configuration`, ready.
    package init(_ configuration: IndexConfiguration) {
        self.init(
            composites: configuration.indexes.map { Composite($0) }, fieldOverrides: configuration.fieldOverrides)
    }

    /// The composite indexes of a collection group, building ones included.
    package func composites(of collectionGroup: Text) -> [Composite] {
        compositesByGroup[collectionGroup] ?? []
    }

    /// What bounds a document's entries in the composite indexes of a collection group.
    func compositeBounds(of collectionGroup: Text) -> CompositeBounds {
        boundsByGroup[collectionGroup] ?? CompositeBounds([])
    }

    /// The composite indexes of a collection group whose first field is one of `paths` (nil: `__name__` alone), without
    /// repetitions, in the order of creation. The cost depends on the result, not on the number of indexes.
    package func composites(of collectionGroup: Text, startingWith paths: [FieldPath?]) -> [Composite] {
        guard let group = compositesByGroup[collectionGroup], let places = placesByFirstField[collectionGroup] else {
            return []
        }
        var found: [Int] = []
        for path in paths { found += places[path] ?? [] }
        return Set(found).sorted().map { group[$0] }
    }

    /// The single-field indexes of a field: those of its own override, else of the nearest ancestor's, else of the
    /// group's `*`, else of the same in `__default__`, else the automatic ones (I-8 to I-10).
    package func singleFieldIndexes(of path: FieldPath, in collectionGroup: Text) -> Set<SingleFieldIndex> {
        overrides.indexes(of: path, in: collectionGroup)
    }

    /// The former single-field indexes of a field while field overrides are being changed; otherwise nil.
    package func formerSingleFieldIndexes(of path: FieldPath, in collectionGroup: Text) -> Set<SingleFieldIndex>? {
        formerOverrides?.indexes(of: path, in: collectionGroup)
    }

    /// The single-field indexes of a field that queries may use, without those that are being built (I-24).
    package func readySingleFieldIndexes(of path: FieldPath, in collectionGroup: Text) -> Set<SingleFieldIndex> {
        let indexes = overrides.indexes(of: path, in: collectionGroup)
        guard let former = formerOverrides else { return indexes }
        return indexes.intersection(former.indexes(of: path, in: collectionGroup))
    }
}

/// The numbers of a collection group's composite indexes.
struct CompositeBounds: Sendable {
    /// With `CONTAINS`: a document has an entry for each element.
    let containing: Int
    /// A document has at most one entry.
    let others: Int
    /// Of the index with the most.
    let fields: Int

    init(_ definitions: [IndexDefinition]) {
        containing = definitions.count { $0.fields.contains { $0.mode == .contains } }
        others = definitions.count - containing
        fields = definitions.map(\.fields.count).max() ?? 0
    }
}

/// All field overrides. Finds the override that applies to a field.
private struct FieldOverrideSet: Sendable {
    private let byGroup: [Text: FieldOverrideTree]
    private let databaseDefault: Set<SingleFieldIndex>

    init(_ overrides: [FieldOverride]) {
        byGroup = Dictionary(grouping: overrides, by: \.collectionGroup).mapValues(FieldOverrideTree.init)
        databaseDefault =
            overrides.last { $0.collectionGroup == FieldOverride.everyGroup && $0.path == nil }?.indexes
            ?? SingleFieldIndex.automatic
    }

    func indexes(of path: FieldPath, in collectionGroup: Text) -> Set<SingleFieldIndex> {
        byGroup[collectionGroup]?.nearest(to: path)?.indexes ?? databaseDefault
    }
}
