// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// firebase.json, editions, settings, and other forms of index files.
@Suite struct ProjectCommandTests {
    let bench: Workbench

    private static let dense = """
        {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "density": "DENSE",
          "fields": [{"fieldPath": "a", "order": "ASCENDING"}]}], "fieldOverrides": []}
        """
    private static let plain = """
        {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "DESCENDING"}]}], "fieldOverrides": []}
        """

    init() throws {
        bench = try Workbench()
        try bench.write("dense.json", Self.dense)
        try bench.write("firestore.indexes.json", Self.plain)
    }

    @Test func editionsDecideWhatIsWrong() throws {
        #expect(try bench.hearth("validate", "dense.json").code == 1)
        #expect(try bench.hearth("validate", "--edition", "enterprise", "dense.json", "--strict").code == 0)
        #expect(try bench.hearth("validate", "--edition", "mongodb", "dense.json").code == 0)
        #expect(try bench.hearth("validate", "--edition", "free", "dense.json").code == 64)
        #expect(try bench.hearth("fmt", "--edition", "enterprise", "dense.json").output.contains("DENSE"))
    }

    /// The Enterprise edition has no automatic indexes, and runs queries without an index.
    @Test func editionsDecideWhatIsServed() throws {
        try bench.write("q", "c.where('a','==',1)\nc.where('b','==',1)\n")
        let check = ["check", "--edition", "enterprise", "--queries", "q", "--indexes", "dense.json"]
        let run = try bench.hearth(arguments: check + ["--format", "json"])
        #expect(run.code == 0)
        #expect(run.lines.count == 2)
        #expect(run.lines[0].contains(#""served":true"#) && !run.lines[0].contains("scan"))
        #expect(run.lines[1].contains(#""served":true,"indexesUsed":[],"scan":true,"index":{"collectionGroup":"c""#))
        #expect(try bench.hearth(arguments: check + ["--strict"]).code == 1)
        let sarif = try bench.hearth(arguments: check + ["--format", "sarif"])
        #expect(sarif.code == 0 && sarif.output.contains(#""ruleId": "unindexed-query""#))
        let text = try bench.hearth(arguments: check + ["--format", "text"])
        #expect(text.lines.last == "2 queries: 2 served, 0 not served")
        // In the Standard edition every field has indexes.
        #expect(try !bench.hearth("check", "--queries", "q", "--format", "json").output.contains("scan"))
        let plan = try bench.hearth("explain", "--edition", "mongodb", "c.where('b','==',1)", "--indexes", "dense.json")
        #expect(plan.code == 0 && plan.output.contains("c COLLECTION (b ASC"))
        #expect(try bench.hearth("advise", "--edition", "enterprise", "--queries", "q").code == 64)
        try bench.write("one.js", "db.collection('c').where('b', '==', 1).get()\n")
        let source = ["check", "--edition", "enterprise", "--source", "one.js", "--indexes", "dense.json"]
        let fix = try bench.hearth(arguments: source + ["--fix", "--format", "text"])
        #expect(fix.code == 0 && fix.errors.contains("nothing to add"))
        #expect(fix.output.contains("warning: c.where"), "\(fix.output)")
        #expect(String(decoding: try bench.contents("dense.json"), as: UTF8.self) == Self.dense)
        #expect(try bench.hearth(arguments: source + ["--strict"]).code == 1)
    }

    @Test func firebaseFilesSayTheEdition() throws {
        let project = """
            {"firestore": [{"database": "(default)", "indexes": "firestore.indexes.json"},
              {"database": "mobile", "indexes": "dense.json", "edition": "enterprise"}]}
            """
        try bench.write("firebase.json", project)
        #expect(try bench.hearth("validate", "dense.json").code == 0)
        let all = try bench.hearth("validate")
        #expect(all.code == 0 && all.output == "3 files checked: nothing found\n", "\(all)")
        #expect(try bench.hearth("validate", "--edition", "standard").code == 1)
        let renamed = project.replacing("dense.json", with: "none.json").replacing("mobile", with: "X")
        try bench.write("firebase.json", renamed)
        let wrong = try bench.hearth("validate", "firebase.json", "--format", "json")
        #expect(wrong.code == 1)
        let rules = wrong.lines.map { $0.split(separator: #""rule":""#)[1].prefix { $0 != "\"" } }
        #expect(rules == ["invalid-database-id", "missing-file"], "\(wrong.output)")
    }

    private static let members: [(String, String?)] = [
        (#""edition": "standard""#, "standard"), (#""edition": "enterprise""#, nil),
        (#""dataAccessMode": "MONGODB_COMPATIBLE""#, "mongodb"), (#""rules": "a.rules""#, nil),
    ]

    /// `.hearth.json` is stronger, and a command says so once where that matters.
    @Test(arguments: members) func editionsThatDiffer(_ member: String, _ other: String?) throws {
        try bench.write("firebase.json", #"{"firestore": {"indexes": "dense.json", \#(member)}}"#)
        try bench.write(".hearth.json", #"{"edition": "enterprise"}"#)
        try bench.write("a.rules", "")
        let warning = other.map {
            "hearth: warning: \".hearth.json\" says edition enterprise, \"firebase.json\" \($0): the former counts\n"
        }
        for command in [["validate", "dense.json"], ["fmt", "dense.json"], ["validate", "firebase.json"]] {
            let run = try bench.hearth(arguments: command)
            #expect(run.code == 0 && run.errors == warning ?? "", "\(run)")
        }
        let chosen = try bench.hearth("validate", "--edition", "enterprise", "firebase.json")
        #expect(chosen.code == 0 && chosen.errors == "", "\(chosen)")
    }

    /// Its members are those of no index file, and nothing must be added to it.
    @Test func projectsAreNoIndexFiles() throws {
        let one = #"{"firestore": {"rules": "a.rules", "indexes": "firestore.indexes.json"}}"#
        try FileManager.default.createDirectory(atPath: bench.path("app"), withIntermediateDirectories: true)
        try bench.write("app/firebase.json", one)
        try bench.write("q", "c.where('a','==',1)\n")
        for command in [
            ["check", "--queries", "q", "--indexes"], ["advise", "--queries", "q", "--indexes"], ["fmt"],
            ["diff", "firestore.indexes.json"], ["convert", "--to", "terraform"], ["indexes", "apply", "my.db"],
            ["link", "encode", "--project", "p"],
        ] {
            let run = try bench.hearth(arguments: command + ["app/firebase.json"])
            #expect(run.code == 2)
            #expect(
                run.errors == """
                    hearth: "app/firebase.json" is a firebase.json; its index file is "app/firestore.indexes.json": give that

                    """)
        }
        try bench.write("app/firebase.json", #"{"firestore": [{"indexes": "a.json"}, {"indexes": "b.json"}]}"#)
        let several = try bench.hearth("fmt", "app/firebase.json")
        #expect(several.errors.hasSuffix("are \"app/a.json\", \"app/b.json\": give one of them\n"), "\(several.errors)")
        try bench.write("app/firebase.json", #"{"hosting": {}}"#)
        #expect(try bench.hearth("fmt", "app/firebase.json").errors.contains("it names no index file"))
    }

    /// What a check did not look at is said where it disturbs no output.
    @Test func checksOfNothing() throws {
        try bench.write("q", "\n")
        let empty = try bench.hearth("check", "--queries", "q", "--indexes", "firestore.indexes.json")
        #expect(empty.code == 0 && empty.errors == "hearth: warning: \"q\" has no queries: nothing was checked\n")
        try bench.write("q", "c.where('a','==',1)\n")
        let automatic = try bench.hearth("check", "--queries", "q")
        #expect(automatic.code == 0)
        #expect(
            automatic.errors
                == "hearth: firestore.indexes.json is not used; --indexes firestore.indexes.json checks with it\n")
        try FileManager.default.createDirectory(atPath: bench.path("src"), withIntermediateDirectories: true)
        try bench.write("src/notes.txt", "db.collection('c').get()")
        let source = try bench.hearth("check", "--source", "src", "--indexes", "firestore.indexes.json")
        #expect(source.code == 0)
        #expect(
            source.errors
                == "hearth: warning: no file in \"src\" is in a language that is read, so no query was looked for\n")
    }

    /// Only JSON is edited.
    @Test func otherFormsAreNotEdited() throws {
        try bench.write("t.tf", try bench.hearth("convert", "firestore.indexes.json", "--to", "terraform").output)
        try bench.write("q", "c.where('a','==',1).orderBy('z')\n")
        try bench.write("one.js", "db.collection('c').where('a', '==', 1).orderBy('z').get()\n")
        for arguments in [
            ["advise", "--queries", "q", "--output", "t.tf"],
            ["check", "--source", "one.js", "--fix", "--indexes", "t.tf"],
        ] {
            let run = try bench.hearth(arguments: arguments)
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix("hearth: \"t.tf\" cannot be edited, as it is no JSON; "), "\(run.errors)")
        }
        let nameless = try bench.hearth("advise", "--queries", "q", "--output", "-")
        #expect(nameless.code == 64 && nameless.errors.contains("--output needs a file"), "\(nameless.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.path("-")))
    }

    @Test func usualFilesAreFound() throws {
        #expect(try bench.hearth("validate").output == "1 file checked: nothing found\n")
    }

    /// A team's settings hold for every command. Members that nothing reads are named once.
    @Test func settingsReachEveryCommand() throws {
        let single = Self.dense.replacing(#""density": "DENSE","#, with: "")
        try bench.write("single.json", single)
        #expect(try bench.hearth("diff", "single.json", "single.json").code == 1)
        try bench.write(
            ".hearth.json", #"{"rules": {"single-field-composite": "note"}, "collections": {"q": "users"}}"#)
        #expect(try bench.hearth("validate", "single.json", "--strict").code == 0)
        let same = try bench.hearth("diff", "single.json", "single.json")
        #expect(same.code == 0)
        let warning = "nothing reads \"collections\"; it may have rules, edition, source"
        #expect(same.errors == "hearth: warning: \".hearth.json\": \(warning)\n")
        #expect(
            try bench.hearth("diff", "single.json", "firestore.indexes.json").output.contains(
                "- index c COLLECTION (a ASC"))
        try bench.write(".hearth.json", #"{"edition": "enterprise"}"#)
        #expect(try bench.hearth("validate", "dense.json").code == 0)
    }

    /// A bad entry costs that entry.
    @Test func goodEntriesAreUsed() throws {
        let entries = Self.plain.replacing(
            #"{"indexes": ["#, with: #"{"indexes": [{"collectionGroup": "c", "queryScope": "nowhere", "fields": []}, "#)
        try bench.write("mixed.json", entries)
        let link = try bench.hearth("link", "encode", "mixed.json", "--project", "p")
        #expect(link.code == 1 && link.lines.count == 1)
        #expect(link.errors.contains("the entries without them were used"))
        let apply = try bench.hearth("indexes", "apply", "my.db", "mixed.json")
        #expect(apply.code == 1 && apply.output.contains("built c COLLECTION (a ASC, b DESC, __name__ DESC)"))
        #expect(try bench.hearth("indexes", "apply", "my.db", "mixed.json", "--prune").code == 2)
        #expect(try bench.hearth("fmt", "mixed.json").output.contains("nowhere"))
        #expect(try bench.hearth("check", "--indexes", "mixed.json", "--queries", "-").code == 2)
    }

    @Test func formsAreConverted() throws {
        let terraform = try bench.hearth("convert", "firestore.indexes.json", "--to", "terraform")
        #expect(terraform.code == 0)
        try bench.write("indexes.tf", terraform.output)
        #expect(try bench.hearth("validate", "--strict", "indexes.tf").code == 0)
        #expect(try bench.hearth("diff", "indexes.tf", "firestore.indexes.json").code == 0)
        let commands = try bench.hearth("convert", "indexes.tf", "--to", "gcloud")
        let options = "--field-config=field-path=a,order=ascending --field-config=field-path=b,order=descending"
        #expect(
            commands.output
                == "gcloud firestore indexes composite create --collection-group=c --query-scope=collection \(options)\n"
        )
        try bench.write("create.sh", commands.output)
        let json = try bench.hearth("convert", "create.sh", "--to", "json")
        #expect(json.output == (try bench.hearth("fmt", "firestore.indexes.json").output))
        #expect(try bench.hearth("fmt", "indexes.tf").code == 2)
        try bench.write("q.ndjson", "c.where('a','==',1).orderBy('b','desc')\n")
        #expect(try bench.hearth("check", "--indexes", "indexes.tf", "--queries", "q.ndjson").code == 0)
    }

    @Test func listingsAreCompared() throws {
        func listing(_ state: String, _ second: String) -> String {
            """
            [{"name": "projects/p/databases/(default)/collectionGroups/c/indexes/CICAgOjX", "queryScope": "COLLECTION",
              "state": "\(state)", "density": "SPARSE_ALL", "fields": [{"fieldPath": "a", "order": "ASCENDING"},
              {"fieldPath": "\(second)", "order": "DESCENDING"}, {"fieldPath": "__name__", "order": "DESCENDING"}]}]
            """
        }
        try bench.write("live.json", listing("CREATING", "b"))
        let same = try bench.hearth("diff", "firestore.indexes.json", "--live", "live.json")
        #expect(same.code == 0 && same.output.isEmpty)
        #expect(same.errors.contains("is CREATING"))
        try bench.write("live.json", listing("READY", "z"))
        let other = try bench.hearth("diff", "firestore.indexes.json", "--live", "live.json")
        #expect(other.code == 1)
        #expect(
            other.lines == [
                "- index c COLLECTION (a ASC, b DESC, __name__ DESC)",
                "+ index c COLLECTION (a ASC, z DESC, __name__ DESC)",
            ])
        try bench.write("live.json", "[]\n")
        let none = try bench.hearth("diff", "firestore.indexes.json", "--live", "live.json")
        #expect(none.code == 1, "\(none.errors)")
        #expect(none.lines == ["- index c COLLECTION (a ASC, b DESC, __name__ DESC)"])
        #expect(try bench.hearth("diff", "firestore.indexes.json").code == 64)
    }
}
