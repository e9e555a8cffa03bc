// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// What production refused is refused with its status, message and missing index, and nothing else is.
@Suite struct RecordedErrorsTests {
    /// Decisions about indexes with the index each link named (I-25 to I-53, E-2 to E-13).
    @Test func missingIndexes() throws {
        guard let data = Locations.sharedData() else { return }
        var run = 0
        for line in try lines(data.appending(path: "missing-index/cases.ndjson")) {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let id = try #require(object["id"] as? String)
            let expect = try #require(object["expect"] as? [String: Any])
            let database = try databaseID(expect["database"] as? String)
            let catalog = try CatalogFixture.catalog(object["configuration"] as? [String: Any])
            let query = try RecordedLine.query(line, database: database)
            let outcome = Outcome(query, catalog, database)
            if expect["served"] as? Bool == true {
                #expect(outcome == .served, "\(id)")
            } else {
                let wanted = try CatalogFixture.definition(#require(expect["missingIndex"] as? [String: Any]))
                let isExemption = expect["exemption"] as? Bool == true
                let payload = expect["database"] == nil ? nil : expect["payload"] as? String
                expectMissing(outcome, wanted, isExemption: isExemption, payload: payload, database, id)
            }
            run += 1
        }
        print("missing-index: \(run) cases run, none skipped")
        #expect(run == 66)
    }

    /// Every query of September 2026, under the indexes of that day.
    @Test func production2026() throws {
        guard let data = Locations.sharedData() else { return }
        let configurations = try lines(data.appending(path: "production-2026/configurations.ndjson")).map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let catalog = try CatalogFixture.catalog(configurations.first)
        var run = 0
        var explained = 0
        var skipped: [String: Int] = [:]
        for line in try lines(data.appending(path: "production-2026/queries.ndjson")) {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let id = try #require(object["id"] as? String)
            let tags = Set(object["tags"] as? [String] ?? [])
            let expect = try #require(object["expect"] as? [String: Any])
            if let reason = reasonToSkip(expect, tags) {
                skipped[reason, default: 0] += 1
                continue
            }
            let outcome = Outcome(line, catalog, CatalogFixture.database)
            expectOutcome(outcome, expect, id)
            run += 1
            guard let explain = object["explain"] as? [String: Any],
                let used = explain["indexesUsed"] as? [[String: String]]
            else { continue }
            let plan = try Planner.plan(
                RecordedLine.query(line, database: CatalogFixture.database), catalog: catalog,
                database: CatalogFixture.database)
            #expect(plan.indexesUsed.map(\.properties) == used.map { $0["properties"] }, "\(id)")
            #expect(plan.indexesUsed.map(\.queryScope) == used.map { $0["queryScope"] }, "\(id)")
            explained += 1
        }
        print("production-2026: \(run) decisions checked, \(explained) lists of indexes, skipped \(skipped)")
        #expect(explained > 20)
        #expect(run > 390)
    }

    /// What production refused in 2020, where the restriction still stands; statuses only.
    @Test func production2020() throws {
        guard let data = Locations.sharedData() else { return }
        var run = 0
        var skipped: [String: Int] = [:]
        for line in try lines(data.appending(path: "production-queries/cases.ndjson")) where line.contains("\"error\"")
        {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let id = try #require(object["id"] as? String)
            let tags = Set(object["tags"] as? [String] ?? [])
            let expect = try #require(object["expect"] as? [String: Any])
            if let tag = tags.intersection(["restriction-lifted-since", "datastore-namespace"]).first {
                skipped[tag, default: 0] += 1
                continue
            }
            let database = DatabaseID(project: "example.com:id")
            let outcome = Outcome(line, IndexCatalog(IndexConfiguration()), database)
            #expect(outcome.status == expect["error"] as? String, "\(id): \(outcome)")
            if outcome.status == MissingIndexError.status {
                #expect(outcome.message == expect["message"] as? String, "\(id)")
            }
            run += 1
        }
        print("production-queries: \(run) refusals checked, skipped \(skipped)")
        #expect(run > 600)
    }

    /// What the official SDKs' own tests expect to fail, with automatic indexes only.
    @Test func sdkErrors() throws {
        guard let data = Locations.sharedData() else { return }
        var run = 0
        for line in try lines(data.appending(path: "sdk-queries/cases.ndjson")) {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let expect = try #require(object["expect"] as? [String: Any])
            guard let status = expect["error"] as? String else { continue }
            let database = DatabaseID(project: "hearth")
            let outcome = Outcome(line, IndexCatalog(IndexConfiguration()), database)
            #expect(outcome.status == status, "\(object["id"] ?? ""): \(outcome)")
            run += 1
        }
        print("sdk-queries: \(run) refusals checked, none skipped")
        #expect(run == 5)
    }

    private func reasonToSkip(_ expect: [String: Any], _ tags: Set<String>) -> String? {
        if tags.contains("read-time"), expect["error"] != nil { return "read time" }
        if expect["reason"] as? String == "COSINE_DISTANCE_ON_ZERO_VECTOR" { return "decided by the data" }
        return nil
    }

    private func expectOutcome(_ outcome: Outcome, _ expect: [String: Any], _ id: String) {
        guard let status = expect["error"] as? String else {
            #expect(outcome == .served, "\(id)")
            return
        }
        #expect(outcome.status == status, "\(id): \(outcome)")
        let message = expect["message"] as? String
        // The recording's project has another length than the one put in its place.
        let countsProject = message?.contains("lacks \"/\" at index") ?? false
        if message != MissingIndexError.planOnlyMessage, !countsProject { #expect(outcome.message == message, "\(id)") }
        guard case .missing(let error, _) = outcome, let wanted = expect["missingIndex"] as? [String: Any] else {
            return
        }
        let definition = try? CatalogFixture.definition(wanted)
        #expect(error.definition.fields == definition?.fields, "\(id)")
        #expect(error.definition.scope == definition?.scope, "\(id)")
    }

    private func expectMissing(
        _ outcome: Outcome, _ wanted: IndexDefinition, isExemption: Bool, payload: String?, _ database: DatabaseID,
        _ id: String
    ) {
        guard case .missing(let error, _) = outcome else {
            Issue.record("\(id): \(outcome)")
            return
        }
        #expect(error.definition == wanted, "\(id)")
        #expect((error.singleField != nil) == isExemption, "\(id)")
        if let payload { #expect(error.link(in: database).payload == payload, "\(id)") }
    }

    private func databaseID(_ name: String?) throws -> DatabaseID {
        let parts = (name ?? "projects/p/databases/(default)").split(separator: "/").map(String.init)
        return DatabaseID(project: Text(parts[1]), database: Text(parts[3]))
    }

    private func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

/// What became of a query.
enum Outcome: Equatable, CustomStringConvertible {
    case served
    case invalid(String)
    case missing(MissingIndexError, DatabaseID)

    init(_ line: String, _ catalog: IndexCatalog, _ database: DatabaseID) {
        do {
            self.init(try RecordedLine.query(line, database: database), catalog, database)
        } catch {
            self = .invalid("\(error)")
        }
    }

    init(_ query: QueryRequest, _ catalog: IndexCatalog, _ database: DatabaseID) {
        do throws(PlanningError) {
            _ = try Planner.plan(query, catalog: catalog, database: database)
            self = .served
        } catch {
            switch error {
            case .invalid(let invalid): self = .invalid(invalid.message)
            case .missingIndex(let missing): self = .missing(missing, database)
            case .hint(let hint): self = .invalid(hint.message)
            }
        }
    }

    var status: String? {
        switch self {
        case .served: nil
        case .invalid: "INVALID_ARGUMENT"
        case .missing: MissingIndexError.status
        }
    }

    var message: String? {
        switch self {
        case .served: nil
        case .invalid(let message): message
        case .missing(let error, let database): error.message(in: database)
        }
    }

    var description: String { message ?? "served" }
}
