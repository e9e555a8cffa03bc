// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

private let database = DatabaseID(project: "hearth")

extension FuzzTarget {
    static let queryText = FuzzTarget(
        "query-text",
        seeds: [
            #"cities.where("state","==","CA").orderBy("population","desc").limit(3)"#,
            #"collectionGroup('l').where(or(where("a","in",[1,2.0]),and(where("b","!=",null),where("c",">",NaN)))).count()"#,
            #"db.collection("a").doc("b").collection("c").startAt(Timestamp("2024-01-01T00:00:00Z"),GeoPoint(1,-2)).select("a")"#,
            #"c.where("x","array-contains-any",[Bytes("AQI="),Reference("a/b")]).aggregate(sum("f"),average("g"))"#,
        ]
    ) { bytes throws(Broken) in
        guard let request = try? QueryText.parse(String(decoding: bytes, as: UTF8.self), database: database) else {
            return
        }
        try requireJSON(request)
    }

    static let queryJSON = FuzzTarget(
        "query-json",
        seeds: [
            #"{"parent":"a/b","structuredQuery":{"from":[{"collectionId":"c","allDescendants":true}],"where":{"compositeFilter":{"op":"OR","filters":[{"fieldFilter":{"field":{"fieldPath":"a"},"op":"IN","value":{"arrayValue":{"values":[{"integerValue":"1"}]}}}},{"unaryFilter":{"field":{"fieldPath":"b"},"op":"IS_NAN"}}]}},"orderBy":[{"field":{"fieldPath":"a"},"direction":"DESCENDING"}],"startAt":{"values":[{"integerValue":"1"}],"before":true},"offset":1,"limit":2}}"#,
            #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[{"alias":"n","count":{"upTo":3}},{"alias":"s","sum":{"field":{"fieldPath":"x"}}}]}}"#,
            #"{"structuredQuery":{"from":[{"collectionId":"c"}],"findNearest":{"vectorField":{"fieldPath":"v"},"queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}},"distanceMeasure":"COSINE","limit":3}}}"#,
        ]
    ) { bytes throws(Broken) in
        guard let node = try? JSONParser.parse(bytes), let request = try? QueryJSON.read(node, database: database)
        else {
            return
        }
        try requireJSON(request)
    }

    /// A query is planned or refused, and its JSON form is the same query.
    private static func requireJSON(_ request: QueryRequest) throws(Broken) {
        let catalog = IndexCatalog(composites: [], fieldOverrides: [])
        let isPlanned = (try? Planner.plan(request, catalog: catalog, database: database)) != nil
        // Counts have 32 bits in JSON. A greater count is refused before it is written.
        if max(request.query.limit ?? 0, request.query.offset) > Int(Int32.max) {
            return try require(!isPlanned, "a count of more than 32 bits is not refused")
        }
        let written = json(request)
        guard let node = try? JSONParser.parse(written), let again = try? QueryJSON.read(node, database: database)
        else {
            throw Broken(description: "what was written cannot be read: \(String(decoding: written, as: UTF8.self))")
        }
        try require(json(again) == written, "a query is read as another than was written")
    }

    private static func json(_ request: QueryRequest) -> [UInt8] {
        var writer = JSONWriter()
        QueryJSON.write(request, to: &writer, database: database)
        return writer.bytes
    }

    static let commitJSON = FuzzTarget(
        "commit-json",
        seeds: [
            #"[{"update":{"name":"c/d","fields":{"a":{"integerValue":"1"}}},"updateMask":{"fieldPaths":["a","b.`c d`"]},"currentDocument":{"exists":true}}]"#,
            #"[{"delete":"c/d","currentDocument":{"updateTime":"2024-01-01T00:00:00Z"}},{"verify":"c/e"}]"#,
            #"[{"update":{"name":"c/d"},"updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}},{"fieldPath":"t","setToServerValue":"REQUEST_TIME"},{"fieldPath":"l","appendMissingElements":{"values":[{"nullValue":null}]}}]}]"#,
        ]
    ) { bytes throws(Broken) in
        guard let node = try? JSONParser.parse(bytes),
            let writes = try? WriteJSON.read(node, .fullOrRelative(in: database))
        else {
            return
        }
        for write in writes {
            guard case .update(let fields, _, _) = write.operation else { continue }
            _ = try? DocumentLimits.validate(write.path, fields, database: database)
        }
    }
}
