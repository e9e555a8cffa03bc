// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
public import Foundation
internal import IndexCatalog
internal import QueryPlanner

/// The index that a query needs and the database lacks; see ``FirestoreError/missingIndex``.
///
/// ```swift
/// do {
///     try await query.getDocuments()
/// } catch let error as FirestoreError {
///     if let missing = error.missingIndex { print("Add to firestore.indexes.json:", missing.configuration) }
/// }
/// ```
public struct MissingIndex: Sendable, Hashable {
    /// Which collections an index covers.
    public enum QueryScope: String, Sendable {
        /// Each collection separately.
        case collection = "COLLECTION"
        /// All collections with the same ID.
        case collectionGroup = "COLLECTION_GROUP"
    }

    /// One field of an index.
    public struct Field: Sendable, Hashable {
        /// How an index contains a field.
        public enum Mode: Sendable, Hashable {
            /// In ascending order.
            case ascending
            /// In descending order.
            case descending
            /// By the elements of an array.
            case arrayContains
            /// Vectors of this dimension.
            case vector(dimension: Int)
        }

        /// The path as index files write it: names joined by dots, with backticks around names that are not plain
        /// identifiers.
        public let fieldPath: String
        /// How the index contains the field.
        public let mode: Mode
    }

    /// An index that the database has and that almost serves the query.
    public struct Closest: Sendable, Hashable {
        /// The fields of the index.
        public let fields: [Field]
        /// A sentence that says why it does not serve the query.
        public let reason: String
    }

    /// The collection ID.
    public let collectionGroup: String
    /// Which collections the index covers.
    public let queryScope: QueryScope
    /// The fields in order. A composite index ends with `__name__`. One field alone is a single-field index that an
    /// exemption disabled or that the scope lacks.
    public let fields: [Field]
    /// A `firestore.indexes.json` that holds only this index, to merge into yours: an entry of `indexes`, or of
    /// `fieldOverrides` for a single-field index, which keeps the field's other indexes.
    public let configuration: String
    /// The page of the Firebase console that creates the index, as in the error's text. Nil for a vector index, which
    /// has no such page, and if no Firebase project is known.
    public let url: URL?
    /// Whether the index is being built, so that waiting is enough.
    public let isBuilding: Bool
    /// The closest index of the database; nil if no index shares a field with the missing one.
    public let closest: Closest?

    init(_ error: MissingIndexError, catalog: IndexCatalog?, database: DatabaseID?) {
        let definition = error.definition
        collectionGroup = definition.collectionGroup.string
        queryScope = definition.scope == .collection ? .collection : .collectionGroup
        fields = error.singleField == nil ? Field.all(of: definition) : definition.fields.map { Field($0) }
        // An unknown catalog has the automatic indexes.
        let known = catalog ?? IndexCatalog(IndexConfiguration())
        configuration = ConfigurationWriter.text(error.fix(for: known))
        url = error.isVector ? nil : database.flatMap { URL(string: error.link(in: $0).url) }
        isBuilding = error.isBuilding
        closest = catalog.flatMap { error.closestIndex(in: $0) }.map { miss in
            Closest(fields: Field.all(of: miss.index), reason: miss.reason)
        }
    }
}

extension MissingIndex {
    /// What a printed error adds to production's text.
    var instructions: String {
        var text = "\n\nAdd to firestore.indexes.json:\n\(configuration)"
        if let closest {
            let fields = closest.fields.map { "\($0.fieldPath) \($0.mode.name)" }.joined(separator: ", ")
            text += "\nThe closest index does not serve the query: \(collectionGroup) (\(fields)). \(closest.reason)\n"
        }
        return text
    }
}

extension MissingIndex.Field.Mode {
    /// The name in messages.
    fileprivate var name: String {
        switch self {
        case .ascending: "ASC"
        case .descending: "DESC"
        case .arrayContains: "CONTAINS"
        case .vector: "VECTOR"
        }
    }
}

extension MissingIndex.Field {
    /// Includes `__name__`, which precedes a vector.
    fileprivate static func all(of definition: IndexDefinition) -> [MissingIndex.Field] {
        var fields = definition.fields.map { MissingIndex.Field($0) }
        let name = MissingIndex.Field(IndexField(.documentName, .order(definition.nameDirection)))
        if case .vector? = fields.last?.mode { fields.insert(name, at: fields.count - 1) } else { fields.append(name) }
        return fields
    }

    fileprivate init(_ field: IndexField) {
        fieldPath = field.path.wire
        mode =
            switch field.mode {
            case .order(.ascending): .ascending
            case .order(.descending): .descending
            case .contains: .arrayContains
            case .vector(let dimension): .vector(dimension: dimension)
            }
    }
}
