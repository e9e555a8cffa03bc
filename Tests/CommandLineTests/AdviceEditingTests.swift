// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `advise --output` on a file that exists.
@Suite struct AdviceEditingTests {
    let bench: Workbench

    private static let file = """
        {
          // Owned by the backend team.
          "indexes": [
            /* the feed */
            {
              "collectionGroup": "posts",
              "queryScope": "COLLECTION",
              "fields": [
                {"fieldPath": "author", "order": "ASCENDING"}, // who
                {"fieldPath": "at", "order": "DESCENDING"}
              ]
            },
            {
              "collectionGroup": "posts",
              "queryScope": "COLLECTION",
              "fields": [
                {"fieldPath": "embedding", "vectorConfig": {"dimension": 3, "flat": {}}}
              ]
            }
          ],
          "fieldOverrides": [
            {"collectionGroup": "sessions", "fieldPath": "until", "ttl": true, "indexes": []} // GDPR
          ]
        }

        """

    init() throws {
        bench = try Workbench()
        try bench.write("f.json", Self.file)
        try bench.write("q.ndjson", "r.where('a','==',1).orderBy('b')\n")
    }

    private func advise(_ arguments: String...) throws -> Run {
        try bench.hearth(arguments: ["advise", "--queries", "q.ndjson", "--output", "f.json"] + arguments)
    }

    private func contents() throws -> String { String(decoding: try bench.contents("f.json"), as: UTF8.self) }

    /// It was replaced, and lost all that the queries do not show.
    @Test func keepsWhatIsThere() throws {
        #expect(try advise().code == 0)
        let text = try contents()
        #expect(text.contains("// Owned by the backend team.") && text.contains("// GDPR"))
        #expect(text.contains(#""collectionGroup": "r""#))
        var rest = Self.file[...]
        for character in text where character == rest.first { rest.removeFirst() }
        #expect(rest.isEmpty, "something was removed: \(text)")
        #expect(try bench.hearth("check", "--indexes", "f.json", "--queries", "q.ndjson").code == 0)
        #expect(try advise().code == 0)
        #expect(try contents() == text)
    }

    @Test func checkFailsOnlyOnAdditions() throws {
        let run = try advise("--check", "--format", "text")
        #expect(run.code == 1)
        #expect(run.lines.contains { $0.hasPrefix("+") && $0.contains(#""collectionGroup": "r""#) }, "\(run.output)")
        #expect(try contents() == Self.file)
        #expect(try advise().code == 0)
        #expect(try advise("--check").code == 0)
        #expect(try advise("--check", "--prune").code == 0)
        #expect(try advise("--check", "--prune-unused", "posts").code == 1)
        #expect(try bench.hearth("advise", "--queries", "q.ndjson", "--prune").code == 64)
    }

    @Test func pruningNamesWhatWouldBreak() throws {
        let run = try advise("--prune-unused", "posts", "--format", "text")
        #expect(run.code == 0)
        let query = #"queries like collection("posts").where("author", "==", …).orderBy("at", "desc") would be refused"#
        #expect(run.output.contains(query), "\(run.output)")
        let text = try contents()
        #expect(!text.contains("author") && text.contains("// GDPR") && text.contains("/* the feed */"))
        #expect(text.contains("until") && text.contains(#""collectionGroup": "r""#))
    }

    @Test func redundantOnesGo() throws {
        func entry(_ fields: String...) -> String {
            let list = fields.map { #"{"fieldPath":"\#($0)","order":"ASCENDING"}"# }.joined(separator: ",")
            return #"{"collectionGroup":"r","queryScope":"COLLECTION","fields":[\#(list)]}"#
        }
        let entries = [entry("a", "c", "b"), entry("a", "b"), entry("c", "b")].joined(separator: ", // next\n")
        try bench.write("f.json", "{\"indexes\": [\(entries)]}")
        try bench.write(
            "q.ndjson",
            "r.where('a','==',1).orderBy('b')\nr.where('c','==',1).orderBy('b')\nr.where('a','==',1).where('c','==',1).orderBy('b')\n"
        )
        #expect(try advise("--check").code == 0)
        #expect(try advise("--check", "--prune").code == 1)
        let run = try advise("--prune", "--format", "json")
        #expect(run.code == 0)
        #expect(
            run.output.contains(#""breaks": "collection(\"r\").where(\"a\", \"==\", …).orderBy(\"c\")"#),
            "\(run.output)")
        #expect(try contents() == "{\"indexes\": [// next\n\(entry("a", "b")), // next\n\(entry("c", "b"))]}")
    }

    @Test(arguments: [["a", "t", "a"], ["a", "a"]])
    func anIndexMayOrderAFieldTwice(_ fields: [String]) throws {
        let list = fields.map { #"{"fieldPath":"\#($0)","order":"ASCENDING"}"# }.joined(separator: ",")
        try bench.write(
            "f.json", #"{"indexes": [{"collectionGroup":"s","queryScope":"COLLECTION","fields":[\#(list)]}]}"#)
        let run = try advise("--prune", "--prune-unused", "s")
        #expect(run.code == 0, "\(run)")
        #expect(try !contents().contains(#""s""#) && contents().contains(#""r""#))
    }

    private static let pruned = """
        {"indexes": [
          {"collectionGroup": "posts", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "kind", "order": "ASCENDING"}, {"fieldPath": "at", "order": "ASCENDING"}]},
          {"collectionGroup": "users", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "kind", "order": "ASCENDING"}, {"fieldPath": "at", "order": "ASCENDING"}]}
        ]}

        """

    private func prune(besides query: String) throws -> Run {
        try bench.write("f.json", Self.pruned)
        try bench.write(
            "a.js",
            "const { Firestore } = require('@google-cloud/firestore');\nconst db = new Firestore();\n\(query).get();\n")
        return try bench.hearth(
            "advise", "--source", "a.js", "--output", "f.json", "--prune", "--prune-unused", "posts", "--prune-unused",
            "users")
    }

    /// A query that could not be followed may need any index of its collection.
    @Test func queriesThatCannotBeFollowedKeepTheirIndexes() throws {
        let posts = try prune(besides: "db.collection('posts').where(process.argv[2], '==', 1).orderBy('at')")
        #expect(posts.code == 0 && posts.errors.contains(#"nothing of "posts" is removed"#), "\(posts)")
        #expect(try contents().contains("posts") && !contents().contains("users"))

        let any = try prune(besides: "db.collection(process.argv[2]).where('kind', '==', 1).orderBy('at')")
        #expect(any.code == 0 && any.errors.contains("nothing is removed"), "\(any)")
        #expect(try contents() == Self.pruned)

        let ignored = try prune(
            besides: "// hearth: ignore\ndb.collection('posts').where(process.argv[2], '==', 1).orderBy('at')")
        #expect(ignored.code == 0, "\(ignored)")
        #expect(try contents().contains("posts") && !contents().contains("users"))

        let known = try prune(besides: "db.collection('posts').where('other', '==', 1)")
        #expect(known.code == 0 && !known.errors.contains("is removed"), "\(known)")
        #expect(try !contents().contains("posts") && !contents().contains("users"))
    }

    @Test func unreadableLinesEndWithOne() throws {
        try bench.write("q.ndjson", "r.where('a','==',1).orderBy('b')\nr.where(\n")
        let run = try advise()
        #expect(run.code == 1)
        #expect(run.errors.contains("q.ndjson:2: not read"))
        #expect(try contents().contains(#""collectionGroup": "r""#))
    }

    /// A line that was not read may be the query that needs an index.
    @Test func nothingIsPrunedBesideUnreadableLines() throws {
        try bench.write("q.ndjson", "posts.where('author','==',1)\nposts.where('author','==',1).orderBy('at','de")
        let run = try advise("--prune", "--prune-unused", "posts")
        #expect(run.code == 1 && run.errors.contains("nothing is removed or written"), "\(run)")
        #expect(try contents() == Self.file)
        #expect(try advise("--prune", "--prune-unused", "posts", "--check").code == 1)
    }

    /// The inner override keeps the group mode of the outer one from its field (I-10): the composite is needed.
    @Test func overrideThatShields() throws {
        func override(_ field: String, _ others: String = "") -> String {
            #"""
            {"collectionGroup": "g", "fieldPath": "\#(field)", "indexes": [
              {"order": "ASCENDING", "queryScope": "COLLECTION"}, {"order": "DESCENDING", "queryScope": "COLLECTION"},
              {"arrayConfig": "CONTAINS", "queryScope": "COLLECTION"}\#(others)]}
            """#
        }
        let group = #", {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}"#
        let file = #"""
            {"indexes": [{"collectionGroup": "g", "queryScope": "COLLECTION_GROUP", "fields": [
              {"fieldPath": "a.b", "order": "ASCENDING"}, {"fieldPath": "c", "order": "ASCENDING"}]}],
            "fieldOverrides": [\#(override("a", group)), \#(override("a.b")), \#(override("c", group))]}

            """#
        try bench.write("f.json", file)
        try bench.write("q.ndjson", "collectionGroup('g').where('a.b','==',1).where('c','==',2)\n")
        let run = try advise("--prune")
        #expect(run.code == 0, "\(run)")
        #expect(try contents() == file)
        #expect(try bench.hearth("check", "--indexes", "f.json", "--queries", "q.ndjson").code == 0)
    }

    /// A link stays one, also where it leads to no file yet.
    @Test func linkToNoFile() throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: bench.path("links"), withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: bench.path("links/first"), withDestinationPath: "../links/second")
        try manager.createSymbolicLink(atPath: bench.path("links/second"), withDestinationPath: "../made.json")
        try manager.createSymbolicLink(atPath: bench.path("links/round"), withDestinationPath: "round")
        func advise(_ link: String) throws -> Run {
            try bench.hearth("advise", "--queries", "q.ndjson", "--output", link)
        }
        #expect(try advise("links/first").code == 0)
        #expect(try manager.destinationOfSymbolicLink(atPath: bench.path("links/second")) == "../made.json")
        #expect(String(decoding: try bench.contents("made.json"), as: UTF8.self).contains(#""collectionGroup": "r""#))
        let round = try advise("links/round")
        #expect(round.code == 2 && round.errors.contains("could not write \"links/round\""), "\(round)")
        #expect(try manager.destinationOfSymbolicLink(atPath: bench.path("links/round")) == "round")
    }
}
