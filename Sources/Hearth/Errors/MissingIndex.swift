// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
public import Foundation
internal import IndexCatalog
internal import QueryPlanner

/// The index that a query needs and the database lacks, in ``FirestoreError/missingIndex``.
///
/// ```swift
/// do {
///     try await query.getDocuments()
/// } catch let error as FirestoreError {
///     if let missing = error.missingIndex { print("Add to firestore.indexes.json:", missing.configuration) }
/// }
/// ```
public struct MissingIndex: Sendable, Hashable {
    /// Which collections one index orders together.
    public enum QueryScope: String, Sendable {
        /// Every collection by itself.
        case collection = "COLLECTION"
        /// All collections with one ID.
        case collectionGroup = "COLLECTION_GROUP"
    }

    /// One field of an index.
    public struct Field: Sendable, Hashable {
        /// How a field takes part.
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

        /// As index files write it: names joined by dots, those that are no plain identifiers in backticks.
        public let fieldPath: String
        /// How it takes part.
        public let mode: Mode
    }

    /// An index that the database has and that nearly serves the query.
    public struct Closest: Sendable, Hashable {
        /// Its fields.
        public let fields: [Field]
        /// A sentence: the one thing to blame.
        public let reason: String
    }

    /// The ID of the collection.
    public let collectionGroup: String
    /// Which collections the index orders together.
    public let queryScope: QueryScope
    /// In order. A composite index ends with `__name__`; one field alone is a single-field index that an exemption switched
    /// off, or that the scope lacks.
    public let fields: [Field]
    /// A `firestore.indexes.json` with nothing but this index, to be merged into yours: an entry of `indexes`, or of
    /// `fieldOverrides` for a single-field index, which keeps the other indexes that the field has.
    public let configuration: String
    /// The page of the Firebase console that makes the index, as in the error's text; nil for a vector index, which has none, and
    /// where no Firebase project is known.
    public let url: URL?
    /// Whether the index is being built, so that waiting is enough.
    public let isBuilding: Bool
    /// The index that comes nearest; nil where none shares a field with the missing one.
    public let closest: Closest?

    init(_ error: MissingIndexError, catalog: IndexCatalog?, database: DatabaseID?) {
        let definition = error.definition
        collectionGroup = definition.collectionGroup.string
        queryScope = definition.scope == .collection ? .collection : .collectionGroup
        fields = error.singleField == nil ? Field.all(of: definition) : definition.fields.map { Field($0) }
        configuration = MissingIndex.configuration(error, catalog: catalog)
        url = error.isVector ? nil : database.flatMap { URL(string: error.link(in: $0).url) }
        isBuilding = error.isBuilding
        closest = catalog.flatMap { error.closestIndex(in: $0) }.map { miss in
            Closest(fields: Field.all(of: miss.index), reason: miss.reason)
        }
    }

    private static func configuration(_ error: MissingIndexError, catalog: IndexCatalog?) -> String {
        let definition = error.definition
        guard let index = error.singleField else {
            return ConfigurationWriter.text(IndexConfiguration(indexes: [definition]))
        }
        let path = definition.fields[0].path
        // An override replaces what is in force for a field.
        let kept =
            catalog?.singleFieldIndexes(of: path, in: definition.collectionGroup) ?? SingleFieldIndex.automatic
        let override = FieldOverride(
            collectionGroup: definition.collectionGroup, path: path, indexes: kept.union([index]))
        return ConfigurationWriter.text(IndexConfiguration(fieldOverrides: [override]))
    }
}

extension MissingIndex {
    /// What a printed error says beyond production's text.
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
    /// As messages write it.
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
    /// With `__name__`, which stands before a vector.
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
