// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Whether an index may answer queries (I-24).
package enum IndexState: Sendable, Hashable {
    /// Kept by every write, not yet complete, invisible to the planner.
    case building
    case ready
}

/// The indexes in force: what the planner chooses from and what every write maintains.
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
    /// Places in `compositesByGroup`, by the first field; nil for an index on `__name__` alone.
    private let placesByFirstField: [Text: [FieldPath?: [Int]]]
    private let overridesByGroup: [Text: FieldOverrideTree]
    private let databaseDefault: Set<SingleFieldIndex>

    package init(composites: [Composite], fieldOverrides: [FieldOverride]) {
        self.composites = composites
        self.fieldOverrides = fieldOverrides
        compositesByGroup = Dictionary(grouping: composites, by: \.definition.collectionGroup)
        placesByFirstField = compositesByGroup.mapValues { group in
            Dictionary(grouping: group.indices) { group[$0].definition.fields.first?.path }
        }
        overridesByGroup = Dictionary(grouping: fieldOverrides, by: \.collectionGroup).mapValues(FieldOverrideTree.init)
        databaseDefault =
            fieldOverrides.last { $0.collectionGroup == "__default__" && $0.path == nil }?.indexes
            ?? SingleFieldIndex.automatic
    }

    /// Every index of `configuration`, ready.
    package init(_ configuration: IndexConfiguration) {
        self.init(
            composites: configuration.indexes.map { Composite($0) }, fieldOverrides: configuration.fieldOverrides)
    }

    /// The composite indexes of a collection group, building ones included.
    package func composites(of collectionGroup: Text) -> [Composite] {
        compositesByGroup[collectionGroup] ?? []
    }

    /// Those composite indexes of a collection group whose first field is one of `paths` (nil: `__name__` alone), each
    /// once, in the order of creation. The cost follows the answer, not the number of indexes.
    package func composites(of collectionGroup: Text, startingWith paths: [FieldPath?]) -> [Composite] {
        guard let group = compositesByGroup[collectionGroup], let places = placesByFirstField[collectionGroup] else {
            return []
        }
        var found: [Int] = []
        for path in paths { found += places[path] ?? [] }
        return Set(found).sorted().map { group[$0] }
    }

    /// The single-field indexes in force for a field: its own override, else the nearest ancestor's, else the group's `*`,
    /// else the same of `__default__`, else the automatic ones (I-8 to I-10).
    package func singleFieldIndexes(of path: FieldPath, in collectionGroup: Text) -> Set<SingleFieldIndex> {
        overridesByGroup[collectionGroup]?.nearest(to: path)?.indexes ?? databaseDefault
    }
}
