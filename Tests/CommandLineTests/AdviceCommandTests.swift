// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct AdviceCommandTests {
    let bench: Workbench

    static let queries = """
        {"id":"a","query":"r.where('category','==','x').orderBy('rating')"}
        {"id":"b","query":"r.where('city','==','x').orderBy('rating')"}
        {"id":"c","query":"r.where('category','==','x').where('city','==','x').orderBy('rating')"}

        """

    init() throws {
        bench = try Workbench()
        try bench.write("q.ndjson", Self.queries)
    }

    private func json(_ run: Run) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test func writesWhatCheckAccepts() throws {
        let run = try bench.hearth("advise", "--queries", "q.ndjson", "--output", "out.json", "--format", "json")
        #expect(run.code == 0)
        let report = try json(run)
        #expect((report["indexes"] as? [Any])?.count == 2)
        #expect((report["add"] as? [Any])?.count == 2)
        #expect(Set(report.keys).isSuperset(of: ["indexes", "fieldOverrides", "add", "unused", "redundant"]))
        #expect(try bench.hearth("check", "--indexes", "out.json", "--queries", "q.ndjson").code == 0)
        #expect(try bench.hearth("fmt", "out.json", "--check").code == 0)
        #expect(try bench.hearth("advise", "--queries", "q.ndjson", "--output", "out.json", "--check").code == 0)
        #expect(try bench.hearth("advise", "--queries", "q.ndjson", "--indexes", "out.json", "--check").code == 0)
        try bench.write("old.json", #"{"indexes":[]}"#)
        #expect(try bench.hearth("advise", "--queries", "q.ndjson", "--indexes", "old.json", "--check").code == 1)
        #expect(try bench.hearth("advise", "--queries", "q.ndjson", "--check").code == 64)
        #expect(try bench.hearth("advise", "--queries", "none.ndjson").code == 2)
    }

    /// A file that was renamed, or never committed.
    @Test func aFileThatDoesNotExistLacksEverything() throws {
        for others in [[], ["--indexes", "old.json"]] {
            try bench.write("old.json", #"{"indexes":[]}"#)
            let command = ["advise", "--queries", "q.ndjson", "--output", "no such.json", "--check"]
            let run = try bench.hearth(arguments: command + others)
            #expect(run.code == 1)
            #expect(
                run.errors == """
                    hearth: "no such.json" does not exist; hearth advise --queries q.ndjson --output 'no such.json' writes it

                    """)
        }
        try bench.write("none.ndjson", "")
        #expect(try bench.hearth("advise", "--queries", "none.ndjson", "--output", "no.json", "--check").code == 0)
    }

    @Test func fasterInsteadOfSmaller() throws {
        let run = try bench.hearth("advise", "--queries", "q.ndjson", "--prefer", "speed", "--format", "json")
        #expect((try json(run)["indexes"] as? [Any])?.count == 3)
    }

    @Test func tellsWhatIsRedundantAndByWhat() throws {
        func entry(_ fields: String...) -> String {
            let list = fields.map { #"{"fieldPath":"\#($0)","order":"ASCENDING"}"# }.joined(separator: ",")
            return #"{"collectionGroup":"r","queryScope":"COLLECTION","fields":[\#(list)]}"#
        }
        let entries = [
            entry("category", "city", "rating"), entry("category", "rating"), entry("city", "rating"), entry("x", "y"),
        ]
        try bench.write("big.json", #"{"indexes":[\#(entries.joined(separator: ","))]}"#)
        let report = try json(
            try bench.hearth("advise", "--queries", "q.ndjson", "--indexes", "big.json", "--format", "json"))
        #expect((report["add"] as? [Any])?.isEmpty == true)
        #expect((report["unused"] as? [Any])?.count == 1)
        let redundant = try #require((report["redundant"] as? [[String: Any]])?.first)
        #expect((redundant["coveredBy"] as? [Any])?.count == 2)
        #expect(redundant["cost"] as? String == "1 entry per document")
        let text = try bench.hearth("advise", "--queries", "q.ndjson", "--indexes", "big.json", "--format", "text")
        #expect(text.output.contains("redundant r COLLECTION (category ASC, city ASC, rating ASC, __name__ ASC)"))
        #expect(text.output.contains("it costs 1 entry per document"))
    }

    /// Run the queries, get the index file.
    @Test func recordsWhatAdviceReads() throws {
        try bench.write("docs.ndjson", #"{"name":"r/1","fields":{"city":{"stringValue":"secret"}}}"# + "\n")
        #expect(try bench.hearth("import", "my.db", "docs.ndjson").code == 0)
        for _ in 0..<2 {
            let run = try bench.hearth("query", "my.db", "--queries", "q.ndjson", "--record", "log.ndjson")
            #expect(run.code == 1)
        }
        let log = String(decoding: try bench.contents("log.ndjson"), as: UTF8.self)
        #expect(log.split(separator: "\n").count == 6)
        #expect(!log.contains(#""x""#))
        let run = try bench.hearth("advise", "--queries", "log.ndjson", "--output", "out.json", "--format", "json")
        #expect((try json(run)["indexes"] as? [Any])?.count == 2)
        #expect(try json(run)["queries"] as? Int == 6)
        #expect(try bench.hearth("check", "--indexes", "out.json", "--queries", "log.ndjson").code == 0)
        #expect(try bench.hearth("query", "my.db", "r", "--record", "no/such/folder").code == 2)
    }

    // MARK: Rules

    private static let drops = """
        {"indexes": [], "fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [
          {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]}
        """

    @Test func severitiesCanBeChanged() throws {
        try bench.write("f.json", Self.drops)
        #expect(try bench.hearth("validate", "f.json", "--strict").code == 1)
        let off = try bench.hearth("validate", "f.json", "--strict", "--rule", "override-drops-defaults=off")
        #expect(off.code == 0 && off.output.contains("nothing found"))
        #expect(try bench.hearth("validate", "f.json", "--rule", "override-drops-defaults=error").code == 1)
        #expect(try bench.hearth("validate", "f.json", "--rule", "no-such-rule=off").code == 64)
        try bench.write(".hearth.json", #"{"rules":{"override-drops-defaults":"off"}} // why"#)
        #expect(try bench.hearth("validate", "f.json", "--strict").code == 0)
        #expect(try bench.hearth("validate", "f.json", "--rule", "override-drops-defaults=error").code == 1)
        try bench.write("other.json", #"{"rules":{"override-drop":"off"}}"#)
        #expect(try bench.hearth("validate", "f.json", "--config", "other.json").code == 2)
    }

    @Test func fixesFiles() throws {
        let entry = """
            {"collectionGroup": "c", "queryScope": "Collection", "fields": [
              {"fieldPath": "a", "order": "ascending"}, {"fieldPath": "b", "order": "ASCENDING"},
            ]}
            """
        try bench.write("f.json", #"{"indexes": [\#(entry), /* twice */ \#(entry)]}"#)
        let run = try bench.hearth("validate", "f.json", "--fix")
        #expect(run.code == 0 && run.output.contains("nothing found"), "\(run.output)")
        #expect(try bench.hearth("validate", "f.json", "--strict").code == 0)
        #expect(try bench.hearth("validate", "-", "--fix").code == 64)
    }

    /// Many findings in one long line: the most severe are listed, and all are counted.
    @Test(arguments: ["json", "github", "text", "sarif"]) func endlessFindingsAreCut(_ format: String) throws {
        // Keys of separators alone resemble no other, which need not be found out for each.
        let marks = Array("_-$ ")
        let names = (0..<10_100).map { number in String((0..<7).map { marks[number >> (2 * $0) & 3] }) }
        let keys = names.map { "\"\($0)\": 1" }.joined(separator: ",")
        let input = "{\(keys), \"indexes\": [1]}"
        let run = try bench.hearth("validate", "-", "--format", format, input: input)
        #expect(run.code == 1)
        #expect(run.lines.count { $0.contains("unknown-key") } >= 9_999)
        #expect(run.output.contains("wrong-type"))
        #expect(run.errors == "hearth: \"-\" has 101 more findings, counted but not listed\n")
        guard format == "text" else { return }
        #expect(run.output.contains("1 file checked: 1 error, 10,100 warnings"))
        let off = try bench.hearth(
            "validate", "-", "--format", format, "--rule", "wrong-type=off", "--rule", "unknown-key=note", input: input)
        #expect(off.code == 0)
        let strict = try bench.hearth(
            "validate", "-", "--strict", "--rule", "wrong-type=off", input: #"{"x": 1, "indexes": [1]}"#)
        #expect(strict.code == 1)
    }

    /// SARIF 2.1.0's requirements on the parts that are written: sections 3.13, 3.14, 3.18, 3.19, 3.27 to 3.30, 3.49.
    @Test func sarifHasTheRequiredStructure() throws {
        try bench.write("f.json", Self.drops)
        try bench.write("g.json", "{")
        for arguments in [["f.json", "g.json"], ["-"]] {
            let run = try bench.hearth(
                arguments: ["validate", "--format", "sarif"] + arguments, input: #"{"indexes":[]}"#)
            let log = try json(run)
            #expect(log["version"] as? String == "2.1.0")
            let runs = try #require(log["runs"] as? [[String: Any]])
            #expect(runs.count == 1)
            let driver = try #require((runs[0]["tool"] as? [String: Any])?["driver"] as? [String: Any])
            #expect(driver["name"] as? String == "hearth")
            let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
            #expect(Set(rules).count == rules.count)
            let results = try #require(runs[0]["results"] as? [[String: Any]])
            #expect(results.count == (arguments.count == 2 ? 2 : 0))
            for result in results {
                let number = try #require(result["ruleIndex"] as? Int)
                #expect(rules[number] == result["ruleId"] as? String)
                #expect(["none", "note", "warning", "error"].contains(result["level"] as? String ?? ""))
                #expect(((result["message"] as? [String: Any])?["text"] as? String)?.isEmpty == false)
                let location = try #require((result["locations"] as? [[String: Any]])?.first)
                let place = try #require(location["physicalLocation"] as? [String: Any])
                #expect((place["artifactLocation"] as? [String: Any])?["uri"] as? String != nil)
                let region = try #require(place["region"] as? [String: Any])
                #expect(region["startLine"] as? Int ?? 0 >= 1 && region["startColumn"] as? Int ?? 0 >= 1)
            }
        }
    }
}
