// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Output for other programs, and help with spelling.
@Suite struct RowFormatTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        let documents = [
            #"{"name":"cities/SF","fields":{"name":{"stringValue":"San, \"Fran\""},"n":{"integerValue":"3"}}}"#,
            #"{"name":"cities/LA","fields":{"at":{"timestampValue":"2024-01-01T00:00:00Z"},"#
                + #""tags":{"arrayValue":{"values":[{"stringValue":"a"},{"doubleValue":"NaN"}]}}}}"#,
        ]
        try bench.write("docs.ndjson", documents.joined(separator: "\n"))
        _ = try bench.hearth("import", "my.db", "docs.ndjson")
    }

    @Test func plain() throws {
        let lines = [
            #"{"__name__":"cities/LA","at":"2024-01-01T00:00:00Z","tags":["a","NaN"]}"#,
            #"{"__name__":"cities/SF","n":3,"name":"San, \"Fran\""}"#,
        ]
        #expect(try bench.hearth("query", "my.db", "cities", "--format", "plain").lines == lines)
        #expect(try bench.hearth("export", "my.db", "--format", "plain").lines == lines)
    }

    @Test func csv() throws {
        let lines = [
            "__name__,at,n,name,tags", #"cities/LA,2024-01-01T00:00:00Z,,,"[""a"",""NaN""]""#,
            #"cities/SF,,3,"San, ""Fran""","#,
        ]
        #expect(try bench.hearth("query", "my.db", "cities", "--format", "csv").lines == lines)
        #expect(try bench.hearth("export", "my.db", "--format", "csv").lines == lines)
    }

    /// The lossless form, as export prints it.
    @Test func ndjson() throws {
        let export = try bench.hearth("export", "my.db")
        #expect(try bench.hearth("query", "my.db", "cities", "--format", "ndjson").output == export.output)
        #expect(try bench.hearth("export", "my.db", "--format", "ndjson").output == export.output)
    }

    /// Beside a sum, documents without its field do not count.
    @Test func aggregationsHaveNames() throws {
        let query = "cities.aggregate(count(), sum('n'))"
        #expect(try bench.hearth("query", "my.db", query, "--format", "plain").output == "{\"count\":1,\"sum(n)\":3}\n")
        #expect(try bench.hearth("query", "my.db", query, "--format", "csv").output == "count,sum(n)\n1,3\n")
        #expect(
            try bench.hearth("query", "my.db", "cities.count()", "--format", "table").output.hasPrefix("count  2\n"))
    }

    @Test func errorsAreNoRows() throws {
        let run = try bench.hearth(
            "query", "my.db", "cities.where('a','==',1).orderBy('b')", "--format", "csv")
        #expect(run.code == 1 && run.output.isEmpty)
        #expect(run.errors.contains("FAILED_PRECONDITION") && run.errors.contains(#""fieldPath":"b""#))
        #expect(try bench.hearth("query", "my.db", "cities", "--format", "csv", "--explain").code == 64)
    }

    @Test func namesAreWhole() throws {
        let id = String(repeating: "long", count: 50)
        _ = try bench.hearth("set", "my.db", "cities/\(id)", #"{"a":1}"#)
        #expect(try bench.hearth("query", "my.db", "cities", "--format", "table").output.contains("cities/\(id)"))
    }

    @Test(
        arguments: [
            (["qurey", "my.db", "c"], "there is no command \"qurey\": did you mean query?"),
            (
                ["indexes", "aply", "my.db"],
                "there is no command \"aply\" of hearth indexes: did you mean indexes apply?"
            ),
            (["query", "my.db", "cities.oderBy('a')"], "there is no call 'oderBy'; did you mean 'orderBy'?"),
            (["query", "my.db", "cities.where('a','=',1)"], "there is no operator '='; did you mean '=='?"),
            (
                ["query", "my.db", "cities.where('a','array_contain',1)"],
                "there is no operator 'array_contain'; did you mean 'array-contains'?"
            ),
        ] as [([String], String)])
    func spelling(_ arguments: [String], _ help: String) throws {
        let run = try bench.hearth(arguments: arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(help), "\(run.errors)")
    }

    @Test func collectionsThatDoNotExist() throws {
        let run = try bench.hearth("query", "my.db", "citis", "--format", "json")
        #expect(run.code == 0)
        #expect(
            run.errors == "hearth: there is no collection \"citis\"; there are cities; did you mean cities?\n")
        #expect(try bench.hearth("query", "my.db", "cities", "--format", "json").errors.isEmpty)
    }
}
