// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

@Suite struct RecordingTests {
    private let database = RandomQueries.database

    /// A record asks the same of indexes as the query: under any catalogue both are served, or both miss the same index.
    @Test func recordsAskForTheSameIndexes() throws {
        var random = RandomQueries(SeededGenerator.printingSeed())
        var (valid, missing) = (0, 0)
        for _ in 0..<Rounds.of(2_000) {
            let query = random.query()
            guard (try? QueryValidator.validate(query, database: database)) != nil else { continue }
            valid += 1
            let catalog = random.catalog()
            let request = QueryRequest.documents(query)
            let outcomes = [request, request.withoutValues].map { request in
                Result { () throws(PlanningError) in
                    _ = try Planner.plan(request, catalog: catalog, database: database)
                }
            }
            switch (outcomes[0], outcomes[1]) {
            case (.success, .success): break
            case (.failure(.missingIndex(let wanted)), .failure(.missingIndex(let recorded))):
                missing += 1
                #expect(wanted == recorded, "\(query)")
            default: Issue.record("\(query) gives \(outcomes)")
            }
        }
        #expect(valid > Rounds.of(300) && missing > Rounds.of(50))
    }

    @Test func recordsHoldNoValues() throws {
        let secret = "s3cr3t"
        let query = try QueryText.parse(
            "collection('users/\(secret)/posts').where('a','==','\(secret)').where('b','in',['\(secret)','x'])"
                + ".where('__name__','>',Reference('users/\(secret)/posts/\(secret)')).orderBy('__name__')"
                + ".startAt(Reference('users/\(secret)/posts/\(secret)')).limit(77)",
            database: database)
        var log = QueryLog(database: database)
        log.record(query)
        let text = String(decoding: log.takeLines(), as: UTF8.self)
        #expect(!text.contains(secret) && !text.contains("77"), "\(text)")
        let node = try JSONParser.parse(text)
        let read = try QueryJSON.read(node, database: database)
        #expect(throws: Never.self) { try QueryValidator.validate(read.query, database: database) }
    }

    @Test func countsEqualShapes() throws {
        var log = QueryLog(database: database)
        for value in 0..<5 { log.record(try QueryText.parse("c.where('a','==',\(value))", database: database)) }
        log.record(try QueryText.parse("c.where('a','==','text')", database: database))
        let lines = String(decoding: log.takeLines(), as: UTF8.self).split(separator: "\n")
        #expect(try lines.map { try JSONParser.parse(String($0))["count"]?.number?.double } == [5, 1])
        #expect(log.takeLines().isEmpty)
    }
}
