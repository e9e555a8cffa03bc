// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

@Suite struct QueryJSONTests {
    private let database = DatabaseID(project: "hearth")

    private func written(_ request: QueryRequest) -> String {
        var writer = JSONWriter()
        QueryJSON.write(request, to: &writer, database: database)
        return writer.string
    }

    private func read(_ text: String) throws -> QueryRequest {
        try QueryJSON.read(JSONParser.parse(text), database: database)
    }

    /// Reading what was written and writing it again gives the same text, for every recorded query.
    @Test(arguments: RecordedCases.files)
    func recordedQueriesSurvive(file: String) throws {
        guard let data = Locations.sharedData() else { return }
        let text = try String(contentsOf: data.appending(path: file + ".ndjson"), encoding: .utf8)
        var run = 0
        for line in text.split(separator: "\n") {
            guard let request = try? read(String(line)) else { continue }
            let once = written(request)
            #expect(written(try read(once)) == once)
            run += 1
        }
        print("\(file): \(run) queries written and read")
        #expect(run > 200)
    }

    /// Production-2026 F and G: numbers as text, wrapped, enumerations as numbers or in lower case, snake case, null.
    @Test(arguments: [
        #"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":"3","offset":2.0}}"#,
        #"{"structuredQuery":{"from":[{"collection_id":"c"}],"limit":{"value":3},"offset":"2","where":null}}"#,
    ])
    func limitsInEveryForm(_ text: String) throws {
        let query = try read(text).query
        #expect(query.limit == 3)
        #expect(query.offset == 2)
        #expect(query.filter == nil)
    }

    /// As the emulator, which says only that the payload is not valid, also of a second spelling of one name.
    @Test(
        arguments: [
            (
                #""where":{"fieldFilter":F(),"unaryFilter":U()}"#,
                "'structured_query.where' (oneof), oneof field 'filter_type' is already set. Cannot set 'unaryFilter'"
            ),
            (
                #""where":{"unaryFilter":U(),"fieldFilter":null}"#,
                "'structured_query.where' (oneof), oneof field 'filter_type' is already set. Cannot set 'fieldFilter'"
            ),
            (
                #""where":{"fieldFilter":F(),"field_filter":F()}"#,
                "'structured_query.where' (oneof), oneof field 'filter_type' is already set. Cannot set 'field_filter'"
            ),
            (#""where":{"fieldFilter":null,"unaryFilter":U()}"#, nil),
            (#""where":{"fieldFilter":F(),"fieldFilter":F()}"#, nil),
        ] as [(String, String?)])
    func alternatives(_ filter: String, _ message: String?) throws {
        let members = filter.replacingOccurrences(
            of: "F()", with: #"{"field":{"fieldPath":"a"},"op":"EQUAL","value":{"integerValue":1}}"#
        )
        .replacingOccurrences(of: "U()", with: #"{"op":"IS_NULL","field":{"fieldPath":"a"}}"#)
        let text = #"{"structuredQuery":{"from":[{"collectionId":"c"}],\#(members)}}"#
        guard let message else {
            #expect(try read(text).query.filter != nil)
            return
        }
        let error = #expect(throws: InvalidQueryError.self) { try read(text) }
        #expect(error?.message == "Invalid value at " + message)
    }

    @Test func enumerationsInEveryForm() throws {
        let spellings = [#""LESS_THAN""#, #""less_than""#, "1"]
        for op in spellings {
            let text =
                #"{"structuredQuery":{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":\#(op),"value":{"integerValue":1}}}}}"#
            guard case .field(_, let read, _)? = try read(text).query.filter else {
                Issue.record("no filter")
                continue
            }
            #expect(read == .lessThan)
        }
        for (number, op) in [(2, UnaryOperator.isNaN), (3, .isNull), (4, .isNotNaN), (5, .isNotNull)] {
            let text = #"{"structuredQuery":{"where":{"unaryFilter":{"field":{"fieldPath":"a"},"op":\#(number)}}}}"#
            guard case .unary(_, let read)? = try read(text).query.filter else {
                Issue.record("no filter")
                continue
            }
            #expect(read == op)
        }
    }

    @Test(arguments: [
        (#"{"structuredQuery":{"limits":3}}"#, "Unknown name \"limits\" at 'structured_query'", 20),
        (#"{"structuredQuery":{"orderBy":[{"field":{"fieldPath":"a"},"dir":1}]}}"#, "order_by[0]", 58),
        (#"{"structuredQuery":{"from":[{},{}]}}"#, "cannot have more than one collection selector", 31),
        (#"{"structuredQuery":{"limit":1.5}}"#, "(TYPE_INT32), 1.5", 28),
        (#"{"structuredQuery":[]}"#, "an object is expected", 19),
        (#"{"parent":"a","structuredQuery":{}}"#, "lacks \"/\" at index", 10), (#"{}"#, "structuredQuery", 0),
        (#"{"structuredAggregationQuery":{"aggregations":[{}]}}"#, "Operator field in Aggregation is not set.", 47),
        (#"{"structuredQuery":{"where":{"fieldFilter":{"op":"EQUAL"}}}}"#, "Invalid empty property path string.", 43),
        (
            #"{"structuredQuery":{"findNearest":{"vectorField":{"fieldPath":"a"},"queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}},"limit":1}}}"#,
            "Unknown Distance Measure.", 34
        ),
    ])
    func errorsSayWhereAndWhat(_ text: String, words: String, offset: Int) throws {
        let node = try JSONParser.parse(text)
        do {
            _ = try QueryJSON.read(node, database: database)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.message.contains(words), "\(text): \(error)")
            #expect(error.offset == offset, "\(text): \(error)")
        }
    }

    /// Damaged requests end with a query or an error.
    @Test func damagedRequestsNeverTrap() throws {
        var fuzz = JSONFuzz(seed: SeededGenerator.printingSeed().seed)
        let sources = QueryTextTests.pairs.map(\.json)
        for _ in 0..<Rounds.of(3_000) {
            guard let node = try? JSONParser.parse(fuzz.pick(sources)) else { continue }
            let altered = fuzz.alter(node)
            guard let request = try? QueryJSON.read(altered, database: database) else { continue }
            let catalog = IndexCatalog(IndexConfiguration())
            _ = try? Planner.plan(request, catalog: catalog, database: database)
            _ = try? Planner.planByScanning(request, catalog: catalog, database: database)
        }
    }
}
