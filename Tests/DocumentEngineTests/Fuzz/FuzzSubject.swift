// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

/// A database under test, and its expected contents.
struct FuzzSubject {
    let engine: Engine
    private(set) var documents: [DocumentPath: Fields]
    private(set) var oracle: NaiveEvaluator
    let tally: FuzzTally

    init(_ engine: Engine, _ documents: [DocumentPath: Fields], _ tally: FuzzTally) {
        self.engine = engine
        self.documents = documents
        self.tally = tally
        oracle = NaiveEvaluator(documents)
    }

    /// Changes the database. The documents are known from the writes, except for results of transforms, which are read
    /// back.
    mutating func apply(_ step: FuzzStep) throws {
        switch step {
        case .indexes(let configuration): try engine.apply(configuration, prune: true)
        case .writes(let writes):
            _ = try engine.commit(writes)
            for write in writes { documents[write.path] = try fields(after: write) }
            oracle = NaiveEvaluator(documents)
        }
    }

    private func fields(after write: Write) throws -> Fields? {
        switch write.operation {
        case .delete: return nil
        case .verify: return documents[write.path]
        case .update(let fields, nil, let transforms) where transforms.isEmpty: return fields
        case .update(let fields, let mask, let transforms):
            guard transforms.isEmpty else { return try engine.document(write.path)?.fields }
            var changed = documents[write.path] ?? .empty
            for path in mask ?? [] { changed.set(fields[path], at: path) }
            return changed
        }
    }

    /// The difference between the stored documents and the expected ones.
    func differenceOfDocuments() throws -> String? {
        var seen = 0
        var different: DocumentPath?
        try engine.forEachDocument { (document) throws(EngineError) in
            seen += 1
            let isKnown = documents[document.path].map { $0.isIdentical(to: document.fields) } ?? false
            if !isKnown { different = document.path }
        }
        if let different { return "\(different) is not stored as it was written" }
        return seen == documents.count ? nil : "\(seen) documents are stored, \(documents.count) were written"
    }

    var configuration: IndexConfiguration {
        get throws {
            let catalog = try engine.catalog()
            return IndexConfiguration(
                indexes: catalog.composites.map(\.definition), fieldOverrides: catalog.indexes.fieldOverrides)
        }
    }

    /// Runs a request and counts it under a kind.
    func run(
        _ request: QueryRequest, _ kind: String, allowScan: Bool = true, by strategy: ExecutionStrategy = .fastest
    ) throws(EngineError) -> FuzzOutcome {
        tally.add(kind)
        do throws(QueryError) {
            return .answer(try engine.run(request, allowScan: allowScan, by: strategy))
        } catch {
            switch error {
            case .planning(.invalid(let error)): return .invalid(error)
            case .planning(.missingIndex(let error)): return .missingIndex(error)
            case .planning(.hint(let error)): return .hintRefused(error)
            case .engine(.refused(_, let message)): return .refused(message)
            case .engine(let error): throw error
            }
        }
    }

    /// Whether the library, which reads documents as records and several at once, reads the same ones.
    func differenceOfRecords(_ result: QueryResult, _ request: QueryRequest) throws -> String? {
        guard case .documents(let query) = request else { return nil }
        let records = try engine.records(query).map { record in try record.document() }
        let documents = try result.documents
        let isSame =
            records.count == documents.count && zip(records, documents).allSatisfy { $0.isIdentical(to: $1) }
        return isSame ? nil : "as records: \(records)"
    }

    /// The documents of a query, by any plan; nil if it is not answered.
    func documents(of query: Query, _ kind: String) throws -> [Document]? {
        guard case .answer(let result) = try run(.documents(query), kind) else { return nil }
        return try result.documents
    }
}

/// The outcome of a request.
enum FuzzOutcome {
    case answer(QueryResult)
    case missingIndex(MissingIndexError)
    case invalid(InvalidQueryError)
    /// The named index cannot be read for the query.
    case hintRefused(IndexHintError)
    /// Refused with production's text, for a reason in the data.
    case refused(String)
}

enum FuzzStep {
    case writes([Write])
    /// The configuration replaces the current one.
    case indexes(IndexConfiguration)
}
