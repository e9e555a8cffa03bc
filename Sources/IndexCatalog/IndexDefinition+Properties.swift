// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

// The form of indexes in production's query explanations (P-10, P-11).

extension IndexDefinition {
    /// `(state ASC, population DESC, __name__ DESC)`: paths in wire syntax, with `__name__`, which precedes a vector.
    package var properties: String {
        "(" + fieldsWithName.map { "\($0.path.wire) \($0.mode.property)" }.joined(separator: ", ") + ")"
    }
}

extension SingleFieldIndex {
    /// The properties of a field's automatic index, as production prints them: `(tags ARRAY_CONTAINS, __name__ ASC)`.
    package func properties(of path: FieldPath) -> String {
        definition(of: path, in: "").properties
    }

    /// The composite definition that equals this mode of a field (I-4).
    package func definition(of path: FieldPath, in collectionGroup: Text) -> IndexDefinition {
        IndexDefinition(
            collectionGroup: collectionGroup, scope: scope, fields: [IndexField(path, mode.fieldMode)],
            nameDirection: mode == .descending ? .descending : .ascending)
    }
}

extension SingleFieldIndex.Mode {
    package var fieldMode: IndexFieldMode {
        switch self {
        case .ascending: .order(.ascending)
        case .descending: .order(.descending)
        case .contains: .contains
        }
    }
}

extension IndexFieldMode {
    fileprivate var property: String {
        switch self {
        case .order(.ascending): "ASC"
        case .order(.descending): "DESC"
        case .contains: "ARRAY_CONTAINS"
        case .vector(let dimension): "VECTOR<\(dimension)>"
        }
    }
}

extension QueryScope {
    /// `COLLECTION` or `COLLECTION_GROUP`, as in index files and links.
    package var wireName: String {
        switch self {
        case .collection: "COLLECTION"
        case .collectionGroup: "COLLECTION_GROUP"
        }
    }

    package init?(wireName: String) {
        switch wireName {
        case "COLLECTION": self = .collection
        case "COLLECTION_GROUP": self = .collectionGroup
        default: return nil
        }
    }
}

extension Direction {
    /// `ASCENDING` or `DESCENDING`.
    package var wireName: String {
        switch self {
        case .ascending: "ASCENDING"
        case .descending: "DESCENDING"
        }
    }

    package init?(wireName: String) {
        switch wireName {
        case "ASCENDING": self = .ascending
        case "DESCENDING": self = .descending
        default: return nil
        }
    }
}
