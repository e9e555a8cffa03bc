// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

package enum Direction: Sendable, Hashable {
    case ascending, descending

    package var reversed: Direction { self == .ascending ? .descending : .ascending }
}

/// Which collections an index covers together (I-23).
package enum QueryScope: Sendable, Hashable {
    /// Each collection separately.
    case collection
    /// All collections with one ID, at any depth.
    case collectionGroup
}

/// How an index contains a field (I-15).
package enum IndexFieldMode: Sendable, Hashable {
    case order(Direction)
    /// One entry for each distinct element of an array (I-21).
    case contains
    /// Vectors of exactly this dimension (I-59).
    case vector(dimension: Int)
}

package struct IndexField: Sendable, Hashable {
    package let path: FieldPath
    package let mode: IndexFieldMode

    package init(_ path: FieldPath, _ mode: IndexFieldMode) {
        self.path = path
        self.mode = mode
    }
}

/// An index in normal form: its fields without `__name__`, and the direction of the final `__name__`.
///
/// Definitions of the same index are equal in this form, however the file writes `__name__` (I-17 to I-19, J-23). A
/// vector field is last in `fields`, although `__name__` precedes it in print (I-18, P-11). `fields` is empty for an
/// index on `__name__` alone (I-19).
package struct IndexDefinition: Sendable, Hashable {
    package let collectionGroup: Text
    package let scope: QueryScope
    package let fields: [IndexField]
    package let nameDirection: Direction

    package init(collectionGroup: Text, scope: QueryScope, fields: [IndexField], nameDirection: Direction) {
        self.collectionGroup = collectionGroup
        self.scope = scope
        self.fields = fields
        self.nameDirection = nameDirection
    }
}

/// A single-field index: a mode in a scope (I-1, I-8). Its `__name__` has the field's direction (I-4).
package struct SingleFieldIndex: Sendable, Hashable {
    package enum Mode: Sendable, Hashable, CaseIterable {
        case ascending, descending, contains
    }

    package let mode: Mode
    package let scope: QueryScope

    package init(_ mode: Mode, _ scope: QueryScope) {
        self.mode = mode
        self.scope = scope
    }

    /// The indexes of a field without overrides: collection scope only (I-1, I-2).
    package static let automatic: Set<SingleFieldIndex> = [
        SingleFieldIndex(.ascending, .collection), SingleFieldIndex(.descending, .collection),
        SingleFieldIndex(.contains, .collection),
    ]
}

/// The field of an override, or the whole group.
struct OverrideTarget: Hashable {
    let collectionGroup: Text
    let path: FieldPath?

    init(_ override: FieldOverride) {
        (collectionGroup, path) = (override.collectionGroup, override.path)
    }
}

/// Replaces the automatic indexes of one field, of the fields inside it, or of a whole collection group (I-8 to I-10).
package struct FieldOverride: Sendable, Hashable {
    package let collectionGroup: Text
    /// Nil for `*`, every field of the group (I-9).
    package let path: FieldPath?
    package let indexes: Set<SingleFieldIndex>
    /// Whether documents expire at this field's timestamp; nil if the file does not say (I-14).
    package let timeToLive: Bool?

    package init(
        collectionGroup: Text, path: FieldPath?, indexes: Set<SingleFieldIndex>, timeToLive: Bool? = nil
    ) {
        self.collectionGroup = collectionGroup
        self.path = path
        self.indexes = indexes
        self.timeToLive = timeToLive
    }

    /// Not a collection group: its `*` is the default of the whole database (I-9).
    package static let everyGroup: Text = "__default__"

    /// Whether it may apply to fields of a collection group.
    package func mayConcern(_ group: Text) -> Bool {
        collectionGroup == group || collectionGroup == FieldOverride.everyGroup
    }
}

/// The content of a `firestore.indexes.json`, in file order.
package struct IndexConfiguration: Sendable, Hashable {
    package var indexes: [IndexDefinition]
    package var fieldOverrides: [FieldOverride]

    package init(indexes: [IndexDefinition] = [], fieldOverrides: [FieldOverride] = []) {
        self.indexes = indexes
        self.fieldOverrides = fieldOverrides
    }

    package var isEmpty: Bool { indexes.isEmpty && fieldOverrides.isEmpty }
}

extension [FieldOverride] {
    /// Whether documents expire by a field.
    package var haveTimeToLive: Bool { contains { $0.timeToLive == true } }
}
