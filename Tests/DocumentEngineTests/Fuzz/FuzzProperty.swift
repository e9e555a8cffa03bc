// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import JSONText
import QueryPlanner
import TestSupport

/// Something that holds of every request on every database.
struct FuzzProperty: Sendable {
    let name: String
    /// What is wrong, or nil. Makes the same random choices whenever it gets the same generator.
    let failure: @Sendable (FuzzSubject, QueryRequest, inout SeededGenerator) throws -> String?

    init(
        _ name: String,
        _ failure: @escaping @Sendable (FuzzSubject, QueryRequest, inout SeededGenerator) throws -> String?
    ) {
        self.name = name
        self.failure = failure
    }

    /// As the rules say: in permissive mode answered, in strict mode answered alike or refused for the lack of an index, which
    /// is when permissive mode scans.
    static let answers = FuzzProperty("answers") { subject, request, _ in
        let expected = FuzzExpectation(request, subject.oracle)
        let permissive = try subject.run(request, "permissive, \(request.kind)")
        if let difference = expected.difference(permissive) { return "permissive: \(difference)" }
        let strict = try subject.run(request, "strict, \(request.kind)", allowScan: false)
        if case .answer(let result) = permissive {
            for way in Set(result.plan.disjuncts.map(\.access.way)) { subject.tally.addOutcome(way) }
            if result.plan.disjuncts.count > 1 { subject.tally.addOutcome("permissive, merging several scans") }
        }
        switch (permissive, strict) {
        case (.answer(let result), .missingIndex) where result.wasScanned:
            subject.tally.addOutcome("strict, refused for the lack of an index")
            return nil
        case (.refused, .missingIndex): return nil
        case (.answer(let result), .answer) where result.wasScanned: return "scanned, though an index serves"
        case (.invalid, .invalid):
            subject.tally.addOutcome("permissive, refused as invalid")
            return nil
        default: return expected.difference(strict).map { "strict: \($0)" }
        }
    }

    /// Applying what each refusal suggests makes a query served within as many rounds as it has disjuncts (I-53).
    static let suggestions = FuzzProperty("suggestions") { subject, request, _ in
        let expected = FuzzExpectation(request, subject.oracle)
        let rounds = request.query.filter.map { QueryRules.disjunctCount($0) } ?? 1
        var suggested: [String] = []
        while true {
            let outcome = try subject.run(request, "strict, applying suggestions", allowScan: false)
            guard case .missingIndex(let error) = outcome else { return expected.difference(outcome) }
            let fix = error.fix(for: try subject.engine.catalog().indexes)
            suggested.append(ConfigurationWriter.node(fix).text())
            guard suggested.count <= rounds else {
                return "it is not served after \(rounds) rounds of suggestions:\n\(suggested.joined(separator: "\n"))"
            }
            try subject.engine.apply(fix, prune: false)
        }
    }

    /// Documents and index entries agree, and the documents are those that were written.
    static let integrity = FuzzProperty("integrity") { subject, _, _ in
        if let difference = try subject.differenceOfDocuments() { return difference }
        let report = try subject.engine.verify()
        return report.problemCount == 0 ? nil : "\(report.problems)"
    }
}

extension QueryRequest {
    fileprivate var kind: String {
        switch self {
        case .aggregation: "aggregations"
        case .documents(let query) where query.nearest != nil: "vector searches"
        case .documents(let query):
            switch (query.from.collectionID != nil, query.from.allDescendants) {
            case (true, false): "collections"
            case (true, true): "collection groups"
            case (false, _): "documents of every kind"
            }
        }
    }
}

extension AccessPath {
    fileprivate var way: String {
        switch self {
        case .documents: "permissive, over documents in name order"
        case .index(let scan):
            if case .composite = scan.index {
                "permissive, by a composite index"
            } else {
                "permissive, by an automatic index"
            }
        case .join: "permissive, by a join"
        case .nearest: "permissive, by a vector index"
        case .fullScan: "permissive, by scanning"
        }
    }
}
