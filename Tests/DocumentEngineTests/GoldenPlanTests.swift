// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import QueryPlanner
import TestSupport
import Testing

/// Golden plans: `Plans/*.plan`, one case per file.
///
/// Above the line of dashes are the subject of the case, its verdict by the rules (`served` or `refused`, which is
/// never rewritten), indexes, documents and the query. Below it is Hearth's plan. `UPDATE_GOLDENS=1` rewrites the part
/// below; CI refuses that.
@Suite struct GoldenPlanTests {
    private static let folder = Locations.packageRoot.appending(path: "Tests/DocumentEngineTests/Plans")
    private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil

    static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".plan") }.sorted()
    }

    @Test func goldensAreNotRewrittenInCI() {
        let isCI = ProcessInfo.processInfo.environment["CI"] != nil
        #expect(!(isCI && Self.isUpdating), "UPDATE_GOLDENS is for a developer's machine")
        #expect(Self.files.count >= 40)
    }

    @Test(arguments: files) func plan(file: String) throws {
        let url = Self.folder.appending(path: file)
        let golden = try GoldenPlan(try String(contentsOf: url, encoding: .utf8))
        let outcome = try golden.outcome()
        #expect(outcome.verdict == golden.verdict, "the rules say otherwise")
        if Self.isUpdating {
            try "\(golden.input)\(GoldenPlan.line)\n\(outcome.text)".write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(outcome.text == golden.expected)
        }
    }
}

/// One case, read from its file.
private struct GoldenPlan {
    static let line = "----"

    struct Outcome {
        let verdict: String
        let text: String
    }

    struct Malformed: Error {
        let reason: String
    }

    let input: String
    let expected: String
    private var sections: [String: String] = [:]

    init(_ text: String) throws {
        let parts = text.components(separatedBy: "\n\(Self.line)\n")
        input = parts[0] + (parts[0].hasSuffix("\n") ? "" : "\n")
        expected = parts.count > 1 ? parts[1] : ""
        var name = ""
        for row in input.split(separator: "\n") where !row.hasPrefix("#") {
            if let separator = row.firstIndex(of: ":"), row[..<separator].allSatisfy(\.isLowercase) {
                name = String(row[..<separator])
                sections[name] = String(row[row.index(after: separator)...])
            } else {
                sections[name, default: ""] += "\n" + row
            }
        }
    }

    var verdict: String { section("verdict") }

    private func section(_ name: String) -> String {
        (sections[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func outcome() throws -> Outcome {
        let read = ConfigurationReader.read(Array((sections["indexes"].map { "{\($0)}" } ?? "{\"indexes\":[]}").utf8))
        guard !read.findings.contains(where: { $0.rule.severity == .error }) else {
            throw Malformed(reason: "\(read.findings.map(\.message))")
        }
        let database = try TemporaryDatabase(indexes: read.configuration, documents: try documents())
        let request = try QueryText.parse(section("query"), database: database.engine.database)
        do throws(QueryError) {
            let billed = try database.engine.productionCounters(of: request)
            return Outcome(verdict: "served", text: try served(try database.engine.run(request), billed))
        } catch {
            return Outcome(verdict: "refused", text: try refused(error, database.engine))
        }
    }

    private func documents() throws -> [DocumentPath: Fields] {
        var documents: [DocumentPath: Fields] = [:]
        for row in section("documents").split(separator: "\n") {
            let parts = row.split(separator: " ", maxSplits: 1).map(String.init)
            documents[try DocumentPath(parsing: parts[0])] = try PlainJSON.readFields(try JSONParser.parse(parts[1]))
        }
        return documents
    }

    private func served(_ result: QueryResult, _ billed: ProductionCounters) throws(QueryError) -> String {
        let used = result.plan.indexesUsed.map { "production: \($0.queryScope) \($0.properties)\n" }.joined()
        let rows = try result.documents.map(\.path.description).joined(separator: " ")
        let aggregates = result.aggregates.map { "\($0.alias) = \($0.value)" }.joined(separator: ", ")
        let counters = result.counters
        let planned = result.plan.explanation.text
        let possible = result.plan.execution.explanation.text
        let ran = result.execution.explanation.text
        return """
            \(used)\(planned)
            \(possible == planned ? "" : "runs:\n\(possible)\n")\(ran == possible ? "" : "ran:\n\(ran)\n")result: \(aggregates)\(rows)
            scanned \(counters.entriesScanned), seeks \(counters.seeks), documents \(counters.documentsRead)
            billed: entries \(billed.indexEntriesScanned), documents \(billed.documentsScanned), \
            read operations \(billed.readOperations), results \(billed.resultsReturned)

            """
    }

    private func refused(_ error: QueryError, _ engine: Engine) throws -> String {
        if case .planning(.hint(let hint)) = error { return "\(hint.message)\n" }
        guard case .planning(.missingIndex(let missing)) = error else { return "\(error)\n" }
        let catalog = try engine.catalog().indexes
        let closest = missing.closestIndex(in: catalog).map { "closest: \($0.index.properties): \($0.reason)\n" } ?? ""
        return """
            \(missing.message(in: engine.database))
            missing: \(missing.definition.properties)
            \(closest)
            """
    }
}
