// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// The index that Hearth suggests against the composites that the emulator says it would use, for queries that automatic
/// indexes alone do not serve.
extension EmulatorTests {
    @Test func suggestionsAreWhatTheEmulatorReports() throws {
        guard let client = try EmulatorTests.client() else { return }
        var random = SeededGenerator.printingSeed()
        var tally = Tally()
        let documents = DocumentGenerator().documents(40, &random)
        while tally.count < Self.queryCount / 5, tally.failures < 5 {
            // The emulator adds up the reports of a project, so each query has its own.
            let database = DatabaseID(project: Text("usage\(random.next())"))
            let values = ValueGenerator(database: database, allowsLong: false)
            let generator = QueryGenerator(documents, values: values)
            guard let usage = try IndexUsage(request(generator, &random), client, database) else { continue }
            tally.count += 1
            guard usage.difference != nil else { continue }
            if let known = KnownIndexDifference.explaining(usage) {
                tally.known[known.description, default: 0] += 1
                continue
            }
            tally.failures += 1
            try report(usage, client, &random)
        }
        print("compared \(tally.count) suggested indexes with the official emulator: \(tally)")
    }

    private func request(_ generator: QueryGenerator, _ random: inout SeededGenerator) -> QueryRequest {
        let request: QueryRequest =
            random.chance(0.2)
            ? .aggregation(generator.aggregationQuery(&random)) : .documents(generator.query(&random))
        return request.with { $0.limitToLast = false }
    }

    private func report(_ usage: IndexUsage, _ client: EmulatorClient, _ random: inout SeededGenerator) throws {
        // A project has a name, to which references in the query belong, but its reports cannot be cleared.
        let failure = usage.difference ?? ""
        Issue.record("seed \(random.seed): \(failure)\n\(Scenario(request: usage.request))")
    }
}

/// What Hearth and the emulator want for a query that needs an index of its own.
struct IndexUsage {
    let request: QueryRequest
    let suggested: WantedIndex
    /// One for each alternative of an OR, in any order.
    let reported: [WantedIndex]

    /// Nil where Hearth has all indexes that it needs, or the emulator refuses the query.
    init?(_ request: QueryRequest, _ client: EmulatorClient, _ database: DatabaseID) throws {
        do throws(PlanningError) {
            _ = try Planner.plan(request, catalog: IndexCatalog(IndexConfiguration()), database: database)
            return nil
        } catch {
            guard case .missingIndex(let error) = error else { return nil }
            suggested = WantedIndex(error.definition)
        }
        if case .refused = try client.run(request, in: database) { return nil }
        self.request = request
        reported = try client.indexUsage(of: database).map { try WantedIndex(report: $0) }
    }

    /// Whether the operands contradict each other or are null or NaN.
    var canMatchNothing: Bool {
        let database = DatabaseID(project: "hearth")
        return (try? Planner.planByScanning(request, database: database))?.disjuncts.isEmpty ?? false
    }

    var difference: String? {
        reported.contains(suggested)
            ? nil : "Hearth: \(suggested)\nemulator: \(reported.map(\.description).joined(separator: "; "))"
    }
}

/// An index as the emulator reports it and Hearth suggests it.
struct WantedIndex: Hashable, CustomStringConvertible {
    struct Field: Hashable {
        let path: String
        /// `ASCENDING`, `DESCENDING` or `CONTAINS`.
        let mode: String
    }

    let collectionGroup: String
    let scope: String
    var fields: [Field]

    init(_ definition: IndexDefinition) {
        collectionGroup = definition.collectionGroup.string
        scope = definition.scope.wireName
        fields = definition.fieldsWithName.map { field in
            Field(path: field.path.wire, mode: field.mode.direction?.wireName ?? "CONTAINS")
        }
    }

    init(report: [String: Any]) throws {
        guard let name = report["name"] as? String, let scope = report["queryScope"] as? String,
            let fields = report["fields"] as? [[String: Any]]
        else { throw EmulatorFailure("no index: \(report)") }
        self.scope = scope
        let segments = name.split(separator: "/")
        collectionGroup = segments.count > 5 ? String(segments[5]) : ""
        self.fields = fields.map { field in
            let mode = field["order"] ?? field["arrayConfig"]
            return Field(path: field["fieldPath"] as? String ?? "", mode: mode as? String ?? "")
        }
    }

    var description: String {
        "\(scope) \(collectionGroup) (\(fields.map { "\($0.path) \($0.mode)" }.joined(separator: ", ")))"
    }
}
