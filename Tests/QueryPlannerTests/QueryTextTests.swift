// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// The text form against the JSON form of the same query, written by hand.
@Suite struct QueryTextTests {
    private let database = DatabaseID(project: "hearth")

    static let pairs: [(text: String, json: String)] = [
        (
            #"cities.where("state","==","CA").orderBy("population","desc").limit(3)"#,
            #"{"parent":"","structuredQuery":{"from":[{"collectionId":"cities"}],"where":{"fieldFilter":{"field":{"fieldPath":"state"},"op":"EQUAL","value":{"stringValue":"CA"}}},"orderBy":[{"field":{"fieldPath":"population"},"direction":"DESCENDING"}],"limit":3}}"#
        ),
        (
            #"db.collection("a/b/c").where('x', '>=', -1.5e3).offset(2);"#,
            #"{"parent":"a/b","structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"x"},"op":"GREATER_THAN_OR_EQUAL","value":{"doubleValue":-1500.0}}},"offset":2}}"#
        ),
        (
            #"db.collection("a").doc("b").collection("c").limitToLast(2).orderBy("x")"#,
            #"{"parent":"a/b","structuredQuery":{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"x"}}],"limit":2},"limitToLast":true}"#
        ),
        (
            #"collectionGroup("landmarks").where("__name__", ">", "cities/SF")"#,
            #"{"parent":"","structuredQuery":{"from":[{"collectionId":"landmarks","allDescendants":true}],"where":{"fieldFilter":{"field":{"fieldPath":"__name__"},"op":"GREATER_THAN","value":{"referenceValue":"cities/SF"}}}}}"#
        ),
        (
            #"c.where(or(where("a","in",[1,2.0,"x"]), and(where("b","==",null), where("d","!=",NaN))))"#,
            #"{"parent":"","structuredQuery":{"from":[{"collectionId":"c"}],"where":{"compositeFilter":{"op":"OR","filters":[{"fieldFilter":{"field":{"fieldPath":"a"},"op":"IN","value":{"arrayValue":{"values":[{"integerValue":"1"},{"doubleValue":2.0},{"stringValue":"x"}]}}}},{"compositeFilter":{"op":"AND","filters":[{"unaryFilter":{"field":{"fieldPath":"b"},"op":"IS_NULL"}},{"unaryFilter":{"field":{"fieldPath":"d"},"op":"IS_NOT_NAN"}}]}}]}}}}"#
        ),
        (
            #"c.where("a","array-contains",{x: true, "y z": [null]}).where("m.n","not-in",[Bytes("AQI=")]).select("a","m.n").count()"#,
            #"{"parent":"","structuredAggregationQuery":{"structuredQuery":{"select":{"fields":[{"fieldPath":"a"},{"fieldPath":"m.n"}]},"from":[{"collectionId":"c"}],"where":{"compositeFilter":{"op":"AND","filters":[{"fieldFilter":{"field":{"fieldPath":"a"},"op":"ARRAY_CONTAINS","value":{"mapValue":{"fields":{"x":{"booleanValue":true},"y z":{"arrayValue":{"values":[{"nullValue":null}]}}}}}}},{"fieldFilter":{"field":{"fieldPath":"m.n"},"op":"NOT_IN","value":{"arrayValue":{"values":[{"bytesValue":"AQI="}]}}}}]}}},"aggregations":[{"count":{}}]}}"#
        ),
        (
            #"c.orderBy("t").startAt(Timestamp("2024-01-01T00:00:00Z")).endBefore(GeoPoint(37.7,-122.4)).aggregate(sum("f"), average("g"), count())"#,
            #"{"parent":"","structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"t"}}],"startAt":{"values":[{"timestampValue":"2024-01-01T00:00:00Z"}],"before":true},"endAt":{"values":[{"geoPointValue":{"latitude":37.7,"longitude":-122.4}}],"before":true}},"aggregations":[{"sum":{"field":{"fieldPath":"f"}}},{"avg":{"field":{"fieldPath":"g"}}},{"count":{}}]}}"#
        ),
        (
            #"c.orderBy("__name__").startAfter("x").endAt(Reference("c/y"))"#,
            #"{"parent":"","structuredQuery":{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"__name__"}}],"startAt":{"values":[{"referenceValue":"c/x"}]},"endAt":{"values":[{"referenceValue":"c/y"}]}}}"#
        ),
        (
            #"c.where("`a.b`", "<", Infinity).where("s", "==", "\u00e9\n\"'")"#,
            #"{"parent":"","structuredQuery":{"from":[{"collectionId":"c"}],"where":{"compositeFilter":{"op":"AND","filters":[{"fieldFilter":{"field":{"fieldPath":"`a.b`"},"op":"LESS_THAN","value":{"doubleValue":"Infinity"}}},{"fieldFilter":{"field":{"fieldPath":"s"},"op":"EQUAL","value":{"stringValue":"é\n\"'"}}}]}}}}"#
        ),
        (
            #"c.where("n","<",3).findNearest("emb", [1, 2.5, -3], {limit: 5, distanceMeasure: "COSINE"})"#,
            #"{"parent":"","structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":"LESS_THAN","value":{"integerValue":"3"}}},"findNearest":{"vectorField":{"fieldPath":"emb"},"queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.0},{"doubleValue":2.5},{"doubleValue":-3.0}]}}}}},"distanceMeasure":"COSINE","limit":5}}}"#
        ),
        (
            #"c.select("d").findNearest({vectorField: 'a.b', queryVector: Vector([1]), 'limit': 1, distanceMeasure: 'DOT_PRODUCT', distanceThreshold: 4, distanceResultField: 'd',})"#,
            #"{"parent":"","structuredQuery":{"from":[{"collectionId":"c"}],"select":{"fields":[{"fieldPath":"d"}]},"findNearest":{"vectorField":{"fieldPath":"a.b"},"queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.0}]}}}}},"distanceMeasure":"DOT_PRODUCT","limit":1,"distanceResultField":"d","distanceThreshold":4.0}}}"#
        ),
        (
            #"collectionGroup("c").findNearest("`a.b`", [0], {distanceThreshold: -0.5, distanceMeasure: "EUCLIDEAN", limit: 1000}).count()"#,
            #"{"parent":"","structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c","allDescendants":true}],"findNearest":{"vectorField":{"fieldPath":"`a.b`"},"queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":0}]}}}}},"distanceMeasure":"EUCLIDEAN","limit":1000,"distanceThreshold":-0.5}},"aggregations":[{"count":{}}]}}"#
        ),
    ]

    @Test(arguments: pairs) func readsAsItsJSONForm(_ pair: (text: String, json: String)) throws {
        let fromText = try QueryText.parse(pair.text, database: database)
        let fromJSON = try QueryJSON.read(JSONParser.parse(pair.json), database: database)
        #expect(written(fromText) == written(fromJSON))
        let readBack = try QueryJSON.read(JSONParser.parse(written(fromText)), database: database)
        #expect(written(readBack) == written(fromText))
    }

    static let errors: [(text: String, offset: Int, words: String)] = [
        ("", 0, "expected a collection"), ("cities.", 7, "expected a call"),
        (#"cities.wear("a","==",1)"#, 7, "no call 'wear'"), (#"cities.where("a","=",1)"#, 17, "no operator '='"),
        (#"cities.where("a","==",CA)"#, 22, "put text in quotes"),
        (#"cities.where("a","==","CA)"#, 22, "no closing"),
        (#"cities.where("a","==")"#, 21, "expected ','"), (#"collection("a/b")"#, 11, "odd number"),
        (#"collection("./a/b")"#, 11, "resource id"),
        ("cities.limit(2147483648)", 13, "Invalid value at 'structured_query.limit.value' (TYPE_INT32), 2147483648"),
        ("cities.orderBy('a').limitToLast(-2147483649)", 32, "query.limit.value' (TYPE_INT32), -2147483649"),
        ("cities.offset(9223372036854775807)", 14, "'structured_query.offset.value' (TYPE_INT32), 9223372036854775807"),
        (#"c.findNearest("v", [1], {limit: 2147483648})"#, 32, "find_nearest.limit.value' (TYPE_INT32)"),
        (#"cities.limit(x)"#, 13, "whole number"), (#"cities.count().limit(1)"#, 15, "nothing follows"),
        (#"cities.orderBy("a","up")"#, 19, "direction"), (#"cities.where("a..b","==",1)"#, 13, "'..'"),
        (#"cities where"#, 7, "expected a '.'"), ("cities.where(\"a\",\"==\",01x)", 22, "no number"),
        (#"cities.where("a","==",GeoPoint(91,0))"#, 22, "latitude"), (#"collectionGroup("a/b")"#, 16, "no slash"),
        (#"c.findNearest("v", 1, {})"#, 19, "an array of numbers"), (#"c.findNearest("v", ["x"], {})"#, 19, "a number"),
        (#"c.findNearest("v", [1])"#, 22, "expected ','"), (#"c.findNearest("v", [1], 5)"#, 24, "expected '{'"),
        (#"c.findNearest("v", [1], {limit: 5})"#, 13, "needs the option 'distanceMeasure'"),
        (#"c.findNearest("v", [1], {distanceMeasure: "COSINE"})"#, 13, "needs the option 'limit'"),
        (#"c.findNearest({queryVector: [1], limit: 5, distanceMeasure: "COSINE"})"#, 13, "'vectorField'"),
        (#"c.findNearest({vectorField: "v", limit: 5, distanceMeasure: "COSINE"})"#, 13, "'queryVector'"),
        (#"c.findNearest("v", [1], {measure: "COSINE"})"#, 25, "distanceThreshold and distanceResultField"),
        (#"c.findNearest("v", [1], {vectorField: "v"})"#, 25, "no option 'vectorField'"),
        (#"c.findNearest("v", [1], {distanceMeasure: "cosine"})"#, 42, "\"EUCLIDEAN\", \"COSINE\" or \"DOT_PRODUCT\""),
        (#"c.findNearest("v", [1], {distanceMeasure: COSINE})"#, 42, "in quotes"),
        (#"c.findNearest("v", [1], {limit: 1.5})"#, 32, "whole number"),
        (#"c.findNearest("v", [1], {limit: 1, limit: 2})"#, 35, "occurs twice"),
        (#"c.findNearest("v", [1], {distanceThreshold: "1"})"#, 44, "a number"),
        (#"c.findNearest("v", [1], {distanceResultField: 1})"#, 46, "a field in quotes"),
        (#"c.findNearest("v", [1], {limit: 5, distanceMeasure: "COSINE"}"#, 61, "expected ')'"),
        (#"c.where("a","==","\q")"#, 18, "no escape"), (#"doc("a/b")"#, 10, "a document is no query"),
    ]

    @Test(arguments: errors) func errorsSayWhereAndWhat(_ example: (text: String, offset: Int, words: String)) {
        do {
            _ = try QueryText.parse(example.text, database: database)
            Issue.record("\(example.text) was read")
        } catch {
            #expect(error.offset == example.offset, "\(example.text): \(error)")
            #expect(error.message.contains(example.words), "\(example.text): \(error)")
        }
    }

    /// Whatever the text, reading it ends with a query or an error that lies inside it.
    @Test func damagedTextsNeverTrap() throws {
        try check(count: Rounds.of(4_000)) { generator in
            var bytes = Array(generator.pick(QueryTextTests.pairs).text.utf8)
            for _ in 0...generator.int(0..<4) where !bytes.isEmpty {
                let place = generator.int(0..<bytes.count)
                switch generator.int(0..<4) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(generator.pick(Array("()[]{}.,\"'\\-:e9".utf8)), at: place)
                case 2: bytes.removeSubrange(place...)
                default: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        } failure: { text in
            do throws(QueryTextError) {
                _ = try QueryText.parse(text, database: DatabaseID(project: "hearth"))
                return nil
            } catch {
                return error.offset <= text.utf8.count ? nil : "\(error)"
            }
        }
    }

    @Test func printedValuesReadBack() throws {
        try check(count: Rounds.of(2_000)) { generator in
            var random = RandomQueries(generator)
            let value = random.value()
            generator = random.generator
            return value
        } failure: { value in
            let text = "c.where(\"f\",\">\",\(QueryText.text(of: value)))"
            guard case .documents(let query) = try QueryText.parse(text, database: database),
                case .field(_, _, let read)? = query.filter
            else { return text }
            return read.isIdentical(to: value) ? nil : "\(text) became \(read)"
        }
    }

    private func written(_ request: QueryRequest) -> String {
        var writer = JSONWriter()
        QueryJSON.write(request, to: &writer, database: database)
        return writer.string
    }
}
