// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// A few documents, and what queries find among them. Each query runs three times: as the engine chooses, in strict
/// mode with the indexes that it asks for, and without any index. All results must agree.
struct RuleDatabase {
    private let database: TemporaryDatabase
    private let withoutIndexes: TemporaryDatabase
    var engine: Engine { database.engine }

    init(_ documents: [DocumentPath: Fields]) throws {
        database = try TemporaryDatabase(documents: documents)
        let exemption = FieldOverride(collectionGroup: "c", path: nil, indexes: [])
        withoutIndexes = try TemporaryDatabase(
            indexes: IndexConfiguration(fieldOverrides: [exemption]), documents: documents)
    }

    /// Documents of the collection `c` that have one field, `v`, by ID.
    init(values: KeyValuePairs<Text, Value>) throws {
        let collection = CollectionPath(ResourcePath(segments: ["c"]))
        let documents = values.map { (collection.document($0.key), Fields([Field("v", $0.value)])!) }
        try self.init(Dictionary(uniqueKeysWithValues: documents))
    }

    /// The IDs of the documents that a query finds, in its order, separated by spaces.
    func names(_ text: String) throws -> String { try names(parse(text).query) }

    func names(_ query: Query) throws -> String {
        try documents(query).map(\.path.id.string).joined(separator: " ")
    }

    /// The paths of the documents that a query finds, in its order, separated by spaces.
    func paths(_ query: Query) throws -> String {
        try documents(query).map(\.path.description).joined(separator: " ")
    }

    func documents(_ query: Query) throws -> [Document] {
        let found = try engine.run(query, allowScan: true).documents
        let served = try strictly(.documents(query)).documents
        let scanned = try withoutIndexes.engine.run(query, allowScan: true).documents
        for other in [served, scanned] {
            #expect(found.map(\.path) == other.map(\.path), "an index changes the answer to \(query)")
        }
        return found
    }

    /// The results of an aggregation query, in the order of its aggregations.
    func aggregates(_ text: String) throws -> Value {
        guard case .aggregation(let query) = try parse(text) else { throw RuleError.noAggregation(text) }
        return try aggregates(query)
    }

    func aggregates(_ query: AggregationQuery) throws -> Value {
        let found = try engine.run(query, allowScan: true).aggregates.map(\.value)
        let served = try strictly(.aggregation(query)).aggregates.map(\.value)
        let scanned = try withoutIndexes.engine.run(query, allowScan: true).aggregates.map(\.value)
        #expect(found == served && found == scanned, "an index changes the answer to \(query)")
        return .array(found)
    }

    /// The message with which an invalid query is refused; nil if it is not.
    func refusal(_ text: String) throws -> String? { try refusal(parse(text)) }

    func refusal(_ request: QueryRequest) throws -> String? {
        do throws(QueryError) {
            switch request {
            case .documents(let query): _ = try engine.run(query, allowScan: true)
            case .aggregation(let query): _ = try engine.run(query, allowScan: true)
            }
            return nil
        } catch {
            guard case .planning(.invalid(let error)) = error else { throw error }
            return error.message
        }
    }

    /// The number of indexes that a query asks for, one after another, before it is served.
    func missingIndexes(_ text: String) throws -> Int {
        let before = try engine.catalog().composites.count
        _ = try strictly(parse(text))
        return try engine.catalog().composites.count - before
    }

    private func parse(_ text: String) throws -> QueryRequest {
        try QueryText.parse(text, database: engine.database)
    }

    private func strictly(_ request: QueryRequest) throws -> QueryResult {
        while true {
            do throws(QueryError) {
                switch request {
                case .documents(let query): return try engine.run(query)
                case .aggregation(let query): return try engine.run(query)
                }
            } catch {
                guard case .planning(.missingIndex(let missing)) = error else { throw error }
                try engine.apply(missing.fix(for: try engine.catalog().indexes), prune: false)
            }
        }
    }
}

enum RuleError: Error {
    case noAggregation(String)
}
