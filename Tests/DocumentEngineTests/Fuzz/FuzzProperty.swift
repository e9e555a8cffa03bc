// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import JSONText
import QueryPlanner
import TestSupport

/// A property of every request on every database.
struct FuzzProperty: Sendable {
    let name: String
    /// The failure, or nil. Makes the same random choices for the same generator.
    let failure: @Sendable (FuzzSubject, QueryRequest, inout SeededGenerator) throws -> String?

    init(
        _ name: String,
        _ failure: @escaping @Sendable (FuzzSubject, QueryRequest, inout SeededGenerator) throws -> String?
    ) {
        self.name = name
        self.failure = failure
    }

    /// Answers follow the rules. Permissive mode answers; strict mode gives the same answer, or refuses for a missing
    /// index exactly when permissive mode scans.
    static let answers = FuzzProperty("answers") { subject, request, _ in
        let expected = FuzzExpectation(request, subject.oracle)
        let permissive = try subject.run(request, "permissive, \(request.kind)")
        if let difference = try expected.difference(permissive) { return "permissive: \(difference)" }
        let strict = try subject.run(request, "strict, \(request.kind)", allowScan: false)
        if case .answer(let result) = permissive {
            for form in result.forms { subject.tally.addOutcome("permissive, \(form)") }
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
        case (_, .answer(let result)):
            if let difference = try expected.difference(strict) { return "strict: \(difference)" }
            return try subject.differenceOfRecords(result, request)
        default: return try expected.difference(strict).map { "strict: \($0)" }
        }
    }

    /// The answer does not depend on how the plan runs: production's way, or ways chosen at random.
    static let executions = FuzzProperty("executions") { subject, request, random in
        let expected = FuzzExpectation(request, subject.oracle)
        let strict = try subject.run(request, "as production", allowScan: false, by: .production)
        if case .answer = strict, let difference = try expected.difference(strict) {
            return "as production: \(difference)"
        }
        if case .answer(let result) = strict {
            let (found, counted) = (ProductionCounters(result), try subject.engine.productionCounters(of: request))
            guard counted == found else { return "counted without documents: \(counted), and with them: \(found)" }
        }
        for _ in 0..<3 {
            let choice = RandomExecution(seed: random.next())
            let outcome = try subject.run(request, "by ways chosen at random", by: choice.strategy)
            guard case .answer(let result) = outcome else { continue }
            for form in choice.forms(of: result) { subject.tally.addOutcome(form) }
            if let difference = try expected.difference(outcome) {
                return "\(difference)\nwhich ran as\n\(result.execution.explanation.text)"
            }
        }
        return nil
    }

    /// An index hint changes no answer, or is refused.
    static let hints = FuzzProperty("hints") { subject, request, random in
        let expected = FuzzExpectation(request, subject.oracle)
        let composites = try subject.configuration.indexes.filter { $0.collectionGroup == "c" }
        for _ in 0..<4 {
            let path = random.pick(DocumentGenerator.paths)
            let mode = random.pick(SingleFieldIndex.Mode.allCases)
            let definition =
                composites.isEmpty || random.chance(0.4)
                ? SingleFieldIndex(mode, .collection).definition(of: path, in: "c") : random.pick(composites)
            guard let hint = try? IndexHint(definition.properties) else { continue }
            let hinted = request.with(hint)
            let outcome = try subject.run(hinted, "with a hint")
            switch outcome {
            case .hintRefused(.doesNotCover): subject.tally.addOutcome("hints refused: the index does not cover")
            case .hintRefused(.wrongScope): subject.tally.addOutcome("hints refused: wrong scope")
            case .hintRefused(.unknown): subject.tally.addOutcome("hints refused: no such index")
            case .hintRefused: subject.tally.addOutcome("hints refused: a vector search")
            case .answer(let result):
                for form in result.forms { subject.tally.addOutcome("hinted, \(form)") }
                if let difference = try expected.difference(outcome) { return "with \(hint.text): \(difference)" }
            case .missingIndex, .invalid, .refused:
                if let difference = try expected.difference(outcome) { return "with \(hint.text): \(difference)" }
            }
        }
        return nil
    }

    /// Applying each refusal's suggestion serves a query in at most as many rounds as it has disjuncts (I-53).
    static let suggestions = FuzzProperty("suggestions") { subject, request, _ in
        let expected = FuzzExpectation(request, subject.oracle)
        let rounds = request.query.filter.map { QueryRules.disjunctCount($0) } ?? 1
        var suggested: [String] = []
        while true {
            let outcome = try subject.run(request, "strict, applying suggestions", allowScan: false)
            guard case .missingIndex(let error) = outcome else { return try expected.difference(outcome) }
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
    fileprivate func with(_ hint: IndexHint) -> QueryRequest {
        switch self {
        case .documents(let query): .documents(query.with { $0.hint = hint })
        case .aggregation(let aggregation):
            .aggregation(AggregationQuery(aggregation.query.with { $0.hint = hint }, aggregation.aggregations))
        }
    }

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
