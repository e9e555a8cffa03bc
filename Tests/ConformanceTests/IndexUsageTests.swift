// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// Compares the index that Hearth suggests with the composites that the emulator reports, for queries that automatic
/// indexes alone do not serve.
extension EmulatorTests {
    @Test func suggestionsAreWhatTheEmulatorReports() throws {
        guard let client = try EmulatorTests.client() else { return }
        var random = EmulatorTests.generator()
        var tally = Tally()
        let documents = DocumentGenerator().documents(40, &random)
        while tally.count < Self.queryCount / 10, tally.failures < 5 {
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
        // The limits and cursors of a query do not change the index, but contradictory cursors stop the emulator.
        return request.with { query in
            query.start = nil
            query.end = nil
            query.limitToLast = false
        }
    }

    private func report(_ usage: IndexUsage, _ client: EmulatorClient, _ random: inout SeededGenerator) throws {
        // The reports of a project cannot be cleared, so every simpler query needs its own project, which its
        // references name.
        func failing(_ request: QueryRequest) throws -> IndexUsage? {
            let database = DatabaseID(project: Text("usage\(random.next())"))
            let moved = request.with { $0.filter = $0.filter?.moved(to: database) }
            let usage = try IndexUsage(moved, client, database)
            return usage.flatMap { $0.difference != nil && KnownIndexDifference.explaining($0) == nil ? $0 : nil }
        }
        let smallest = try Shrinker.smallest(from: Scenario(request: usage.request), candidates: \.simpler) {
            scenario in
            try failing(scenario.request) != nil
        }
        let difference = try failing(smallest.request)?.difference ?? "the failure does not repeat"
        Issue.record("seed \(random.seed): \(difference)\n\(smallest)")
    }
}

extension Filter {
    /// With references to another database.
    fileprivate func moved(to database: DatabaseID) -> Filter {
        switch self {
        case .and(let parts): .and(parts.map { $0.moved(to: database) })
        case .or(let parts): .or(parts.map { $0.moved(to: database) })
        case .unary: self
        case .field(let path, let fieldOperator, .array(let elements)):
            .field(path, fieldOperator, .array(elements.map { Filter.moved($0, database) }))
        case .field(let path, let fieldOperator, let operand):
            .field(path, fieldOperator, Filter.moved(operand, database))
        }
    }

    private static func moved(_ value: Value, _ database: DatabaseID) -> Value {
        guard case .reference(let reference) = value else { return value }
        return .reference(Reference(database: database, path: reference.path))
    }
}
