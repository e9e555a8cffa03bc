// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import SyncCore
import TestSupport
import Testing

/// The JSON of values and queries in bundles, in both forms in which protocol buffers are written.
@Suite struct BundleFormTests {
    private static let name = "\(BundleText.root)/c/d"

    private static func time(_ seconds: Int64, _ nanoseconds: Int32) -> Value {
        .timestamp(Timestamp(seconds: seconds, nanoseconds: nanoseconds)!)
    }

    private typealias Form = (json: String, value: Value)

    private static let plain: [Form] =
        [
            (#"{"nullValue":null}"#, .null),
            (#"{"nullValue":"NULL_VALUE"}"#, .null),
            (#"{"booleanValue":true}"#, true),
            (#"{"booleanValue":false}"#, false),
            (#"{"doubleValue":"NaN"}"#, .double(.nan)),
            (#"{"doubleValue":"-Infinity"}"#, .double(-.infinity)),
            (#"{"doubleValue":"Infinity"}"#, .double(.infinity)),
            (
                #"{"geoPointValue":{"latitude":1.23,"longitude":4.56}}"#,
                .geoPoint(GeoPoint(latitude: 1.23, longitude: 4.56)!)
            ),
            (#"{"bytesValue":"AAECAw=="}"#, .bytes([0, 1, 2, 3])),
            (
                #"{"referenceValue":"\#(name)"}"#,
                .reference(Reference(database: ScenarioForm.database, path: ScriptedClient.path("d").resource))
            ),
            (#"{"arrayValue":{"values":[{"booleanValue":true},{"stringValue":"foo"}]}}"#, [true, "foo"]),
            (#"{"arrayValue":{}}"#, []),
            (#"{"mapValue":{}}"#, [:]),
            // Names of the program that are words of the form.
            (
                #"{"mapValue":{"fields":{"timestampValue":{"mapValue":{"fields":{"fields":{"timestampValue":"#
                    + #"{"seconds":1}}}}}}}}"#,
                ["timestampValue": ["fields": time(1, 0)]]
            ),
            (
                #"{"mapValue":{"fields":{"a":{"arrayValue":{"values":[{"mapValue":{"fields":{"b":"#
                    + #"{"booleanValue":false}}}}]}},"o":{"mapValue":{"fields":{"e":"#
                    + #"{"integerValue":"-9223372036854775808"}}}}}}}"#,
                ["a": [["b": false]], "o": ["e": .integer(.min)]]
            ),
        ]

    private static let integers: [Form] = [Int64.min, -100, -1, 0, 1, 100, .max].flatMap { n -> [Form] in
        [(#"{"integerValue":\#(n)}"#, .integer(n)), (#"{"integerValue":"\#(n)"}"#, .integer(n))]
    }

    private static let doubles: [Form] = [
        -Double.greatestFiniteMagnitude, -0x1p63, -2, -1.1, -.leastNonzeroMagnitude, -.leastNormalMagnitude, -0.0, 0,
        .leastNonzeroMagnitude, 0.1, 1.1, 0x1p63, .greatestFiniteMagnitude,
    ].map { n -> Form in (#"{"doubleValue":\#(n)}"#, .double(n)) }

    private static let strings: [Form] = [
        "", "a", "abc def", "æ", "\u{d7ff}\u{e000}\u{ffff}", "(╯°□°）╯︵ ┻━┻", "😊",
    ].map { text -> Form in (#"{"stringValue":"\#(text)"}"#, .string(Text(text))) }

    private static let times: [Form] = [
        (#""1970-01-01T00:00:00.000Z""#, time(0, 0)),
        (#"{}"#, time(0, 0)),
        (#"{"nanos":1000000}"#, time(0, 1_000_000)),
        (#""2020-01-01T01:00:00.001Z""#, time(1_577_840_400, 1_000_000)),
        (#"{"seconds":1577840400}"#, time(1_577_840_400, 0)),
        (#"{"seconds":"1577840520","nanos":1002000}"#, time(1_577_840_520, 1_002_000)),
        // What is kept is a microsecond.
        (#""2020-01-01T01:02:03.001002003Z""#, time(1_577_840_523, 1_002_000)),
        (#"{"seconds":1577840523,"nanos":1002003}"#, time(1_577_840_523, 1_002_000)),
    ].map { form -> Form in (#"{"timestampValue":\#(form.0)}"#, form.1) }

    private static let values: [Form] = plain + integers + doubles + strings + times

    @Test(arguments: values.indices) func value(_ number: Int) throws {
        let (json, value) = BundleFormTests.values[number]
        let client = ScriptedClient()
        var bundle = BundleText()
        bundle.addDocument("a", #""v":\#(json)"#)
        let effects = client.feed(.loadBundle(bundle.bytes(), load: 1))
        #expect(effects.bundleFailures == [], "\(json)")
        #expect(try client.cached("a").local.fields?["v" as Text]?.isIdentical(to: value) == true, "\(json)")
    }

    // MARK: Queries

    private static let collection = #""from":[{"collectionId":"c"}]"#

    private static func filter(_ op: String, _ value: String) -> String {
        #"{\#(collection),"where":{"fieldFilter":{"op":"\#(op)","field":{"fieldPath":"f"},"value":\#(value)}}}"#
    }

    private static func unary(_ op: String) -> String {
        #"{\#(collection),"where":{"unaryFilter":{"op":"\#(op)","field":{"fieldPath":"f"}}}}"#
    }

    private static func query(_ op: FieldOperator, _ value: Value) -> Query {
        Query.collection("c").with { $0.filter = .field("f", op, value) }
    }

    private static func query(_ op: UnaryOperator) -> Query {
        Query.collection("c").with { $0.filter = .unary("f", op) }
    }

    private static let queries: [(json: String, query: Query)] = [
        (#"{\#(collection)}"#, .collection("c")),
        (#"{"from":[{"collectionId":"c","allDescendants":true}]}"#, .collectionGroup("c")),
        (unary("IS_NULL"), query(.isNull)),
        (unary("IS_NOT_NULL"), query(.isNotNull)),
        (unary("IS_NAN"), query(.isNaN)),
        (unary("IS_NOT_NAN"), query(.isNotNaN)),
        (filter("LESS_THAN", #"{"stringValue":"x"}"#), query(.lessThan, "x")),
        (filter("LESS_THAN_OR_EQUAL", #"{"stringValue":"x"}"#), query(.lessThanOrEqual, "x")),
        (filter("GREATER_THAN", #"{"stringValue":"x"}"#), query(.greaterThan, "x")),
        (filter("GREATER_THAN_OR_EQUAL", #"{"stringValue":"x"}"#), query(.greaterThanOrEqual, "x")),
        (filter("EQUAL", #"{"stringValue":"x"}"#), query(.equal, "x")),
        (filter("NOT_EQUAL", #"{"stringValue":"x"}"#), query(.notEqual, "x")),
        (filter("ARRAY_CONTAINS", #"{"stringValue":"x"}"#), query(.arrayContains, "x")),
        (filter("IN", #"{"arrayValue":{"values":[{"stringValue":"x"}]}}"#), query(.in, ["x"])),
        (
            filter("ARRAY_CONTAINS_ANY", #"{"arrayValue":{"values":[{"stringValue":"x"}]}}"#),
            query(.arrayContainsAny, ["x"])
        ),
        (filter("NOT_IN", #"{"arrayValue":{"values":[{"stringValue":"x"}]}}"#), query(.notIn, ["x"])),
        (
            #"{\#(collection),"where":{"compositeFilter":{"op":"AND","filters":["#
                + #"{"fieldFilter":{"op":"EQUAL","field":{"fieldPath":"f"},"value":{"stringValue":"x"}}},"#
                + #"{"fieldFilter":{"op":"EQUAL","field":{"fieldPath":"g"},"value":{"stringValue":"y"}}}]}}}"#,
            Query.collection("c").with { $0.filter = .and([.field("f", .equal, "x"), .field("g", .equal, "y")]) }
        ),
        (
            #"{\#(collection),"orderBy":[{"field":{"fieldPath":"f"}},{"field":{"fieldPath":"g"},"#
                + #""direction":"ASCENDING"},{"field":{"fieldPath":"h"},"direction":"DESCENDING"}]}"#,
            Query.collection("c").with { $0.orders = [Order("f"), Order("g"), Order("h", .descending)] }
        ),
        (#"{\#(collection),"limit":{"value":5}}"#, Query.collection("c").with { $0.limit = 5 }),
        (#"{\#(collection),"limit":5}"#, Query.collection("c").with { $0.limit = 5 }),
        (
            #"{\#(collection),"orderBy":[{"field":{"fieldPath":"f"}}],"#
                + #""startAt":{"values":[{"stringValue":"x"}],"before":true},"#
                + #""endAt":{"values":[{"stringValue":"y"}],"before":true}}"#,
            Query.collection("c").with {
                $0.orders = [Order("f")]
                $0.start = Cursor(["x"], before: true)
                $0.end = Cursor(["y"], before: true)
            }
        ),
    ]

    @Test(arguments: queries.indices, ReplicaPlace.allCases)
    func namedQuery(_ number: Int, _ place: ReplicaPlace) throws {
        let (json, query) = BundleFormTests.queries[number]
        let client = ScriptedClient(in: try place.make())
        var bundle = BundleText()
        bundle.addQuery("q", json)
        let effects = client.feed(.loadBundle(bundle.bytes(), load: 1))
        #expect(effects.bundleFailures == [], "\(json)")
        let named = try client.machine.namedQuery("q")
        #expect(named?.query == (try SyncQuery(query, database: ScenarioForm.database)), "\(json)")
        #expect(named?.readTime == Timestamp(microseconds: 5_000_000))
    }

    /// A bundle has the query that the program wrote, and says which end its limit cuts.
    @Test(arguments: ReplicaPlace.allCases) func limitsToTheLastRows(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make())
        var bundle = BundleText()
        let json = #"{\#(BundleFormTests.collection),"orderBy":[{"field":{"fieldPath":"n"}}],"limit":{"value":1}}"#
        bundle.addQuery("first", json)
        bundle.addQuery("last", json, limitType: "LAST")
        client.feed(.loadBundle(bundle.bytes(), load: 1))
        #expect(try client.machine.namedQuery("first")?.query == ScriptedClient.collection(limit: 1))
        #expect(try client.machine.namedQuery("last")?.query == ScriptedClient.collection(limit: 1, takesLast: true))
    }

    @Test(arguments: [
        #"{"from":[{"collectionId":"c"}],"offset":5}"#, #"{"from":[{"collectionId":"c"}],"select":{"fields":[]}}"#,
        #"{"from":[]}"#, #"{"from":[{"collectionId":"c"},{"collectionId":"d"}]}"#,
        #"{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"op":"OTHER"}}}"#,
    ])
    func refusedQueries(_ json: String) throws {
        let client = ScriptedClient()
        var bundle = BundleText()
        bundle.addQuery("q", json)
        #expect(client.feed(.loadBundle(bundle.bytes(), load: 1)).bundleFailures.map(\.code) == [.invalidArgument])
        #expect(try client.machine.namedQuery("q") == nil)
    }
}
