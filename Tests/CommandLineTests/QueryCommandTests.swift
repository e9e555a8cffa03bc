// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct QueryCommandTests {
    let bench: Workbench

    static let configuration = """
        {"indexes": [
          // by state
          {"collectionGroup":"cities","queryScope":"COLLECTION","fields":[
            {"fieldPath":"state","order":"ASCENDING"},{"fieldPath":"population","order":"DESCENDING"}]}
        ]}
        """

    init() throws {
        bench = try Workbench()
        let cities = """
            {"id":"LA","state":"CA","population":3820914,"name":"Los Angeles"}
            {"id":"NY","state":"NY","population":8804190,"name":"New York"}
            {"id":"SF","state":"CA","population":808988,"name":"San Francisco"}
            """
        _ = try bench.hearth("import", "a.db", "-", "--collection", "cities", "--id-field", "id", input: cities)
        try bench.write("i.json", Self.configuration)
        let applied = try bench.hearth("indexes", "apply", "a.db", "i.json")
        #expect(
            applied.output == """
                built cities COLLECTION (state ASC, population DESC, __name__ DESC)
                1 composite index and 0 field overrides in force

                """)
    }

    static let served = "cities.where('state','==','CA').orderBy('population','desc')"
    static let refused = "cities.where('state','==','CA').orderBy('name')"
    static let url =
        "https://console.firebase.google.com/v1/r/project/hearth/firestore/indexes?create_composite="
        + "CkVwcm9qZWN0cy9oZWFydGgvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9uR3JvdXBzL2NpdGllcy9pbmRleGVzL18QARoJCgVzdGF0ZRAB"
        + "GggKBG5hbWUQARoMCghfX25hbWVfXxAB"

    /// What no message can hold is no query, as text as in JSON.
    @Test(arguments: [
        "cities.limit(2147483648)", "db.collection('cities').limit(2147483648)",
        #"{"structuredQuery":{"from":[{"collectionId":"cities"}],"limit":2147483648}}"#,
    ])
    func limitBeyondThirtyTwoBits(_ query: String) throws {
        let run = try bench.hearth("query", "a.db", query)
        #expect(run.code == 64)
        let reason = "Error: the query: Invalid value at 'structured_query.limit.value' (TYPE_INT32), 2147483648"
        #expect(run.errors.hasPrefix(reason), "\(run.errors)")
    }

    @Test func jsonLines() throws {
        let run = try bench.hearth("query", "a.db", Self.served + ".select('name')")
        #expect(run.code == 0)
        let pattern =
            #/\{"documents":\[\{"name":"cities\/LA","fields":\{"name":\{"stringValue":"Los Angeles"\}\},"createTime":"[-0-9T:.]+Z","updateTime":"[-0-9T:.]+Z"\},\{"name":"cities\/SF".*\]\}\n/#
        #expect(run.output.wholeMatch(of: pattern) != nil, "\(run.output)")
        #expect(
            try bench.hearth("query", "a.db", Self.served, "--names-only").output
                == "{\"names\":[\"cities/LA\",\"cities/SF\"]}\n")
        #expect(
            try bench.hearth("query", "a.db", "cities.aggregate(count(), sum('population'), average('population'))")
                .output
                .hasPrefix("{\"aggregates\":{"))
        let request =
            #"{"id":{"a":1},"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"cities"}]},"aggregations":[{"alias":"n","count":{}}]}}"#
        #expect(
            try bench.hearth("query", "a.db", request).output
                == "{\"id\":{\"a\":1},\"aggregates\":{\"n\":{\"integerValue\":\"3\"}}}\n")
    }

    @Test func plansAndCounters() throws {
        let run = try bench.hearth("query", "a.db", Self.served, "--names-only", "--explain")
        #expect(
            run.output.contains(
                #""plan":{"production":{"indexesUsed":[{"queryScope":"Collection","properties":"(state ASC, population DESC, __name__ DESC)"}],"plan":{"node":"Index scan","#
            ))
        let analyzed = try bench.hearth("query", "a.db", Self.served, "--names-only", "--analyze", "--as", "production")
        #expect(analyzed.output.contains(#""stats":{"entriesScanned":2,"#), "\(analyzed.output)")
        #expect(
            analyzed.output.hasSuffix(
                #""production":{"index_entries_scanned":2,"documents_scanned":2,"read_operations":2,"results_returned":2}}}"#
                    + "\n"))
    }

    @Test func tables() throws {
        let run = try bench.hearth("query", "a.db", Self.served, "--format", "table", "--explain")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            lines.dropLast(2) == [
                "document   id  name           population  state",
                "─────────  ──  ─────────────  ──────────  ─────",
                "cities/LA  LA  Los Angeles       3820914  CA",
                "cities/SF  SF  San Francisco      808988  CA",
                "",
                "Index scan: cities (state ASC, population DESC, __name__ DESC) where state == \"CA\"",
            ])
        #expect(
            lines[lines.count - 2].contains(/^2 rows · 2 entries scanned · 2 documents read · 1 seek · [0-9.]+ m?s$/),
            "\(run.output)")
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func missingIndexForPrograms() throws {
        let run = try bench.hearth("query", "a.db", Self.refused)
        #expect(run.code == 1)
        #expect(
            run.output == """
                {"error":{"status":"FAILED_PRECONDITION","code":9,"message":"The query requires an index. You can create it here: \
                \(Self.url)","missingIndex":{"collectionGroup":"cities","queryScope":"COLLECTION","fields":[\
                {"fieldPath":"state","order":"ASCENDING"},{"fieldPath":"name","order":"ASCENDING"},\
                {"fieldPath":"__name__","order":"ASCENDING"}]},"createUrl":"\(Self.url)","fix":{"indexes":[\
                {"collectionGroup":"cities","queryScope":"COLLECTION","fields":[{"fieldPath":"state","order":"ASCENDING"},\
                {"fieldPath":"name","order":"ASCENDING"}]}]},"closest":{"index":{"collectionGroup":"cities",\
                "queryScope":"COLLECTION","fields":[{"fieldPath":"state","order":"ASCENDING"},\
                {"fieldPath":"population","order":"DESCENDING"},{"fieldPath":"__name__","order":"DESCENDING"}]},\
                "reason":"It also has the field population: documents without that field are not in it."}}}

                """)
        let url = try bench.hearth("query", "a.db", Self.refused, "--project", "p").output
        #expect(url.contains("/v1/r/project/p/firestore/"))
    }

    @Test func missingIndexForPeople() throws {
        let run = try bench.hearth("query", "a.db", Self.refused, "--format", "table")
        #expect(run.code == 1)
        #expect(
            run.output.hasPrefix(
                """
                FAILED_PRECONDITION: The query requires an index. You can create it here: \(Self.url)

                The closest index does not serve it
                  cities COLLECTION (state ASC, population DESC, __name__ DESC)
                  It also has the field population: documents without that field are not in it.

                Add this to firestore.indexes.json
                  {
                    "indexes": [

                """), "\(run.output)")
    }

    @Test func fixOfAMissingIndexServesTheQuery() throws {
        for query in [Self.refused, "collectionGroup('cities').where('state','==','CA')"] {
            let run = try bench.hearth("query", "a.db", query)
            let answer = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            let error = try #require(answer?["error"] as? [String: Any])
            let fix = try JSONSerialization.data(withJSONObject: try #require(error["fix"]))
            let applied = try bench.hearth("indexes", "apply", "a.db", "-", input: String(decoding: fix, as: UTF8.self))
            #expect(applied.code == 0, "\(applied)")
            #expect(
                try bench.hearth("query", "a.db", query, "--names-only").output
                    == "{\"names\":[\"cities/LA\",\"cities/SF\"]}\n")
            let link = try bench.hearth("link", "decode", try #require(error["createUrl"] as? String))
            let decoded = try JSONSerialization.jsonObject(with: Data(link.output.utf8)) as? NSDictionary
            #expect(decoded == error["fix"] as? NSDictionary)
        }
    }

    @Test func scanningIsSaid() throws {
        let run = try bench.hearth("query", "a.db", Self.refused, "--allow-scan", "--names-only")
        #expect(run.output == "{\"names\":[\"cities/LA\",\"cities/SF\"]}\n")
        #expect(run.errors == "hearth: warning: query has no index and ran by scanning; production would refuse it\n")
        #expect(run.code == 0)
        // Production has no plan for it, and no counters.
        for format in ["json", "table"] {
            let plan = try bench.hearth(
                "query", "a.db", Self.refused, "--allow-scan", "--explain", "--analyze", "--format", format)
            #expect(plan.code == 0 && !plan.output.contains("production"), "\(plan.output)")
            let executed = format == "json" ? #""plan":{"executed":{"node":"Sort""# : "\nSort: by name ASC"
            #expect(plan.output.contains(executed), "\(plan.output)")
        }
    }

    @Test func queriesFile() throws {
        let queries = """
            {"id":"first","query":"cities.orderBy('population').limit(1)"}

            {no json
            {"id":7,"query":"cities.where("}
            {"structuredQuery":{"from":[{"collectionId":"cities"}],"limit":1}}
            {"id":"two","query":"cities.where('a','array-contains',1).where('b','array-contains',2)"}
              cities.orderBy('population').limit(1)
            not a query
            """
        let run = try bench.hearth("query", "a.db", "--queries", "-", "--names-only", input: queries)
        #expect(run.code == 1)
        #expect(
            run.lines == [
                #"{"id":"first","names":["cities/SF"]}"#,
                #"{"id":"3","error":{"status":"INVALID_ARGUMENT","code":3,"message":"Line 3 is no JSON: unexpected n: a key in double quotes is needed"}}"#,
                #"{"id":7,"error":{"status":"INVALID_ARGUMENT","code":3,"message":"expected a field in quotes, found the end (at character 14)"}}"#,
                #"{"id":"5","names":["cities/LA"]}"#,
                #"{"id":"two","error":{"status":"INVALID_ARGUMENT","code":3,"message":"A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."}}"#,
                #"{"id":"7","names":["cities/SF"]}"#,
                #"{"id":"8","error":{"status":"INVALID_ARGUMENT","code":3,"message":"expected a '.' and a call, found 'a' (at character 5)"}}"#,
            ])
    }

    @Test func queriesFileWithByteOrderMark() throws {
        for line in ["users.where('a','==',1)", #"{"id":"1","query":"users.where('a','==',1)"}"#] {
            try bench.write("marked.ndjson", "\u{FEFF}\(line)\n")
            try bench.write(
                "given.json",
                #"{"indexes":[],"fieldOverrides":[{"collectionGroup":"users","fieldPath":"a","indexes":[]}]}"#)
            let run = try bench.hearth("check", "--queries", "marked.ndjson", "--indexes", "given.json")
            // The mark is no part of the collection's name.
            #expect(run.output.contains(#""collectionGroup":"users""#), "\(run)")
        }
    }

    @Test func explainWithoutADatabase() throws {
        let run = try bench.hearth(
            "explain", "cities.where('state','in',['CA','NY']).orderBy('population','desc').limit(3)", "--indexes",
            "i.json")
        #expect(run.code == 0)
        #expect(
            run.output == """
                Page: limit 3
                └─ Merge: by population DESC, __name__ DESC
                   ├─ Index scan: cities (state ASC, population DESC, __name__ DESC) where state == "CA"
                   └─ Index scan: cities (state ASC, population DESC, __name__ DESC) where state == "NY"

                Indexes that production uses
                  collection (state ASC, population DESC, __name__ DESC) × 2

                """)
        let refused = try bench.hearth("explain", Self.refused, "--indexes", "i.json", "--format", "json")
        #expect(refused.code == 1)
        #expect(refused.output.hasPrefix("{\"error\":{\"status\":\"FAILED_PRECONDITION\""))
    }

    @Test func indexesList() throws {
        #expect(
            try bench.hearth("indexes", "list", "a.db").output
                == """
                collection  scope       fields                                         state
                ──────────  ──────────  ─────────────────────────────────────────────  ─────
                cities      COLLECTION  (state ASC, population DESC, __name__ DESC)    READY

                """.replacing("DESC)    READY", with: "DESC)  READY").replacing(
                    "─────────────────────────────────────────────  ─────",
                    with: "───────────────────────────────────────────  ─────"
                ).replacing(
                    "fields                                         state",
                    with: "fields                                       state"))
        let list = try bench.hearth("indexes", "list", "a.db", "--format", "json").output
        let object = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: [[String: Any]]]
        #expect(object?["indexes"]?.map { $0["state"] as? String } == ["READY"])
        #expect(object?["fieldOverrides"]?.isEmpty == true)
        let pruned = try bench.hearth("indexes", "apply", "a.db", "-", "--prune", input: "{\"indexes\":[]}")
        #expect(
            pruned.output == """
                dropped cities COLLECTION (state ASC, population DESC, __name__ DESC)
                0 composite indexes and 0 field overrides in force

                """)
        #expect(try bench.hearth("verify", "a.db").code == 0)
    }
}
