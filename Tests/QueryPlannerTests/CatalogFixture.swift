// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import QueryPlanner

/// Index configurations as they stand in recorded cases.
enum CatalogFixture {
    static let database = DatabaseID(project: "demo-fs-query-index")

    static func catalog(_ object: [String: Any]?) throws -> IndexCatalog {
        let indexes = try (object?["indexes"] as? [[String: Any]] ?? []).map(definition)
        let overrides = try (object?["fieldOverrides"] as? [[String: Any]] ?? []).map(fieldOverride)
        return IndexCatalog(IndexConfiguration(indexes: indexes, fieldOverrides: overrides))
    }

    static func definition(_ object: [String: Any]) throws -> IndexDefinition {
        let group = object["collectionGroup"] as! String
        let fields = try (object["fields"] as! [[String: Any]]).map(field)
        var name = fields.last { !$0.path.isDocumentName }.flatMap { direction($0) } ?? .ascending
        if let given = fields.first(where: \.path.isDocumentName).flatMap({ direction($0) }) { name = given }
        return IndexDefinition(
            collectionGroup: Text(group), scope: scope(object), fields: fields.filter { !$0.path.isDocumentName },
            nameDirection: name)
    }

    private static func direction(_ field: IndexField) -> Direction? {
        if case .order(let direction) = field.mode { direction } else { nil }
    }

    private static func scope(_ object: [String: Any]) -> QueryScope {
        object["queryScope"] as? String == "COLLECTION_GROUP" ? .collectionGroup : .collection
    }

    private static func field(_ object: [String: Any]) throws -> IndexField {
        let path = try FieldPath(wire: object["fieldPath"] as! String)
        if let vector = object["vectorConfig"] as? [String: Any] {
            return IndexField(path, .vector(dimension: vector["dimension"] as! Int))
        }
        if object["arrayConfig"] != nil { return IndexField(path, .contains) }
        return IndexField(path, .order(object["order"] as? String == "DESCENDING" ? .descending : .ascending))
    }

    private static func fieldOverride(_ object: [String: Any]) throws -> FieldOverride {
        let text = object["fieldPath"] as! String
        let indexes = (object["indexes"] as? [[String: Any]] ?? []).map { index in
            let mode: SingleFieldIndex.Mode =
                index["arrayConfig"] != nil
                ? .contains : (index["order"] as? String == "DESCENDING" ? .descending : .ascending)
            return SingleFieldIndex(mode, scope(index))
        }
        return FieldOverride(
            collectionGroup: Text(object["collectionGroup"] as! String),
            path: text == "*" ? nil : try FieldPath(wire: text),
            indexes: Set(indexes))
    }

    /// The catalogue with what an error asks for.
    static func adding(_ error: MissingIndexError, to catalog: IndexCatalog) -> IndexCatalog {
        let fix = error.fix(for: catalog)
        let others = catalog.fieldOverrides.filter { known in
            !fix.fieldOverrides.contains { $0.collectionGroup == known.collectionGroup && $0.path == known.path }
        }
        return IndexCatalog(
            composites: catalog.composites + fix.indexes.map { IndexCatalog.Composite($0) },
            fieldOverrides: others + fix.fieldOverrides)
    }
}

extension QueryRequest {
    /// Plans, adding what is missing until nothing is; nil if a suggestion does not help.
    func plan(adding catalog: inout IndexCatalog, _ database: DatabaseID) throws -> (plan: QueryPlan, rounds: Int)? {
        for round in 0...31 {
            do {
                return (try Planner.plan(self, catalog: catalog, database: database), round)
            } catch .missingIndex(let error) {
                catalog = CatalogFixture.adding(error, to: catalog)
            }
        }
        return nil
    }
}
