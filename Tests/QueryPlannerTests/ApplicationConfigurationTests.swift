// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// IndexConfigs: a realistic configuration for each common shape of application, with the queries that it serves.
@Suite struct ApplicationConfigurationTests {
    private let database = DatabaseID(project: "hearth")

    @Test(arguments: ["chat", "shop", "tasks", "social-feed", "multi-tenant"])
    func servesItsQueriesWithNothingToSpare(_ name: String) throws {
        let folder = Locations.packageRoot.appending(path: "IndexConfigs/\(name)")
        let source = [UInt8](try Data(contentsOf: folder.appending(path: "firestore.indexes.json")))
        let (configuration, findings) = ConfigurationReader.read(source)
        #expect(findings.isEmpty)
        #expect(ConfigurationWriter.text(configuration) == String(decoding: source, as: UTF8.self))
        let catalog = IndexCatalog(configuration)
        var advisor = IndexAdvisor()
        let lines = try String(contentsOf: folder.appending(path: "queries.ndjson"), encoding: .utf8)
            .split(separator: "\n")
        #expect(lines.count >= 8)
        for line in lines {
            let text = try #require(try JSONParser.parse(String(line))["query"]?.string)
            let query = try QueryText.parse(text, database: database)
            #expect(throws: Never.self, "\(line)") {
                try Planner.plan(query, catalog: catalog, database: database)
            }
            try advisor.add(query, database: database)
        }
        let review = advisor.review(configuration)
        #expect(review.additions == IndexConfiguration())
        #expect(review.unused.isEmpty && review.unusedOverrides.isEmpty && review.redundant.isEmpty)
        let advice = advisor.smallestConfiguration(replacing: configuration)
        #expect(advice.isExact)
        #expect(Set(advice.configuration.indexes) == Set(configuration.indexes))
    }
}
