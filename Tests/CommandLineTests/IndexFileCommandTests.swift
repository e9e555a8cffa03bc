// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct IndexFileCommandTests {
    let bench: Workbench

    static let bad = """
        {
          "indexes": [
            {"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [{"fieldPath": "a", "order": "ASCENDING"}]}
          ],
          "fieldOverride": []
        }
        """
    static let good = """
        {"fieldOverrides":[],"indexes":[{"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"b",\
        "order":"DESCENDING"},{"fieldPath":"a","arrayConfig":"CONTAINS"}]}]}
        """

    init() throws {
        bench = try Workbench()
        try bench.write("bad.json", Self.bad)
        try bench.write("good.json", Self.good)
        try bench.write("fine.json", #"{"indexes":[],"fieldOverrides":[]}"#)
    }

    @Test func validateForPeople() throws {
        let run = try bench.hearth("validate", "fine.json", "bad.json")
        #expect(run.code == 1)
        #expect(
            run.output == """
                bad.json:3:5: error: production refuses a composite index on "a" alone, which its single-field index already \
                gives: remove this entry [single-field-composite]
                  3 │     {"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [{"fieldPath": "a", "order":…
                    │     ^
                bad.json:5:3: warning: unknown key "fieldOverride" in the file: did you mean "fieldOverrides"? [unknown-key]
                  5 │   "fieldOverride": []
                    │   ^

                2 files checked: 1 error, 1 warning
                Why, and what to do:
                  hearth validate --explain single-field-composite
                  hearth validate --explain unknown-key

                """)
        let fine = try bench.hearth("validate", "-", input: #"{"indexes":[],"fieldOverrides":[]}"#)
        #expect(fine.output == "1 file checked: nothing found\n")
        #expect(fine.code == 0)
        #expect(try bench.hearth("validate", "fine.json", "no.json").code == 2)
        #expect(try bench.hearth("validate", "no.json").output == "")
        let warning = #"{"indexes":[],"fieldOverride":[]}"#
        #expect(try bench.hearth("validate", "-", input: warning).code == 0)
        #expect(try bench.hearth("validate", "-", "--strict", input: warning).code == 1)
        let broken = try bench.hearth("validate", "-", input: "{")
        #expect(broken.code == 1)
        #expect(broken.output.hasPrefix("<stdin>:1:2: error: "))
    }

    @Test func validateForPrograms() throws {
        let json = try bench.hearth("validate", "bad.json", "--format", "json").lines
        #expect(
            json[0] == """
                {"file":"bad.json","line":3,"column":5,"rule":"single-field-composite","severity":"error","message":"production \
                refuses a composite index on \\"a\\" alone, which its single-field index already gives: remove this entry"}
                """)
        let github = try bench.hearth("validate", "bad.json", "--format", "github").lines
        #expect(
            github == [
                "::error file=bad.json,line=3,col=5,title=single-field-composite::production refuses a composite index on "
                    + "\"a\" alone, which its single-field index already gives: remove this entry",
                "::warning file=bad.json,line=5,col=3,title=unknown-key::unknown key \"fieldOverride\" in the file: "
                    + "did you mean \"fieldOverrides\"?",
            ])
    }

    @Test func validateAsSARIF() throws {
        let run = try bench.hearth("validate", "bad.json", "--format", "sarif")
        let log = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let partial = try bench.hearth("validate", "no.json", "--format", "sarif").output
        #expect(partial.contains(#""executionSuccessful": false"#) && partial.contains("could not open"))
        #expect(run.output.contains(#""executionSuccessful": true"#))
        let runs = try #require(log["runs"] as? [[String: Any]])
        let results = try #require(runs.first?["results"] as? [[String: Any]])
        #expect(results.map { $0["ruleId"] as? String } == ["single-field-composite", "unknown-key"])
        #expect(results.map { $0["level"] as? String } == ["error", "warning"])
        #expect(results.map { $0["ruleIndex"] as? Int } == [0, 1])
        let location = (results[1]["locations"] as? [[String: [String: Any]]])?.first?["physicalLocation"]
        #expect((location?["region"] as? [String: Int]) == ["startLine": 5, "startColumn": 3])
        #expect((location?["artifactLocation"] as? [String: String]) == ["uri": "bad.json"])
        let driver = (runs.first?["tool"] as? [String: [String: Any]])?["driver"]
        #expect(
            (driver?["rules"] as? [[String: Any]])?.map { $0["id"] as? String } == [
                "single-field-composite", "unknown-key",
            ])
    }

    @Test func rulesAreExplained() throws {
        #expect(
            try bench.hearth("validate", "--explain", "trailing-comma").output.hasPrefix("trailing-comma (error): "))
        #expect(try bench.hearth("validate", "--explain", "all").lines.count > 20)
    }

    @Test func everyRealFileIsJudged() throws {
        guard let folder = Locations.sharedData()?.appending(path: "index-configs") else { return }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
            .sorted()
        try #require(files.count > 50)
        var codes: [Int32?: Int] = [:]
        for file in files {
            let run = try bench.hearth("validate", folder.appending(path: file).path, "--format", "json")
            codes[run.code, default: 0] += 1
            #expect(run.code == 0 || run.code == 1, "\(file): \(run)")
        }
        print("everyRealFileIsJudged: \(files.count) files, exit codes \(codes)")
    }

    @Test func canonicalForm() throws {
        let canonical = """
            {
              "indexes": [
                {
                  "collectionGroup": "c",
                  "queryScope": "COLLECTION",
                  "fields": [
                    {
                      "fieldPath": "b",
                      "order": "DESCENDING"
                    },
                    {
                      "fieldPath": "a",
                      "arrayConfig": "CONTAINS"
                    }
                  ]
                }
              ],
              "fieldOverrides": []
            }

            """
        #expect(try bench.hearth("fmt", "good.json").output == canonical)
        let check = try bench.hearth("fmt", "good.json", "--check")
        #expect(check.output == "good.json is not in its canonical form; hearth fmt --write good.json writes it\n")
        #expect(check.code == 1)
        let source = String(decoding: try bench.contents("good.json"), as: UTF8.self)
        let piped = try bench.hearth(arguments: ["fmt", "-", "--check"], input: source)
        #expect(piped.output == "standard input is not in its canonical form; hearth fmt - prints that\n")
        try bench.write("noted.json", "// Ours.\n" + canonical)
        let advice = "hearth fmt --write --drop-comments noted.json"
        let noted = try bench.hearth("fmt", "noted.json", "--check")
        #expect(noted.code == 1 && noted.output.contains(advice), "\(noted)")
        #expect(try bench.hearth(arguments: advice.split(separator: " ").dropFirst().map(String.init)).code == 0)
        #expect(String(decoding: try bench.contents("noted.json"), as: UTF8.self) == canonical)
        #expect(try bench.hearth("fmt", "good.json", "--write").code == 0)
        #expect(String(decoding: try bench.contents("good.json"), as: UTF8.self) == canonical)
        #expect(try bench.hearth("fmt", "good.json", "--check").code == 0)
        let bad = try bench.hearth("fmt", "bad.json")
        // A bad entry costs that entry, which stays as it is.
        #expect(bad.code == 1)
        #expect(bad.output.contains("\"fieldPath\": \"a\""))
        #expect(bad.errors.hasSuffix("hearth: \"bad.json\" has 1 error; the entries without them were used\n"))
    }

    /// Files are replaced atomically, through links, and keep their permissions.
    @Test func filesAreReplacedWhole() throws {
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: bench.path("good.json"))
        try manager.createSymbolicLink(atPath: bench.path("link.json"), withDestinationPath: "good.json")
        #expect(try bench.hearth("fmt", "link.json", "--write").code == 0)
        #expect(try manager.destinationOfSymbolicLink(atPath: bench.path("link.json")) == "good.json")
        #expect(try bench.hearth("fmt", "good.json", "--check").code == 0)
        #expect(try manager.attributesOfItem(atPath: bench.path("good.json"))[.posixPermissions] as? Int == 0o640)
        #expect(
            try manager.contentsOfDirectory(atPath: bench.folder.url.path).allSatisfy { !$0.hasPrefix("good.json.") })
        try bench.write("q.ndjson", "")
        #expect(try bench.hearth("advise", "--queries", "q.ndjson", "--output", "/dev/null").code == 0)
        #expect(try bench.hearth("advise", "--queries", "q.ndjson", "--output", "no/folder.json").code == 2)
    }

    @Test func commentsAreNotLostUnasked() throws {
        try bench.write("c.json", "// why\n{\"indexes\":[],\"fieldOverrides\":[]}")
        let run = try bench.hearth("fmt", "c.json", "--write")
        #expect(run.code == 2)
        #expect(run.errors == "hearth: \"c.json\" has comments, which would be lost; --drop-comments removes them\n")
        #expect(try bench.hearth("fmt", "c.json", "--write", "--drop-comments").code == 0)
        #expect(try bench.hearth("fmt", "c.json", "--check").code == 0)
    }

    /// Neither the schema, nor what nobody knows, is lost: a misspelt key least of all.
    @Test func formatKeepsKeys() throws {
        try bench.write(
            "keys.json",
            #"""
            {"notes": [1], "indexes": [
              {"collectionGroup": "b", "queryScope": "COLLECTION", "why": "the feed", "fields": [
                {"fieldPath": "x", "order": "ASCENDING"}, {"fieldPath": "y", "order": "ASCENDING"}]},
              {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "x", "order": "ASCENDING"}, {"fieldPath": "y", "order": "ASCENDING"}]}],
            "$schema": "firestore.indexes.schema.json"}
            """#)
        let before = try bench.hearth("diff", "keys.json", "good.json").output
        #expect(try bench.hearth("fmt", "keys.json", "--write").code == 0)
        let text = String(decoding: try bench.contents("keys.json"), as: UTF8.self)
        #expect(text.hasPrefix("{\n  \"$schema\": \"firestore.indexes.schema.json\",\n  \"indexes\": [\n"))
        #expect(text.contains("\"why\": \"the feed\"") && text.hasSuffix("  \"notes\": [\n    1\n  ]\n}\n"), "\(text)")
        #expect(try bench.hearth("fmt", "keys.json", "--check").code == 0)
        #expect(try bench.hearth("diff", "keys.json", "good.json").output == before)
    }

    /// `__name__` that is left out behind an array field stays left out, and is another index than one that is written (I-17).
    @Test func formatLeavesOpenWhatIsOpen() throws {
        let open = #"{"fieldPath": "a", "order": "DESCENDING"}, {"fieldPath": "tags", "arrayConfig": "CONTAINS"}"#
        let named = open + #", {"fieldPath": "__name__", "order": "ASCENDING"}"#
        func write(_ name: String, _ fields: String...) throws {
            let indexes = fields.map {
                #"{"collectionGroup": "posts", "queryScope": "COLLECTION", "fields": [\#($0)]}"#
            }
            try bench.write(
                name,
                #"""
                {"indexes": [\#(indexes.joined(separator: ","))], "fieldOverrides": [
                  {"collectionGroup": "posts", "fieldPath": "a", "indexes": []},
                  {"collectionGroup": "posts", "fieldPath": "tags", "indexes": []}]}
                """#)
        }
        try bench.write("q.ndjson", "posts.where('a','==',1).where('tags','array-contains','x')\n")
        try write("open.json", open)
        try write("both.json", open, named)
        try write("named.json", named)
        for name in ["open.json", "both.json", "named.json"] {
            let check = ["check", "--queries", "q.ndjson", "--indexes"]
            let before = try bench.hearth(arguments: check + [name])
            try bench.write("formatted.json", try bench.hearth("fmt", name).output)
            try bench.write("converted.json", try bench.hearth("convert", name, "--to", "json").output)
            for other in ["formatted.json", "converted.json"] {
                #expect(try bench.hearth(arguments: check + [other]).code == before.code, "\(name)")
                #expect(try bench.hearth("diff", name, other).code == 0, "\(name)")
            }
        }
        let indexes = try bench.hearth("fmt", "both.json").output.components(separatedBy: "collectionGroup").count - 1
        #expect(indexes == 4)
    }

    /// As entries with errors are.
    @Test func resourcesThatOnlyTerraformKnowsAreLeftOut() throws {
        let made = """
            resource "google_firestore_index" "made" {
              for_each   = var.names
              collection = each.key
            }

            """
        let fields = #"[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"b","order":"ASCENDING"}]"#
        let index = #"{"collectionGroup":"c","queryScope":"COLLECTION","fields":\#(fields)}"#
        try bench.write("rest.json", #"{"indexes": [\#(index)], "fieldOverrides": []}"#)
        let rest = try bench.hearth("convert", "rest.json", "--to", "terraform").output
        try bench.write("all.tf", made + rest)
        let run = try bench.hearth("convert", "all.tf", "--to", "terraform")
        #expect(run.code == 1 && run.output == rest, "\(run)")
        #expect(run.errors.contains("unknown-value"), "\(run.errors)")
    }

    /// There are no indexes in any form.
    @Test func emptyFiles() throws {
        try bench.write("e.json", #"{"indexes": [], "fieldOverrides": []}"#)
        for form in ["terraform", "gcloud"] {
            try bench.write(form, try bench.hearth("convert", "e.json", "--to", form).output)
            let back = try bench.hearth("convert", form, "--to", "json")
            #expect(try back.code == 0 && back.output == bench.hearth("fmt", "e.json").output, "\(back)")
        }
    }

    @Test func lossesOfOverrides() throws {
        func override(_ more: String) -> String {
            #"{"collectionGroup":"c","fieldPath":"f"\#(more),"indexes":[]}"#
        }
        try bench.write("off.json", #"{"indexes":[],"fieldOverrides":[\#(override(#","ttl":false"#))]}"#)
        let off = try bench.hearth("convert", "off.json", "--to", "terraform")
        #expect(off.code == 0 && off.errors.contains(#"warning: "ttl": false of 1 override is left out"#), "\(off)")
        #expect(try bench.hearth("convert", "off.json", "--to", "gcloud").errors == "")
        try bench.write("open.json", #"{"indexes":[],"fieldOverrides":[\#(override(""))]}"#)
        let open = try bench.hearth("convert", "open.json", "--to", "terraform")
        #expect(open.code == 0 && open.errors.contains(#"warning: 1 override without "ttl": a deployment"#), "\(open)")
        #expect(!off.errors.contains(#"without "ttl""#))
        // A field of Terraform without a ttl_config has no TTL.
        try bench.write("open.tf", open.output)
        #expect(try bench.hearth("convert", "open.tf", "--to", "terraform").errors == "")
        try bench.write(
            "two.json", #"{"indexes":[],"fieldOverrides":[\#(override(#","ttl":true"#)),\#(override(""))]}"#)
        for form in ["terraform", "gcloud"] {
            let two = try bench.hearth("convert", "two.json", "--to", form)
            #expect(two.code == 2 && two.errors.contains(#""f" in "c" has several overrides"#), "\(two)")
        }
    }

    /// Production has one override after this deployment and the other one after the next (J-31): whoever asks must know.
    @Test func contradictionsAreTold() throws {
        let ascending = #"{"order":"ASCENDING","queryScope":"COLLECTION"}"#
        func write(_ name: String, _ indexes: [String]) throws {
            let overrides = indexes.map { #"{"collectionGroup":"c","fieldPath":"f","indexes":[\#($0)]}"# }
            try bench.write(name, #"{"indexes":[],"fieldOverrides":[\#n\#(overrides.joined(separator: ",\n"))]}"#)
        }
        try write("two.json", [ascending, ""])
        try write("same.json", [ascending, ascending])
        try write("many.json", (0..<14).map { $0 % 2 == 0 ? ascending : "" })
        let query = "c.where('f','==',1)"
        try bench.write("q.ndjson", query + "\n")
        for command in [
            ["check", "--queries", "q.ndjson", "--indexes"], ["explain", query, "--indexes"],
            ["advise", "--queries", "q.ndjson", "--indexes"], ["indexes", "apply", "a.db"],
        ] {
            let two = try bench.hearth(arguments: command + ["two.json"])
            #expect(
                two.errors.contains(
                    "hearth: warning: two.json:3: the override of the same field at line 2 says otherwise"), "\(two)")
            #expect(!(try bench.hearth(arguments: command + ["same.json"]).errors.contains("warning")))
            let many = try bench.hearth(arguments: command + ["many.json"]).errors
            #expect(many.split(separator: "\n").filter { $0.contains("says otherwise") }.count == 10)
            #expect(many.contains("many.json has 3 more such overrides; hearth validate lists them"), "\(many)")
        }
        try bench.write(".hearth.json", #"{"rules":{"duplicate-override":"off"}}"#)
        #expect(try bench.hearth("indexes", "apply", "a.db", "two.json").errors == "")
    }

    /// An index of one field with another density is another one (J-24).
    @Test func optionsOfOverrides() throws {
        func write(_ name: String, _ indexes: String...) throws {
            let entries = indexes.map { #"{"order": "ASCENDING", "queryScope": "COLLECTION"\#($0)}"# }
            let list = entries.joined(separator: ",")
            try bench.write(
                name,
                #"""
                {"indexes": [], "fieldOverrides": [
                  {"collectionGroup": "g", "fieldPath": "a", "indexes": [\#(list)]}]}
                """#)
        }
        try write("two.json", #", "density": "SPARSE_ANY""#, #", "density": "DENSE""#)
        let before = try bench.contents("two.json")
        #expect(try bench.hearth("validate", "two.json", "--fix", "--edition", "enterprise").code == 0)
        #expect(try bench.contents("two.json") == before)
        try write("plain.json", "")
        try write("dense.json", #", "density": "DENSE""#)
        try write("sparse.json", #", "density": "SPARSE_ANY""#)
        #expect(try bench.hearth("diff", "plain.json", "dense.json", "--edition", "enterprise").code == 0)
        let differs = try bench.hearth("diff", "plain.json", "sparse.json", "--edition", "enterprise")
        #expect(differs.code == 1 && differs.output.contains(#""density":"SPARSE_ANY""#), "\(differs)")
        for form in ["terraform", "gcloud"] {
            let run = try bench.hearth("convert", "sparse.json", "--to", form, "--edition", "enterprise")
            #expect(run.code == 2 && run.errors.contains("has an index with density"), "\(run)")
            #expect(try bench.hearth("convert", "plain.json", "--to", form, "--edition", "enterprise").code == 0)
        }
    }

    @Test func differences() throws {
        let same = try bench.hearth("fmt", "good.json").output
        let none = try bench.hearth("diff", "good.json", "-", input: same)
        #expect(none.output == "")
        #expect(none.code == 0)
        let other = """
            {"indexes":[],"fieldOverrides":[{"collectionGroup":"c","fieldPath":"x","ttl":true,"indexes":[]}]}
            """
        let run = try bench.hearth("diff", "good.json", "-", input: other)
        #expect(
            run.lines == [
                "- index c COLLECTION (b DESC, a ARRAY_CONTAINS, __name__ DESC)", "+ override c x: none, ttl true",
            ])
        #expect(run.code == 1)
    }

    @Test func checkedQueries() throws {
        let queries = """
            {"id":"1","query":"c.where('a','array-contains',1)"}
            {"id":"2","query":"c.where('x','==',1).orderBy('y')"}
            {"id":"3","query":"c.where('x','in',[])"}
            """
        let run = try bench.hearth(
            "check", "--indexes", "good.json", "--queries", "-", "--project", "p", input: queries)
        #expect(run.code == 1)
        #expect(
            run.lines[0]
                == #"{"id":"1","served":true,"indexesUsed":[{"queryScope":"COLLECTION","properties":"(a ARRAY_CONTAINS, __name__ ASC)"}]}"#
        )
        #expect(
            run.lines[1].hasPrefix(
                #"{"id":"2","served":false,"status":"FAILED_PRECONDITION","message":"The query requires"#))
        #expect(run.lines[1].contains(#""missingIndex":{"collectionGroup":"c","#))
        #expect(run.lines[2].hasPrefix(#"{"id":"3","served":false,"status":"INVALID_ARGUMENT","message":"#))
        let github = try bench.hearth("check", "--queries", "-", "--format", "github", input: queries)
        #expect(github.lines.count == 2)
        #expect(github.lines[0].hasPrefix("::error file=<stdin>,line=2,col=1,title=missing-index::"))
        let text = try bench.hearth("check", "--queries", "-", "--format", "text", input: queries)
        #expect(text.lines.last == "3 queries: 1 served, 2 not served")
        let served = try bench.hearth("check", "--queries", "-", input: "{\"query\":\"c\"}")
        #expect(served.code == 0)
        #expect(
            served.output
                == "{\"id\":\"1\",\"served\":true,\"indexesUsed\":[{\"queryScope\":\"COLLECTION\",\"properties\":\"(__name__ ASC)\"}]}\n"
        )
    }

    @Test func linksThereAndBack() throws {
        let configuration = """
            {"indexes":[{"collectionGroup":"c","queryScope":"COLLECTION_GROUP","fields":[{"fieldPath":"a","order":"ASCENDING"},\
            {"fieldPath":"b","order":"DESCENDING"}]}],"fieldOverrides":[{"collectionGroup":"c","fieldPath":"x","indexes":[\
            {"order":"ASCENDING","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION"},\
            {"arrayConfig":"CONTAINS","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION_GROUP"}]}]}
            """
        let links = try bench.hearth("link", "encode", "-", "--project", "p", input: configuration).lines
        try #require(links.count == 2)
        var decoded = ""
        for link in links { decoded += try bench.hearth("link", "decode", link).output }
        let halves = decoded.components(separatedBy: "\n}\n{\n")
        try #require(halves.count == 2)
        let merged = halves[0] + ",\n" + halves[1]
        #expect(
            try bench.hearth("fmt", "-", input: merged).output == bench.hearth("fmt", "-", input: configuration).output)
    }
}
